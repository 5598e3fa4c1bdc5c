"""The rivals do what their papers say, on cases worked by hand."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.naive_bayes import CategoricalNB
from sklearn.svm import SVC

from solvers import FeatureHypergraph
from solvers.errors import DataError
from solvers.methods.csdt import CSDTClassifier
from solvers.methods.csnb import CSNBClassifier
from solvers.methods.jit import JITClassifier
from solvers.methods.relief_svm import ReliefSVMClassifier
from solvers.methods.static_prefix import StaticPrefixClassifier
from solvers.methods.tefe import TEFEClassifier
from tests.each import each

X, Y = load_iris(return_X_y=True)
PRICES = FeatureHypergraph.independent([1.0, 2.0, 3.0, 4.0])


@each("standardise", [True, False])
def test_the_whole_prefix_is_one_machine_a_class(standardise):
    model = StaticPrefixClassifier(PRICES, standardise=standardise).fit(X, Y)
    units = X.std(axis=0) if standardise else np.ones(4)
    for k in range(3):
        theirs = SVC(kernel="linear", tol=1e-6).fit(X / units, Y == k)
        assert model.coef_[k] * units == pytest.approx(theirs.coef_[0], abs=1e-3)


def test_a_prefix_is_a_stage_of_the_cascade():
    cascade = TEFEClassifier(PRICES).fit(X, Y)
    prefixes = list(StaticPrefixClassifier(PRICES).path(X, Y))
    for stage, prefix in enumerate(prefixes):
        assert prefix.coef_ == pytest.approx(cascade.stage_coef_[:, stage], abs=1e-8)
        assert prefix.cost_ == cascade.stage_costs_[stage]


def test_a_prefix_longer_than_the_order_is_refused():
    with pytest.raises(DataError, match="n_groups is 5, but there are 4"):
        StaticPrefixClassifier(PRICES, n_groups=5).fit(X, Y)


def test_relief_uses_the_petals_of_the_irises():
    model = ReliefSVMClassifier(PRICES, n_selected=2).fit(X, Y)
    assert model.support_.tolist() == [False, False, True, True]
    assert model.cost_ == 7.0


def test_relief_pays_for_the_whole_group_of_a_feature():
    groups = [[0, 3], [1, 2]]
    model = ReliefSVMClassifier(PRICES, groups, n_selected=1).fit(X, Y)
    assert model.support_.sum() == 2
    assert np.count_nonzero(model.coef_.any(axis=0)) == 1


@each("method", [ReliefSVMClassifier, StaticPrefixClassifier])
def test_a_machine_that_is_not_certified_says_so(method, monkeypatch):
    monkeypatch.setattr("solvers.numerics.svm_stages._TOLERATED_GAP", -1.0)
    with pytest.warns(ConvergenceWarning, match="relative duality gap of"):
        method(PRICES).fit(X, Y)


def test_relief_refuses_more_features_than_there_are():
    with pytest.raises(DataError, match="n_selected is 9, but X has 4"):
        ReliefSVMClassifier(n_selected=9).fit(X, Y)


def test_jit_weighs_information_against_cost():
    # The dear feature tells 1 bit, the cheap one less: .25 log-odds aside, by counts.
    rows = np.array([[0, 0], [0, 0], [0, 1], [1, 1], [1, 1], [1, 0]], dtype=float)
    labels = np.array([0, 0, 0, 1, 1, 1])
    prices = FeatureHypergraph.independent([10.0, 1.0])
    assert (
        JITClassifier(prices, cost_weight=0.0).fit(rows, labels).tree_.feature[0] == 0
    )
    assert (
        JITClassifier(prices, cost_weight=0.9).fit(rows, labels).tree_.feature[0] == 1
    )


def test_jit_without_regard_to_cost_is_pure_on_its_training_bins():
    model = JITClassifier(PRICES, cost_weight=0.0, n_bins=50).fit(X, Y)
    assert model.score(X, Y) > 0.99


def test_csdt_buys_while_errors_cost_more():
    errors = [4.0, 40.0, 4000.0]
    models = [CSDTClassifier(PRICES, error_cost=e).fit(X, Y) for e in errors]
    costs = [model.prediction_cost(X).mean() for model in models]
    scores = [model.score(X, Y) for model in models]
    assert costs == sorted(costs)
    assert scores == sorted(scores)
    assert scores[-1] > 0.95


def test_csdt_total_cost_is_not_above_that_of_buying_nothing():
    for error_cost in (0.1, 1.0, 10.0, 100.0):
        model = CSDTClassifier(PRICES, error_cost=error_cost).fit(X, Y)
        wrong = (model.predict(X) != Y).sum()
        total = error_cost * wrong + model.prediction_cost(X).sum()
        assert total <= error_cost * 100 + 1e-9


def test_csnb_that_buys_everything_is_naive_bayes():
    model = CSNBClassifier(FeatureHypergraph.independent([0.0] * 4)).fit(X, Y)
    model.set_params(groups=None)
    binned = model.bins_.transform(X)
    theirs = CategoricalNB(alpha=1.0).fit(binned, Y)
    assert model.predict_proba(X) == pytest.approx(theirs.predict_proba(binned))


def test_csnb_buys_nothing_if_errors_cost_nothing_to_speak_of():
    model = CSNBClassifier(PRICES, error_cost=1e-6).fit(X, Y)
    assert not model.acquired_features(X).any()
    assert model.prediction_cost(X).tolist() == [0.0] * len(X)


def test_csnb_pays_shared_components_once():
    shared = FeatureHypergraph(
        [[1, 1, 1, 1], [0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 0]],
        [1.0, 0.01, 0.01, 0.01, 0.01],
    )
    model = CSNBClassifier(shared, error_cost=100.0).fit(X, Y)
    costs = model.prediction_cost(X)
    assert model.acquired_features(X).sum(axis=1).max() > 1
    assert costs.max() <= 1.04 + 1e-12


def test_csnb_rows_do_not_depend_on_their_neighbours():
    model = CSNBClassifier(PRICES, error_cost=20.0).fit(X, Y)
    together = model.acquired_features(X)
    alone = np.concatenate([model.acquired_features(row[np.newaxis]) for row in X])
    assert np.array_equal(together, alone)


@each("name", ["coef_", "intercept_"])
def test_sample_weights_scale_the_loss_of_the_machines(name):
    doubled = StaticPrefixClassifier(PRICES, C=1.0).fit(X, Y, np.full(150, 2.0))
    plain = StaticPrefixClassifier(PRICES, C=2.0).fit(X, Y)
    assert getattr(doubled, name) == pytest.approx(getattr(plain, name), abs=1e-9)


@each("n_classes", [2, 3])
@each(
    "method",
    [
        CSDTClassifier,
        CSNBClassifier,
        JITClassifier,
        ReliefSVMClassifier,
        StaticPrefixClassifier,
    ],
)
def test_single_rows_are_decided_as_in_the_batch_on_binary_columns(method, n_classes):
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, (300, 6)).astype(float)
    noisy = rows.sum(axis=1) + rng.normal(size=300)
    labels = noisy.round().astype(int) % n_classes
    prices = FeatureHypergraph.independent([3.0, 1.0, 2.0, 5.0, 4.0, 6.0])
    models = list(method(prices).path(rows, labels))
    for model in models[:: max(1, len(models) // 5)]:
        together = model.decide(rows)
        for i in range(0, 300, 13):
            alone = model.decide(rows[[i]])
            assert alone.labels[0] == together.labels[i]
            assert np.array_equal(alone.acquired[0], together.acquired[i])
