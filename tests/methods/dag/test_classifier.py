"""DAG weighs errors against costs on every way, and stops where that is best."""

from itertools import product

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from solvers import FeatureHypergraph
from solvers.datasets import make_regions
from solvers.errors import DataError, HypergraphError, KnobError
from solvers.methods.dag import DAGClassifier
from solvers.methods.dag.filter_tree import FilterTree
from solvers.methods.dag.policy import action_costs, gate_inputs, train_policy
from solvers.methods.dag.scores import StateScores, deal_folds, train_state
from solvers.methods.dag.states import (
    chain,
    greedy_order,
    increments_by_cover,
    lattice,
    prefix_within,
)
from solvers.numerics.distinct_rows import DistinctRows
from tests.methods.tables import random_problem

# Features 0 and 1 share a component of 3.
PRICES = FeatureHypergraph(
    [[1, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [3.0, 1.0, 0.5, 2.0]
)
FIRST, SECOND, THIRD = np.eye(3, dtype=bool)
NOTHING = np.zeros(3, dtype=bool)


# ----------------------------------------------------------------------------- states


def test_a_chain_adds_group_after_group():
    graph = chain([FIRST, SECOND, SECOND, THIRD], PRICES)
    assert graph.supports.tolist() == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]
    assert graph.children == ((1,), (2,), ())
    assert graph.costs.tolist() == [4.0, 4.5, 6.5]


def test_a_lattice_has_a_state_for_every_union():
    graph = lattice([NOTHING, FIRST, SECOND, THIRD], PRICES)
    assert graph.n_states == 8
    assert graph.costs.tolist() == [0.0, 4.0, 3.5, 4.5, 2.0, 6.0, 5.5, 6.5]
    for state, children in enumerate(graph.children):
        for child in children:
            assert child > state
            assert (graph.supports[state] <= graph.supports[child]).all()
            assert (graph.supports[state] ^ graph.supports[child]).sum() == 1


def test_a_prefix_is_the_longest_within_the_budget():
    order = np.array([0, 1, 2])
    found = [prefix_within(order, PRICES, budget).sum() for budget in (3.9, 4, 4.5, 7)]
    assert found == [0, 1, 2, 3]


def test_an_order_takes_what_is_paid_first():
    X, y, _ = random_problem(0, n_features=3, n_samples=200)
    rows = DistinctRows.of(X, y.astype(float), np.ones(len(y)))
    for feature in range(3):
        paid = PRICES.required_components([feature])
        assert greedy_order(rows, PRICES, paid)[0] == feature


def test_increments_are_for_rows_that_are_not_covered():
    data = make_regions(n_samples=1500)
    rows = DistinctRows.of(data.X, data.y.astype(float), np.ones(1500))
    start = data.hypergraph.feature_mask([f"a{j}" for j in range(10)])
    found = increments_by_cover(rows, data.hypergraph, start, 1, 16.0)
    assert found[0][11:].sum() > 5  # the other half
    assert not (found[0] & start).any()


# ------------------------------------------------------------------------ filter tree


@pytest.mark.parametrize("n_actions", [2, 3, 4])
def test_a_tournament_finds_the_cheapest_action_where_it_can_be_seen(n_actions):
    rng = np.random.default_rng(0)
    best = rng.integers(0, n_actions, 300)
    costs = 1.0 + rng.random((300, n_actions))
    costs[np.arange(300), best] = 0.0
    seen = np.eye(n_actions)[best]
    tree = FilterTree.fit(seen, costs, np.full(300, 1 / 300))
    assert np.array_equal(tree.choose(seen), best)


def test_a_gate_that_sees_nothing_takes_the_best_constant():
    costs = np.array([[1.0, 0.2, 0.5], [0.0, 0.3, 0.5]])
    tree = FilterTree.fit(np.zeros((2, 1)), costs, np.array([0.5, 0.5]))
    assert tree.choose(np.zeros((3, 1))).tolist() == [1, 1, 1]


def test_a_gate_is_never_worse_than_the_best_constant():
    rng = np.random.default_rng(1)
    for _ in range(20):
        inputs, costs = rng.standard_normal((12, 2)), rng.exponential(1.0, (12, 3))
        shares = rng.dirichlet(np.ones(12))
        tree = FilterTree.fit(inputs, costs, shares)
        paid = shares @ costs[np.arange(12), tree.choose(inputs)]
        assert paid <= (shares @ costs).min() + 1e-12


# ----------------------------------------------------------------------------- policy


def small_world(seed, make):
    rng = np.random.default_rng(seed)
    X, signs = rng.standard_normal((10, 3)), np.resize([1.0, -1.0], 10)
    rows = DistinctRows.of(X, signs, rng.uniform(0.5, 2.0, 10))
    graph = make([NOTHING, FIRST, SECOND, THIRD], PRICES)
    scores = [StateScores(None, rng.standard_normal(10)) for _ in range(graph.n_states)]
    return graph, scores, rows


@pytest.mark.parametrize("make", [chain, lattice])
@pytest.mark.parametrize("seed", range(5))
def test_costs_of_actions_are_those_of_the_ways_that_follow(make, seed):
    graph, scores, rows = small_world(seed, make)
    alpha = 0.05
    gates = train_policy(graph, scores, rows, alpha)

    def stops_at(row, state):
        known = rows.X[row : row + 1, graph.supports[state]]
        inputs = gate_inputs(known, scores[state].held_out[row : row + 1])
        action = gates[state].choose(inputs)[0]
        return state if not action else stops_at(row, graph.children[state][action - 1])

    def risk(row, start, state):
        wrong = (scores[state].held_out[row] > 0) != (rows.signs[row] > 0)
        return wrong + alpha * (graph.costs[state] - graph.costs[start])

    for state, row in product(range(graph.n_states), range(rows.n_rows)):
        values = {
            child: np.array([risk(i, child, stops_at(i, child)) for i in range(10)])
            for child in graph.children[state]
        }
        errors = np.array([risk(i, state, state) for i in range(10)])
        found = action_costs(graph, state, errors, values, alpha)[row]
        ways = [state, *(stops_at(row, child) for child in graph.children[state])]
        assert found == pytest.approx([risk(row, state, end) for end in ways])


@pytest.mark.parametrize("make", [chain, lattice])
def test_the_policy_is_as_good_as_the_best_way_for_everybody(make):
    for seed in range(5):
        graph, scores, rows = small_world(seed, make)
        gates = train_policy(graph, scores, rows, 0.05)
        at = np.zeros(10, dtype=int)
        for state in range(graph.n_states):
            here = np.flatnonzero(at == state)
            known = rows.X[np.ix_(here, np.flatnonzero(graph.supports[state]))]
            chosen = gates[state].choose(
                gate_inputs(known, scores[state].held_out[here])
            )
            at[here] = np.array([state, *graph.children[state]])[chosen]
        held_out = np.array([score.held_out for score in scores])
        risks = ((held_out > 0) != (rows.signs > 0)) + 0.05 * graph.costs[:, None]
        ours = rows.shares @ risks[at, np.arange(10)]
        assert ours <= (risks @ rows.shares).min() + 1e-12


def test_each_row_is_scored_by_what_it_did_not_train():
    X, y, _ = random_problem(3, n_samples=60)
    rows = DistinctRows.of(X, y.astype(float), np.ones(60))
    folds = deal_folds(rows.signs, 5, 0)
    known = train_state(rows, np.ones(4, dtype=bool), folds, None).held_out
    row = 7
    signs = rows.signs.copy()
    signs[row] *= -1
    flipped = DistinctRows(rows.X, signs, rows.shares)
    other = train_state(flipped, np.ones(4, dtype=bool), folds, None).held_out
    mates = folds == folds[row]
    assert other[mates] == pytest.approx(known[mates], abs=1e-6)
    assert np.abs(other - known)[~mates].max() > 1e-3


def test_folds_hold_as_many_rows_of_each_label():
    signs = np.resize([1.0, 1.0, -1.0], 60)
    folds = deal_folds(signs, 5, 0)
    assert np.bincount(folds[signs > 0]).tolist() == [8] * 5
    assert np.bincount(folds[signs < 0]).tolist() == [4] * 5


def test_two_distinct_rows_are_enough():
    X = np.repeat([[0.0, 1.0], [1.0, 1.0]], 20, axis=0)
    y = np.repeat(["no", "yes"], 20)
    model = DAGClassifier(base_budget=0.5, cost_weight=0.1).fit(X, y)
    assert model.predict(X).tolist() == y.tolist()


# ----------------------------------------------------------------------------- method


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
