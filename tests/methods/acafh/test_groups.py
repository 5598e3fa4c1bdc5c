"""ACAFH of many classes: brute force over selections, and what a feature is paid."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression

from solvers import FeatureHypergraph
from solvers.errors import KnobError
from solvers.methods.acafh import ACAFHClassifier, ACAFHProblem, Lp
from solvers.methods.acafh.groups import eliminated_groups, promising_group_moves
from solvers.methods.acafh.penalties import Mcp, Scad, SharedPenalty
from solvers.numerics.group_newton import minimise_groups, refitted
from solvers.numerics.multinomial import class_corners, sizes
from solvers.numerics.prox_newton import Restriction
from tests.each import each

NEEDS = [[1, 1, 0, 0], [0, 0, 1, 1], [0, 1, 1, 0], [1, 0, 0, 1]]


def problem(seed, n_samples=90, n_classes=3, **options):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_samples, 4))
    true = rng.standard_normal((4, n_classes)) * rng.integers(0, 2, (4, 1))
    y = np.argmax(X @ true + rng.gumbel(size=(n_samples, n_classes)), axis=1)
    y[:n_classes] = np.arange(n_classes)
    prices = FeatureHypergraph(NEEDS, rng.uniform(0.3, 2.0, 4))
    corners = class_corners(n_classes)[y]
    found = ACAFHProblem(X, corners, np.ones(n_samples), prices, **options)
    return found, X, y, prices


def lowest(found, penalty):
    """The lowest objective that smooth descents find, on every support, from each."""
    loss, values = found.loss, []
    for support in product((False, True), repeat=4):
        index = np.flatnonzero(support)
        bare = refitted(loss, np.array(support))

        def value(flat, index=index):
            both = flat.reshape(-1, loss.n_outputs)
            weights = np.zeros((4, loss.n_outputs))
            weights[index] = both[:-1]
            lengths = sizes(weights)
            point = loss.at(loss.odds(index, both[:-1], both[-1]))
            slope = loss.gradient(point.slopes)[index]
            rise = penalty.slopes(lengths)[index] / np.maximum(lengths[index], 1e-12)
            slope = slope + rise[:, np.newaxis] * both[:-1]
            total = point.value + penalty.value(lengths)
            return total, np.vstack([slope, point.slopes.sum(axis=0)]).ravel()

        for shrunk in (1.0, 0.4):
            start = np.vstack([shrunk * bare.weights[index], bare.intercept])
            ended = minimize(value, start.ravel(), jac=True, method="L-BFGS-B")
            values.append(float(ended.fun))
    return min(values)


@each(("seed", "shape"), [(0, Lp(0.5)), (1, Mcp(3.0)), (2, Scad(3.7))])
def test_no_support_has_a_lower_objective(seed, shape):
    found = problem(seed)[0]
    for share in (0.4, 0.05):
        alpha = share * found.starts.null_alpha(shape)
        solution = found.solve(alpha, shape)
        penalty = SharedPenalty(alpha, shape, found.sharing)
        assert solution.objective <= lowest(found, penalty) + 1e-6
        assert solution.objective <= found.starts.null_fit.loss + 1e-12


@each("seed", range(2))
def test_within_a_budget_no_selection_fits_better(seed):
    found, _, _, prices = problem(seed, n_classes=4)
    supports = [np.array(s) for s in product((False, True), repeat=4)]
    costs = np.array([prices.cost(support) for support in supports])
    losses = np.array([refitted(found.loss, support).loss for support in supports])
    for budget in np.quantile(costs, [0.1, 0.4, 0.6, 0.9]):
        solution = found.within(float(budget))
        assert prices.cost(solution.support) <= budget + 1e-12
        assert solution.fit.loss <= losses[costs <= budget].min() + 1e-6


def test_of_two_classes_the_groups_are_the_problem_as_it_was():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((120, 4))
    y = (X @ [2.0, 1.0, 0.0, 0.5] + rng.standard_normal(120) > 0).astype(int)
    prices, ones = FeatureHypergraph(NEEDS, [1.0, 0.5, 0.7, 0.2]), np.ones(120)
    known = ACAFHProblem(X, 2.0 * y - 1.0, ones, prices)
    groups = ACAFHProblem(X, class_corners(2)[y], ones, prices)
    for share in (0.5, 0.1, 0.02):
        alpha = share * known.starts.null_alpha(Lp(0.5))
        one, other = known.solve(alpha), groups.solve(alpha)
        assert other.objective == pytest.approx(one.objective, abs=1e-7)
        assert np.array_equal(one.support, other.support)
    one, other = known.within(1.5), groups.within(1.5)
    assert one.fit.loss == pytest.approx(other.fit.loss, abs=1e-6)


def test_at_no_price_it_is_scikit_learn_s_multinomial_regression():
    _, X, y, prices = problem(5)
    model = ACAFHClassifier(prices, alpha=0.0).fit(X, y)
    exact = LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000).fit(X, y)
    shares = exact.predict_proba(X)
    assert model.predict_proba(X) == pytest.approx(shares, abs=1e-3)


def test_what_features_of_any_class_share_is_paid_once():
    """Two features share the dear component; each tells another class apart."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 3))
    y = np.where(X[:, 0] > 0.7, 2, np.where(X[:, 1] > 0.4, 1, 0))
    shared = FeatureHypergraph([[1, 1, 0], [0, 0, 1]], [3.0, 2.0])
    costs = {}
    for model in ACAFHClassifier(shared, n_alphas=12).path(X, y):
        assert (model.coef_ != 0).all(axis=0).tolist() == model.support_.tolist()
        assert model.cost_ == shared.cost(model.support_)
        costs[model.cost_] = model.support_.tolist()
    assert costs[3.0] == [True, True, False]


def test_what_is_eliminated_first_costs_most_for_what_it_tells():
    found = problem(2)[0]
    dense = minimise_groups(found.loss, Restriction(np.ones(4, bool)), tol=1e-9)
    steps = list(eliminated_groups(found.loss, dense, np.arange(4), found.sharing))
    n_used = [int(step[:-1].any(axis=1).sum()) for step in steps]
    assert n_used == [4, 3, 2, 1, 0]
    assert steps[0][:-1] == pytest.approx(dense.weights)
    # One Newton step from the fit to the best without the dropped one, about.
    gone = ~steps[1][:-1].any(axis=1)
    best = refitted(found.loss, ~gone)
    odds = found.loss.odds(np.arange(4), steps[1][:-1], steps[1][-1])
    assert found.loss.value(odds) == pytest.approx(best.loss, abs=0.02)


def test_a_move_adds_what_tells_much_and_drops_what_tells_nothing():
    found, _, _, _ = problem(0)
    penalty = SharedPenalty(1e-3, Lp(0.5), found.sharing)
    everything = refitted(found.loss, np.ones(4, bool))
    moved = promising_group_moves(found.loss, penalty, everything, 2, 1e-9)
    assert all(sizes(weights).min() == 0.0 for weights in moved)
    nothing = found.starts.null_fit
    moved = promising_group_moves(found.loss, penalty, nothing, 2, 1e-9)
    pulls = sizes(found.loss.gradient(found.loss.at(nothing.odds).slopes))
    assert sizes(moved[0])[np.argmax(pulls)] > 0.0


def test_the_published_algorithm_takes_two_classes():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(KnobError, match="published for two classes"):
        ACAFHClassifier(algorithm="admm").fit(X, y)
