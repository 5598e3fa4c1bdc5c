"""LightGBM with costs pays what its trees ask for, and says when it cannot."""

import subprocess
import sys

import lightgbm
import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.utils.estimator_checks import check_estimator

from solvers import FeatureHypergraph, all_methods
from solvers.methods.cegb import CEGBClassifier
from tests.each import each
from tests.methods.tables import distinct, random_problem

CHARGES = ("shared", "coupled", "lazy")


@each("charge", CHARGES[1:])
def test_scikit_learn_contract_of_other_charges(charge):
    check_estimator(CEGBClassifier(charge=charge, n_estimators=20), on_skip=None)


@pytest.fixture(scope="module")
def problem():
    return random_problem(0, n_features=8, n_samples=300)


@each("charge", CHARGES)
def test_recovered_cost_is_that_of_a_walk_through_the_trees(problem, charge):
    X, y, hypergraph = problem
    model = CEGBClassifier(hypergraph, alpha=2e-3, charge=charge, n_estimators=12)
    model.fit(X, y)
    booster = _booster_of(model, X, y)
    frame = booster.trees_to_dataframe()
    parents = frame.set_index("node_index")["parent_index"]
    asks = frame.set_index("node_index")["split_feature"]
    known = {*frame["node_index"]}
    walked = np.zeros(X.shape, dtype=bool)
    for row, leaves in enumerate(booster.predict(X, pred_leaf=True)):
        for number, leaf in enumerate(leaves):
            name = f"{number}-L{leaf}"  # a tree of one leaf has no number of it
            node = parents[name if name in known else f"{number}-S0"]
            while isinstance(node, str):
                walked[row, int(asks[node].removeprefix("Column_"))] = True
                node = parents[node]
    if charge != "lazy":
        everywhere = asks.dropna().str.removeprefix("Column_").astype(int).unique()
        walked[:] = np.isin(np.arange(X.shape[1]), everywhere)
    expected = [hypergraph.cost(row) for row in walked]
    assert model.prediction_cost(X) == pytest.approx(expected)
    assert len(np.unique(expected)) > 1 or charge != "lazy"
    odds = booster.predict(X, raw_score=True)
    assert model.decision_function(X) == pytest.approx(odds, abs=1e-12)


def _booster_of(model, X, y):
    """LightGBM driven by hand with the prices that the docstring names."""
    rows, signs, weights = distinct(X, y)
    options = model._options()
    dataset = lightgbm.Dataset(rows, signs > 0, weight=weights, params=options)
    hypergraph, worth = model.hypergraph, 2.0 * model.alpha
    additive = np.asarray(hypergraph.marginal_costs())
    key = {"lazy": "cegb_penalty_feature_lazy"}.get(
        model.charge, "cegb_penalty_feature_coupled"
    )
    scale = worth if model.charge == "lazy" else worth * len(rows)
    booster = lightgbm.Booster({**options, key: list(scale * additive)}, dataset)
    for _ in range(model.n_estimators):
        if booster.update():
            break
        if model.charge == "shared":
            used = booster.feature_importance("split") > 0
            computed = hypergraph.required_components(used)
            prices = scale * hypergraph.marginal_costs(computed)
            booster.reset_parameter({key: list(prices)})
    return booster


@each("charge", CHARGES)
def test_no_feature_is_bought_where_cost_weighs_most(problem, charge):
    X, y, hypergraph = problem
    model = CEGBClassifier(hypergraph, alpha=1e3, charge=charge).fit(X, y)
    assert not model.support_.any()
    assert model.decision_function(X) == pytest.approx(
        np.log(np.mean(y > 0) / np.mean(y < 0))
    )


def test_sharing_makes_the_second_feature_free():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((500, 3))
    y = X @ [2.0, 1.0, 1.0] + 0.3 * rng.standard_normal(500) > 0
    shared = FeatureHypergraph([[1, 1, 0], [0, 0, 1]], [4.0, 4.0])
    bought = {
        charge: CEGBClassifier(shared, alpha=0.03, charge=charge).fit(X, y).support_
        for charge in ("shared", "coupled")
    }
    assert bought["shared"].tolist() == [True, True, False]
    assert bought["coupled"].sum() < 2


def test_without_lightgbm_the_menu_says_in_a_sentence_what_is_missing():
    script = """
import sys
sys.modules["lightgbm"] = None
import solvers
from solvers.methods import unavailable_methods
assert "cegb" not in solvers.all_methods()
assert "pip install 'thriftscope[boost]'" in unavailable_methods()["cegb"]
try:
    solvers.trace_frontier("cegb", None)
except solvers.ThriftscopeError as error:
    assert str(error) == unavailable_methods()["cegb"]
else:
    sys.exit("the trace was not refused")
from solvers.methods.cegb import CEGBClassifier
try:
    CEGBClassifier().fit([[0.0], [1.0]], [0, 1])
except solvers.ThriftscopeError as error:
    assert "CEGBClassifier needs lightgbm, which cannot" in str(error)
else:
    sys.exit("the fit was not refused")
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_all_charges_are_on_the_menu():
    assert all_methods()["cegb"].knobs["charge"].options == CHARGES


def test_the_path_begins_with_the_model_that_buys_nothing(problem):
    X, y, hypergraph = problem
    models = list(CEGBClassifier(hypergraph).path(X, y))
    assert not models[0].support_.any()
    assert models[-1].support_.any()
    assert models[-1].alpha == 0


def test_the_first_model_does_not_wait_for_the_others(problem, monkeypatch):
    X, y, prices = problem
    grown, boosted = [], CEGBClassifier._boosted

    def counted(self, table, alpha):
        grown.append(alpha)
        return boosted(self, table, alpha)

    monkeypatch.setattr(CEGBClassifier, "_boosted", counted)
    next(CEGBClassifier(prices).path(X, y))
    assert len(grown) == 1


def test_a_model_that_buys_nothing_asks_lightgbm_for_one_column(problem, monkeypatch):
    X, y, prices = problem
    widths, dataset = [], lightgbm.Dataset

    def seen(table, *args, **options):
        widths.append(table.shape[1])
        return dataset(table, *args, **options)

    monkeypatch.setattr(lightgbm, "Dataset", seen)
    model = next(CEGBClassifier(prices).path(X, y))
    assert widths == [1]
    whole = _booster_of(model, X, y)  # on all columns: the same number, bit by bit
    assert np.array_equal(model.decision_function(X), whole.predict(X, raw_score=True))


def test_features_that_cost_nothing_are_used_from_the_beginning():
    X, y, _ = random_problem(1, n_features=3, n_samples=200)
    free = FeatureHypergraph.independent([0.0, 0.0, 0.0])
    models = list(CEGBClassifier(free).path(X, y))
    assert all(model.support_.any() for model in models)


@each(("charge", "unit"), [("shared", 1.0), ("coupled", 1e-3), ("lazy", 1e3)])
def test_lightgbm_with_costs_sells_something_for_every_purse(charge, unit):
    # 64 columns of like worth: at a few fixed trade-offs all or none are bought.
    rng = np.random.default_rng(0)
    X = rng.integers(0, 17, (400, 64)).astype(float)
    y = X @ rng.uniform(0.5, 1.0, 64) > np.median(X @ np.ones(64)) * 0.75
    prices = FeatureHypergraph.independent(unit * rng.uniform(0.8, 1.2, 64))
    costs = [
        float(model.prediction_cost(X).mean()) / prices.total_cost
        for model in CEGBClassifier(prices, charge=charge, n_estimators=40).path(X, y)
    ]
    assert min(costs) == 0
    assert any(0.0 < cost <= 0.1 for cost in costs)
    assert any(0.1 < cost <= 0.3 for cost in costs)
    assert any(0.3 < cost <= 0.6 for cost in costs)


def test_of_three_classes_it_is_lightgbm_at_price_zero_and_cheaper_at_others():
    X, y = load_wine(return_X_y=True)
    known = {"n_estimators": 15, "learning_rate": 0.1}
    own = lightgbm.LGBMClassifier(
        **known, num_leaves=8, min_data_in_bin=1, verbosity=-1, n_jobs=1
    ).fit(X, y)
    costs = []
    for charge in CHARGES:
        free = CEGBClassifier(alpha=0.0, charge=charge, **known).fit(X, y)
        assert free.predict_proba(X) == pytest.approx(own.predict_proba(X))
        priced = CEGBClassifier(alpha=0.02, charge=charge, **known).fit(X, y)
        costs.append((priced.prediction_cost(X).mean(), free.prediction_cost(X).mean()))
        assert (priced.predict(X) == y).mean() > 0.9
    assert all(priced < free for priced, free in costs)
