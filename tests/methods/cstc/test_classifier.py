"""CSTC minimises what it says, and routes rows past features they do not need."""

from dataclasses import replace

import cvxpy as cp
import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import check_grad

from solvers import (
    FeatureHypergraph,
    Frontier,
    evaluate,
    split_dataset,
    trace_frontier,
)
from solvers.datasets import make_regions
from solvers.errors import KnobError
from solvers.methods.cstc import CSTCClassifier
from solvers.methods.cstc.training import (
    EPSILON,
    SingleObjective,
    TreeObjective,
    TreeSettings,
    TreeShape,
    TreeTraining,
)
from solvers.methods.greedy_miser import GreedyMiserClassifier
from solvers.numerics.distinct_rows import DistinctRows
from tests.methods.tables import random_problem


def objective(depth, seed=0, rho=1e-2, internal_weight=0.1):
    X, y, hypergraph = random_problem(seed, n_features=4, n_samples=25)
    rng = np.random.default_rng(seed)
    return TreeObjective(
        (X - X.mean(0)) / X.std(0),
        y.astype(float),
        rng.dirichlet(np.ones(len(y))),
        sparse.csr_array(hypergraph.incidence, dtype=float),
        hypergraph.component_costs,
        TreeShape(depth),
        rho,
        4.0,
        internal_weight,
    )


# -------------------------------------------------------------------------- objective


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_gradient_is_that_of_finite_differences(depth):
    problem = objective(depth)
    z = np.random.default_rng(1).standard_normal(problem.n_parameters)
    error = check_grad(
        lambda z: problem.value_and_gradient(z, 0.3)[0],
        lambda z: problem.value_and_gradient(z, 0.3)[1],
        z,
    )
    assert error < 1e-5


def test_the_objective_is_the_expectation_over_ways():
    problem = objective(2)
    z = np.random.default_rng(2).standard_normal(problem.n_parameters)
    weights, intercepts, thresholds = problem.unpack(z)
    needs, costs = problem.incidence.toarray(), problem.costs
    value = problem.rho * np.sum(np.sqrt(weights**2 + EPSILON**2) - EPSILON)
    for x, sign, share in zip(problem.X, problem.signs, problem.shares, strict=True):
        up = 1.0 / (1.0 + np.exp(-problem.slope * (x @ weights[0] - thresholds[0])))
        errors = (sign - weights @ x - intercepts) ** 2
        value += share * (0.1 * errors[0] + up * errors[1] + (1 - up) * errors[2])
        for leaf, chance in ((1, up), (2, 1 - up)):
            loads = needs @ (weights[0] ** 2 + weights[leaf] ** 2)
            norms = np.sqrt(loads + EPSILON**2) - EPSILON
            value += share * chance * 0.3 * costs @ norms
    assert problem.value_and_gradient(z, 0.3)[0] == pytest.approx(value)


def test_one_node_is_the_same_from_its_gram_matrix():
    tree = objective(1)
    centred = replace(tree, X=tree.X - tree.shares @ tree.X)
    single = SingleObjective(centred)
    weights = np.random.default_rng(3).standard_normal(4)
    z = centred.pack(weights, np.array([single.intercept]), np.empty(0))
    value, gradient = centred.value_and_gradient(z, 0.3)
    found, slopes = single.value_and_gradient(weights, 0.3)
    assert found == pytest.approx(value)
    assert slopes == pytest.approx(gradient[:4])
    assert gradient[4] == pytest.approx(0.0)  # the intercept is the best one


@pytest.mark.parametrize("alpha", [0.02, 0.2])
def test_one_level_is_the_group_penalty(alpha):
    X, y, hypergraph = random_problem(3, n_features=5, n_samples=80)
    rows = DistinctRows.of(X, y.astype(float), np.ones(len(y)))
    training = TreeTraining(
        rows, hypergraph, TreeSettings(1, 1e-2, 4.0, 0.1, 0, 1000, 0)
    )
    solved = training.solve(alpha / training.alpha_max)
    table = (X - X.mean(0)) / X.std(0)
    w, b = cp.Variable(5), cp.Variable()
    groups = [
        cost * cp.norm(w[np.flatnonzero(needs)])
        for cost, needs in zip(
            hypergraph.component_costs, hypergraph.incidence.toarray(), strict=True
        )
        if needs.any()
    ]
    loss = cp.sum_squares(y - table @ w - b) / len(y)
    exact = cp.Problem(
        cp.Minimize(loss + 1e-2 * cp.norm1(w) + alpha * cp.sum(groups))
    ).solve()
    # Rounding the corners takes off at most epsilon for each of them.
    slack = EPSILON * (alpha * hypergraph.component_costs.sum() + 5e-2)
    assert exact - slack <= solved.objective <= exact + 1e-5


def test_a_single_classifier_buys_nothing_from_the_largest_weight_on():
    X, y, hypergraph = random_problem(5, n_features=6, n_samples=200)
    models = [
        CSTCClassifier(hypergraph, cost_weight=weight, depth=1).fit(X, y)
        for weight in (1.0, 0.8)
    ]
    assert [model.leaf_support_.any() for model in models] == [False, True]


# ----------------------------------------------------------------------------- method


@pytest.fixture(scope="module")
def regions():
    return make_regions()


@pytest.fixture(scope="module")
def fitted(regions):
    return CSTCClassifier(regions.hypergraph).fit(regions.X, regions.y)


def best_f1_at_half_the_cost(points, data):
    point = Frontier(points).best_within(0.5 * data.hypergraph.total_cost)
    return point.scores["test"]["f1"]


def test_where_regions_differ_half_the_cost_is_enough(regions):
    split = split_dataset(regions)
    refit = CSTCClassifier(regions.hypergraph).refitter(
        split.X("train"), split.y("train")
    )
    # Three weights of its path; the rest of it is slower and no better.
    points = [evaluate(refit(cost_weight=w), split) for w in (0.768, 0.658, 0.547)]
    assert best_f1_at_half_the_cost(points, regions) >= 0.93


@pytest.mark.parametrize(
    "method",
    [
        "acafh",
        "l1",
        "reweighted_l1",
        "forward_selection",
        GreedyMiserClassifier(n_estimators=80),
    ],
    ids=str,
)
def test_no_static_method_does_that(regions, method):
    points = trace_frontier(method, regions)
    assert best_f1_at_half_the_cost(points, regions) < 0.8


def test_rows_read_one_half_each(regions, fitted):
    acquired = fitted.acquired_features(regions.X)
    first, second = acquired[:, 1:11].any(axis=1), acquired[:, 11:].any(axis=1)
    assert np.mean(first & second) < 0.05
    assert np.mean(first == (regions.X[:, 0] > 0)) > 0.85


def test_a_row_is_charged_for_the_nodes_on_its_way(regions, fitted):
    rows = regions.X[:50]
    for x, acquired in zip(rows, fitted.acquired_features(rows), strict=True):
        node, used = 0, np.zeros(len(x), dtype=bool)
        while node < len(fitted.node_threshold_):
            used |= fitted.node_coef_[node] != 0
            above = fitted.node_coef_[node] @ x > fitted.node_threshold_[node]
            node = 2 * node + (1 if above else 2)
        used |= fitted.leaf_coef_[node - len(fitted.node_threshold_)] != 0
        assert np.array_equal(used, acquired)


def test_shares_of_leaves_are_those_of_training_rows(regions, fitted):
    node, n_gates = np.zeros(len(regions.X), dtype=int), len(fitted.node_threshold_)
    for gate, bound in enumerate(fitted.node_threshold_):
        here = node == gate
        node[here] = 2 * gate + 1 + (regions.X[here] @ fitted.node_coef_[gate] <= bound)
    leaves = node - n_gates
    shares = np.bincount(leaves, minlength=4) / len(leaves)
    assert fitted.leaf_share_ == pytest.approx(shares, abs=1e-3)


def test_the_unit_of_costs_changes_nothing():
    X, y, hypergraph = random_problem(7, n_features=5, n_samples=150)
    other = FeatureHypergraph(hypergraph.incidence, 1024 * hypergraph.component_costs)
    first = CSTCClassifier(hypergraph).fit(X, y)
    second = CSTCClassifier(other).fit(X, y)
    assert np.array_equal(first.leaf_support_, second.leaf_support_)
    assert np.allclose(first.decision_function(X), second.decision_function(X))


def test_a_model_of_the_path_is_what_its_parameters_train(regions):
    X, y = regions.X[:400], regions.y[:400]
    model = next(
        found
        for found in CSTCClassifier(regions.hypergraph, max_iter=60).path(X, y)
        if found.leaf_support_.any()
    )
    afresh = CSTCClassifier(**model.get_params(deep=False)).fit(X, y)
    assert np.array_equal(afresh.decision_function(X), model.decision_function(X))


def test_a_refitter_fits_what_fit_fits(regions):
    X, y = regions.X[:400], regions.y[:400]
    method = CSTCClassifier(regions.hypergraph, max_iter=60)
    refit = method.refitter(X, y)
    for params in ({"cost_weight": 0.2}, {"cost_weight": 0.2, "depth": 2}):
        afresh = CSTCClassifier(regions.hypergraph, max_iter=60, **params).fit(X, y)
        again = refit(**params).decision_function(X)
        assert np.array_equal(again, afresh.decision_function(X))


def test_another_seed_is_another_start(regions):
    X, y = regions.X[:1500], regions.y[:1500]
    values = [
        CSTCClassifier(regions.hypergraph, 0.2, max_iter=60, random_state=seed)
        .fit(X, y)
        .objective_
        for seed in range(3)
    ]
    assert len(set(values)) > 1


def test_free_features_are_used():
    X, y, _ = random_problem(2, n_features=3, n_samples=150)
    free = FeatureHypergraph.independent(np.zeros(3))
    assert CSTCClassifier(free, cost_weight=1.1).fit(X, y).leaf_support_.any()


def test_parameters_out_of_range_are_refused():
    X, y, _ = random_problem(0)
    with pytest.raises(KnobError, match="depth is 0; Levels of the tree lies"):
        CSTCClassifier(depth=0).fit(X, y)
    with pytest.raises(KnobError, match="cost_weight is -1; Cost weight lies"):
        CSTCClassifier(cost_weight=-1.0).path(X, y)
