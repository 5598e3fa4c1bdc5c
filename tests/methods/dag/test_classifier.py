"""DAG weighs errors against costs on every way, and stops where that is best."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from solvers import FeatureHypergraph
from solvers.datasets import make_regions
from solvers.errors import DataError, HypergraphError, KnobError
from solvers.methods.dag import DAGClassifier
from tests.methods.tables import random_problem


@pytest.fixture(scope="module")
def problem():
    return random_problem(1, n_features=6, n_samples=300)


def test_a_dear_world_stops_at_once_and_a_free_one_goes_on(problem):
    X, y, hypergraph = problem
    costs = [
        DAGClassifier(hypergraph, weight, base_budget=0.3).fit(X, y).prediction_cost(X)
        for weight in (100.0, 0.0)
    ]
    assert np.all(costs[0] == costs[0][0])
    assert costs[1].mean() > costs[0].mean()


def test_the_first_state_stays_within_its_budget(problem):
    X, y, hypergraph = problem
    for budget in (0.0, 0.3, 0.6):
        model = DAGClassifier(hypergraph, base_budget=budget).fit(X, y)
        assert model.state_costs_[0] <= budget * hypergraph.total_cost


def test_rows_stop_at_different_states(problem):
    X, y, hypergraph = problem
    model = DAGClassifier(hypergraph, cost_weight=0.3, base_budget=0.3).fit(X, y)
    assert len(np.unique(model.prediction_cost(X))) > 1


@pytest.mark.parametrize("base", [GaussianNB(), LinearSVC()], ids=str)
def test_any_classifier_of_scikit_learn_may_decide(problem, base):
    X, y, hypergraph = problem
    model = DAGClassifier(hypergraph, cost_weight=0.1, base=base).fit(X, y)
    assert model.score(X, y) > 0.65
    assert type(model.state_models_[-1]) is type(base)


def test_what_is_no_classifier_is_refused(problem):
    X, y, _ = problem
    with pytest.raises(DataError, match="base is 'svm'; give a scikit-learn classif"):
        DAGClassifier(base="svm").fit(X, y)


@pytest.mark.parametrize("structure", ["chain", "lattice"])
def test_given_groups_are_the_states(problem, structure):
    X, y, hypergraph = problem
    model = DAGClassifier(
        hypergraph, structure=structure, groups=[["x0"], [3, 4], [5]]
    ).fit(X, y)
    assert model.state_supports_[0].tolist() == [True] + [False] * 5
    assert len(model.state_costs_) == (3 if structure == "chain" else 4)
    assert model.state_supports_[-1].tolist() == [1, 0, 0, 1, 1, 1]


def test_with_given_groups_a_gate_can_route():
    data = make_regions(n_samples=3000)
    a, b = ([f"{half}{j}" for j in range(10)] for half in "ab")
    model = DAGClassifier(
        data.hypergraph, structure="lattice", groups=[["gate"], a, b]
    ).fit(data.X[:2000], data.y[:2000])
    new = data.X[2000:]
    assert model.score(new, data.y[2000:]) > 0.9
    assert model.prediction_cost(new).mean() < 0.55 * data.hypergraph.total_cost


def test_groups_are_checked_before_the_first_model(problem):
    X, y, hypergraph = problem
    with pytest.raises(DataError, match="groups is empty"):
        DAGClassifier(hypergraph, groups=[]).path(X, y)
    with pytest.raises(HypergraphError, match="There is no feature 'z'"):
        DAGClassifier(hypergraph, groups=[["z"]]).path(X, y)


def test_a_lattice_of_many_groups_is_refused(problem):
    X, y, hypergraph = problem
    with pytest.raises(KnobError, match="n_increments is 6; a lattice has a state"):
        DAGClassifier(hypergraph, structure="lattice", n_increments=6).path(X, y)


def test_the_path_trains_states_once_for_all_weights(problem):
    X, y, hypergraph = problem
    models = list(DAGClassifier(hypergraph).path(X, y))
    assert len(models) == 49
    assert models[0].state_models_[0] is models[6].state_models_[0]
    for model in (models[0], models[24], models[-1]):
        afresh = DAGClassifier(**model.get_params(deep=False)).fit(X, y)
        assert np.array_equal(afresh.decision_function(X), model.decision_function(X))


def test_a_refitter_fits_what_fit_fits(problem):
    X, y, hypergraph = problem
    refit = DAGClassifier(hypergraph).refitter(X, y)
    for params in ({"cost_weight": 1.0}, {"cost_weight": 1.0, "base_budget": 0.3}):
        afresh = DAGClassifier(hypergraph, **params).fit(X, y)
        again = refit(**params).decision_function(X)
        assert np.array_equal(again, afresh.decision_function(X))


def test_the_unit_of_costs_changes_nothing(problem):
    X, y, hypergraph = problem
    other = FeatureHypergraph(hypergraph.incidence, 1000 * hypergraph.component_costs)
    first, second = (DAGClassifier(h).fit(X, y) for h in (hypergraph, other))
    assert np.array_equal(first.acquired_features(X), second.acquired_features(X))


def test_permuting_features_permutes_the_states(problem):
    X, y, hypergraph = problem
    order = np.random.default_rng(0).permutation(6)
    other = FeatureHypergraph(
        hypergraph.incidence.toarray()[:, order], hypergraph.component_costs
    )
    first = DAGClassifier(hypergraph).fit(X, y)
    second = DAGClassifier(other).fit(X[:, order], y)
    assert np.array_equal(first.state_supports_[:, order], second.state_supports_)
