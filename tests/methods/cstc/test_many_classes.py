"""CSTC of three classes: the same problem, with corners for signs, paid once."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import check_grad
from sklearn.linear_model import LogisticRegression

from solvers import FeatureHypergraph
from solvers.methods.cstc import CSTCClassifier
from solvers.methods.cstc.training import EPSILON, SingleObjective
from solvers.numerics.multinomial import class_corners
from tests.methods.cstc.test_classifier import objective


def three(depth, seed=0):
    """A small problem, and a point in it."""
    binary = objective(depth, seed)
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, len(binary.signs))
    problem = replace(binary, signs=class_corners(3)[labels])
    return problem, rng.standard_normal(problem.n_parameters)


# One feature to part rows by, and two threes that share a dear component each.
INCIDENCE = np.vstack([np.eye(7), np.zeros((2, 7))])
INCIDENCE[7, 1:4] = INCIDENCE[8, 4:] = 1.0
PRICES = FeatureHypergraph(INCIDENCE > 0, [1.0] * 7 + [10.0, 10.0])


@pytest.fixture(scope="module")
def regions():
    """The sign of x0 says whether x1 to x3 or x4 to x6 tell which class it is."""
    X = np.random.default_rng(0).standard_normal((1500, 7))
    return X, np.where(X[:, :1] > 0, X[:, 1:4], X[:, 4:]).argmax(axis=1)


def test_the_gradient_is_that_of_finite_differences():
    problem, z = three(3)
    error = check_grad(
        lambda z: problem.value_and_gradient(z, 0.3)[0],
        lambda z: problem.value_and_gradient(z, 0.3)[1],
        z,
    )
    assert error < 1e-5


def test_the_objective_is_the_expectation_over_ways():
    problem, z = three(2)
    weights, intercepts, thresholds = problem.unpack(z)
    (direction,) = problem.directions(z)
    assert np.linalg.norm(direction) == pytest.approx(1.0)
    needs, costs = problem.incidence.toarray(), problem.costs
    size = np.sqrt((weights**2).sum(axis=1))
    value = problem.rho * np.sum(np.sqrt(size**2 + EPSILON**2) - EPSILON)
    for x, corner, share in zip(problem.X, problem.signs, problem.shares, strict=True):
        route = direction @ weights[0] @ x - thresholds[0]
        up = 1.0 / (1.0 + np.exp(-problem.slope * route))
        errors = ((corner - weights @ x - intercepts) ** 2).sum(axis=1)
        value += share * (0.1 * errors[0] + up * errors[1] + (1 - up) * errors[2])
        for leaf, chance in ((1, up), (2, 1 - up)):
            loads = needs @ (size[0] ** 2 + size[leaf] ** 2)
            norms = np.sqrt(loads + EPSILON**2) - EPSILON
            value += share * chance * 0.3 * costs @ norms
    assert problem.value_and_gradient(z, 0.3)[0] == pytest.approx(value)


def test_one_node_is_the_same_from_its_gram_matrix():
    tree, _ = three(1)
    centred = replace(tree, X=tree.X - tree.shares @ tree.X)
    single = SingleObjective(centred)
    weights = np.random.default_rng(3).standard_normal((4, 2))
    z = centred.pack(weights.T, single.intercept, np.empty(0))
    value, gradient = centred.value_and_gradient(z, 0.3)
    found, slopes = single.value_and_gradient(weights.ravel(), 0.3)
    assert found == pytest.approx(value)
    assert slopes.reshape(4, 2).T.ravel() == pytest.approx(gradient[:8])
    assert gradient[8:] == pytest.approx(0.0)  # the intercepts are the best ones


def test_free_features_and_one_level_are_multinomial_regression(regions):
    X, y = regions
    free = FeatureHypergraph.independent(np.zeros(7))
    model = CSTCClassifier(free, cost_weight=0.0, depth=1, rho=0.0).fit(X, y)
    known = LogisticRegression(C=1e4).fit(X, y)
    assert np.mean(model.predict(X) == known.predict(X)) > 0.99


def test_rows_of_three_classes_are_routed_past_what_they_do_not_need(regions):
    X, y = regions
    tree, one = (CSTCClassifier(PRICES, depth=depth).fit(X, y) for depth in (3, 1))
    assert tree.score(X, y) > 0.93 > 0.7 > one.score(X, y)
    assert tree.prediction_cost(X).mean() < 0.6 * PRICES.total_cost


def test_the_way_of_a_row_is_its_label_and_its_price(regions):
    X, y = regions
    names = np.array(["dull", "mild", "sharp"])
    model = CSTCClassifier(PRICES).fit(X, names[y])
    said = model.decide(X[:40])
    for x, label, acquired in zip(X, said.labels, said.acquired, strict=False):
        node, used = 0, np.zeros(len(x), dtype=bool)
        while node < len(model.node_threshold_):
            used |= model.node_coef_[node] != 0
            above = model.node_coef_[node] @ x > model.node_threshold_[node]
            node = 2 * node + (1 if above else 2)
        leaf = node - len(model.node_threshold_)
        scores = model.leaf_coef_[leaf] @ x + model.leaf_intercept_[leaf]
        used |= (model.leaf_coef_[leaf] != 0).any(axis=0)
        assert label == names[np.argmax(scores)]
        assert np.array_equal(used, acquired)


def test_a_single_classifier_buys_nothing_from_the_largest_weight_on(regions):
    bought = [
        CSTCClassifier(PRICES, cost_weight=weight, depth=1).fit(*regions).leaf_support_
        for weight in (1.0, 0.8)
    ]
    assert [support.any() for support in bought] == [False, True]
