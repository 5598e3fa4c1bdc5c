"""Sixty patients, eight near copies of each, and labels of chance.

Whoever learned from one copy knows the other seven. What is held out within training
has to be other patients; then nothing is promised of chance, and nothing is spent.
"""

import sys
import warnings

import numpy as np
import pytest
from sklearn import config_context
from sklearn.exceptions import ConvergenceWarning, UnsetMetadataPassedError
from sklearn.model_selection import (
    BaseCrossValidator,
    GridSearchCV,
    GroupKFold,
    TunedThresholdClassifierCV,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from solvers import Dataset, FeatureHypergraph, all_methods, trace_frontier
from solvers.bayes import learn_classifier, most_accurate_selection
from solvers.datasets.columns import Column, TableEncoder, TableSchema
from solvers.datasets.rows import RowRoles
from solvers.errors import DataError
from solvers.methods.dag import DAGClassifier
from solvers.methods.dag import classifier as dag_training
from solvers.methods.hypergraph_cascade import HypergraphCascadeClassifier
from solvers.methods.look_ahead import LookAheadClassifier
from solvers.methods.relief_svm import ReliefSVMClassifier
from solvers.methods.static_prefix import StaticPrefixClassifier
from solvers.methods.tefe import TEFEClassifier
from solvers.methods.tefe import stages as tefe_stages
from solvers.numerics.cuts import QuantileBins
from solvers.numerics.inner_folds import deal_folds
from tests.each import each

METHODS = all_methods()
TREE = DecisionTreeClassifier(random_state=0)
# Every method that deals folds, set so that it can learn a copy by heart.
FOLDING = {
    "dag": DAGClassifier(base=TREE),
    "hypergraph_cascade": HypergraphCascadeClassifier(model=TREE, objective="accuracy"),
    "look_ahead": LookAheadClassifier(),
    "tefe": TEFEClassifier(confidence="calibrated"),
}


def patients(n_features=30, n_patients=60, seed=0):
    """Rows, labels of chance and the patient of each row."""
    rng = np.random.default_rng(seed)
    patient = np.repeat(np.arange(n_patients), 8)
    values = rng.standard_normal((n_patients, n_features))[patient]
    X = values + 0.05 * rng.standard_normal(values.shape)
    return X, rng.permutation(np.arange(n_patients) % 2)[patient], patient


def fitted(estimator, X, y, **told):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return estimator.fit(X, y, **told)


# -------------------------------------------- what is held out says what chance would


def held_out_by_dag(monkeypatch, **told):
    heard = []

    def hears(rows, *others):
        scores = dag_training_state(rows, *others)
        heard.append(np.mean((scores.held_out > 0) == (rows.signs > 0)))
        return scores

    dag_training_state = dag_training.train_state
    monkeypatch.setattr(dag_training, "train_state", hears)
    X, y, _ = patients()
    fitted(FOLDING["dag"], X, y, **told)
    return np.mean(heard)


def held_out_by_tefe(monkeypatch, **told):
    heard = []

    def hears(margins, labels, weights):
        heard.append(np.mean((margins[:, 0, -1] > 0) == labels))
        return calibrate(margins, labels, weights)

    calibrate = tefe_stages.calibrate
    monkeypatch.setattr(tefe_stages, "calibrate", hears)
    X, y, _ = patients(60)
    fitted(FOLDING["tefe"], X, y, **told)
    return heard[0]


def held_out_by_cascade(_, **told):
    X, y, _ = patients(6)
    return fitted(FOLDING["hypergraph_cascade"], X, y, **told).policies_[-1].score


def held_out_by_encoder(_, **told):
    """The share of rows that the mean of other rows' labels calls right."""
    _, y, patient = patients()
    names = tuple(f"p{k}" for k in range(60))
    column = Column("who", "category", values=names, encoding="mean of the label")
    encoder = TableEncoder(TableSchema((column,)))
    means = encoder.fit_codes(patient[:, None].astype(float), y, **told)[:, 0]
    return np.mean((means > 0.5) == y)


def held_out_by_selection(_, **told):
    X, y, _ = patients(6)
    codes = QuantileBins.fit(X, np.ones(len(X)), 30).transform(X)
    found = most_accurate_selection(
        codes, y, 1, 6.0, masks=np.ones((1, 6), bool), **told
    )
    return found.accuracy


def held_out_by_learning(_, **told):
    X, y, _ = patients(12)
    names = [f"x{j}" for j in range(12)]
    learned = learn_classifier(X, y, 1, names, n_bins=30, **told)
    said = learned.classifier.decide(learned.test_codes)
    return np.mean(said == learned.test_labels)


@each(
    "held_out",
    [
        held_out_by_cascade,
        held_out_by_dag,
        held_out_by_tefe,
        held_out_by_encoder,
        held_out_by_selection,
        held_out_by_learning,
    ],
)
def test_of_chance_held_out_patients_tell_nothing(held_out, monkeypatch):
    patient = patients()[2]
    assert held_out(monkeypatch) > 0.85
    assert 0.3 < held_out(monkeypatch, groups=patient) < 0.66


def test_nothing_is_spent_on_chance():
    """Untold of the patients it spends half of what there is to spend."""
    X, y, patient = patients(6)
    model = fitted(HypergraphCascadeClassifier(), X, y, groups=patient)
    assert model.decide(X).cost.max() == 0.0


def test_copies_buy_what_one_row_of_each_would():
    """DAG's gates learn from what errors cost; eight copies are no eight patients."""
    X, y, patient = patients()
    others = patients(seed=1)[0]
    tree = {"base": TREE}
    alone = fitted(DAGClassifier(**tree), X[::8], y[::8]).decide(others).cost.mean()
    known = fitted(DAGClassifier(**tree), X, y, groups=patient).decide(others).cost
    unknown = fitted(DAGClassifier(**tree), X, y).decide(others).cost
    assert abs(known.mean() - alone) < 0.15 * alone < abs(unknown.mean() - alone)


def test_relief_looks_for_neighbours_among_other_patients():
    X, y, patient = patients()
    X[:, -1] += 1.5 * (2 * y - 1)  # the one feature that tells
    prices, weighed = FeatureHypergraph.independent(np.ones(30)), []
    for told in (None, patient):
        relief = ReliefSVMClassifier().fit(X, y, groups=told).relief_
        by_value = StaticPrefixClassifier(prices, order="value")
        first = np.concatenate(by_value.fit(X, y, groups=told).groups_)[:5]
        assert first.tolist() == np.argsort(-relief)[:5].tolist()
        weighed.append(relief)
    assert weighed[0].min() > 0  # near copies are told from others by anything
    assert np.median(weighed[1]) < 0.1 * weighed[1].max()


# ------------------------------------------------------------------ no group is torn


def hear_deals(monkeypatch):
    """Return where every deal of folds is written down, and forbid all others."""
    deals = []

    def deals_and_tells(labels, n_folds, random_state, groups=None, **how):
        folds = deal_folds(labels, n_folds, random_state, groups, **how)
        deals.append((groups, folds))
        return folds

    for name, module in list(sys.modules.items()):
        if name.startswith("solvers.") and hasattr(module, "deal_folds"):
            monkeypatch.setattr(module, "deal_folds", deals_and_tells)

    def refuses(*_, **__):
        raise AssertionError("Folds are dealt elsewhere.")

    for splitter in (BaseCrossValidator, *BaseCrossValidator.__subclasses__()):
        monkeypatch.setattr(splitter, "split", refuses)
    return deals


def small(n_patients=24):
    X, y, patient = patients(4, n_patients)
    return X, (X[:, 0] + X[:, 1] + 0.3 * y > 0).astype(int), patient


@each("name", METHODS)
def test_no_inner_fold_tears_a_group(name, monkeypatch):
    X, y, patient = small()
    deals = hear_deals(monkeypatch)
    fitted(FOLDING.get(name, METHODS[name]()), X, y, groups=patient)
    assert bool(deals) == (name in FOLDING)
    for groups, folds in deals:
        assert groups is not None
        assert all(len(set(folds[groups == one])) == 1 for one in groups)


@each("name", sorted(METHODS.keys() - {*FOLDING, "relief_svm"}))
def test_who_deals_no_folds_does_not_look_at_groups(name):
    X, y, patient = small()
    one, other = (
        fitted(METHODS[name](), X, y, groups=told).decide(X) for told in (None, patient)
    )
    assert np.array_equal(one.scores, other.scores)
    assert np.array_equal(one.acquired, other.acquired)


@each("name", FOLDING)
def test_a_path_a_refit_and_rows_of_weight_0_know_the_groups(name):
    X, y, patient = small()
    weights = np.where(patient < 20, 1.0, 0.0)
    there, model = weights > 0, FOLDING[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        *_, last = model.path(X, y, weights, groups=patient)
        *_, same = model.iter_path(X[there], y[there], groups=patient[there])
        again = model.refitter(X, y, weights, groups=patient)()
        alone = model.fit(X[there], y[there], groups=patient[there])
    for one, other in ((last, same), (again, alone)):
        assert np.array_equal(one.decision_function(X), other.decision_function(X))


@each("name", METHODS)
def test_groups_that_fit_no_rows_are_refused(name):
    X, y, _ = small()
    with pytest.raises(DataError, match=r"groups has shape \(2,\), and there are 192"):
        METHODS[name]().fit(X, y, groups=[1, 2])


@each("name", FOLDING)
def test_two_patients_are_too_few_to_hold_one_out(name):
    X, y, patient = small(2)
    y = patient % 2
    model = fitted(FOLDING[name], X, y, groups=patient)
    assert set(model.predict(X)) <= {0, 1}


# ------------------------------------------------------------------ scikit-learn's way


@each("name", METHODS)
def test_groups_and_weights_can_be_requested(name):
    with config_context(enable_metadata_routing=True):
        asked = METHODS[name]().set_fit_request(groups=True, sample_weight=True)
        requests = asked.get_metadata_routing().fit.requests
    assert requests == {"groups": True, "sample_weight": True}


def test_groups_go_through_pipelines_and_searches(monkeypatch):
    X, y, patient = small()
    model = DAGClassifier(base_budget=0.5)
    wanted = model.fit(StandardScaler().fit_transform(X), y, groups=patient)
    with config_context(enable_metadata_routing=True):
        asked = DAGClassifier(base_budget=0.5).set_fit_request(groups=True)
        pipeline = make_pipeline(StandardScaler(), asked).fit(X, y, groups=patient)
        said = wanted.decision_function(StandardScaler().fit_transform(X))
        assert np.array_equal(pipeline.decision_function(X), said)
        wrappers = [
            GridSearchCV(asked, {"cost_weight": [0.01, 0.1]}, cv=GroupKFold(3)),
            TunedThresholdClassifierCV(asked, cv=GroupKFold(3)),
        ]
        for wrapper in wrappers:
            deals = []
            monkeypatch.setattr(
                dag_training,
                "deal_folds",
                lambda *asked, deals=deals, **how: (
                    deals.append(asked[3]) or deal_folds(*asked, **how)
                ),
            )
            wrapper.fit(X, y, groups=patient)
            assert len(deals) > 3
            assert all(groups is not None for groups in deals)
        with pytest.raises(UnsetMetadataPassedError):
            GridSearchCV(model, {"cost_weight": [0.1]}, cv=GroupKFold(3)).fit(
                X, y, groups=patient
            )


def test_an_encoder_in_a_pipeline_is_told_groups_and_weights():
    _, y, patient = patients()
    names = tuple(f"p{k}" for k in range(60))
    column = Column("who", "category", values=names, encoding="mean of the label")
    rows = np.array(names, dtype=object)[patient][:, None]
    with config_context(enable_metadata_routing=True):
        encoder = TableEncoder(TableSchema((column,))).set_fit_request(
            groups=True, sample_weight=True
        )
        tree = DecisionTreeClassifier().set_fit_request(sample_weight=False)
        told = {"groups": patient, "sample_weight": np.ones(len(y))}
        pipeline = make_pipeline(encoder, tree).fit(rows, y, **told)
    assert pipeline[-1].tree_.node_count == 1  # of other patients nothing is known


def test_a_frontier_tells_the_groups_of_its_data():
    X, y, patient = patients(6)
    prices = FeatureHypergraph.independent(np.ones(6))
    method = HypergraphCascadeClassifier(model=TREE)
    costs = []
    for roles in (None, RowRoles(group=patient)):
        data = Dataset("patients", X, y, prices, roles=roles)
        costs.append([p.cost["mean"] for p in trace_frontier(method, data)])
    assert max(costs[0]) > 0.5
    assert costs[1] == [0.0]
