"""Every breakpoint of the published path is an optimum."""

import cvxpy as cp
import numpy as np
import pytest

from solvers.numerics.svm_machines import solve_svms
from solvers.numerics.svm_optimum import primal_objective
from solvers.numerics.svm_path import margin_targets, solution_path
from tests.each import each
from tests.svm_cases import CASES

pytestmark = pytest.mark.kernels


def walk(X, y, C=1.0):
    return list(solution_path(X, y, np.full(len(y), float(C))))


def violation(X, y, caps, point):
    """The largest breach of the optimality conditions at a breakpoint."""
    rows = X[:, : point.n_features]
    pull = (point.alpha * y) @ rows
    pull[-1] = np.sign(pull[-1]) * max(abs(pull[-1]) - point.beta, 0.0)
    beyond = y * (rows @ point.coef + point.intercept) - margin_targets(len(y))
    scale = max(1.0, np.abs(pull).max())
    return max(
        np.abs(pull - point.coef).max() / scale,
        abs(point.alpha @ y) / caps.sum(),
        np.maximum(beyond, 0.0)[point.alpha > 1e-9 * caps].max(initial=0.0),
        np.maximum(-beyond, 0.0)[point.alpha < (1 - 1e-9) * caps].max(initial=0.0),
        np.maximum(-point.alpha, 0.0).max(),
        np.maximum(point.alpha - caps, 0.0).max(),
    )


@each("C", [0.01, 100.0])
@each("case", sorted(set(CASES) - {"of_different_scales"}))
def test_optimality_conditions_hold_at_every_breakpoint(case, C):
    X, y = CASES[case]
    caps = np.full(len(y), C)
    for point in walk(X, y, C):
        assert not point.followed or violation(X, y, caps, point) < 1e-9


@each("C", [0.01, 100.0])
@each("case", CASES)
def test_each_phase_ends_at_the_exact_machine(case, C):
    X, y = CASES[case]
    caps = np.full(len(y), C)
    ends = [point for point in walk(X, y, C) if point.beta == 0.0]
    assert [point.n_features for point in ends] == list(range(1, X.shape[1] + 1))
    for point in ends:
        rows = X[:, : point.n_features]
        exact = solve_svms(rows, y[np.newaxis], caps)
        best = primal_objective(rows, y, caps, exact.coef[0], exact.intercept[0])
        here = primal_objective(rows, y, caps, point.coef, point.intercept)
        assert here == pytest.approx(best, rel=1e-6)


def test_the_path_is_followed_to_its_end_on_noisy_data():
    assert all(point.followed for point in walk(*CASES["noisy"]))


@each("case", ["noisy", "three_against_57", "separable"])
def test_the_new_weight_grows_as_its_penalty_falls(case):
    X, y = CASES[case]
    points = walk(X, y)
    for n_features in range(2, X.shape[1] + 1):
        phase = [point for point in points if point.n_features == n_features]
        assert np.all(np.diff([point.beta for point in phase]) <= 0)
        assert np.all(np.diff([abs(point.coef[-1]) for point in phase]) >= -1e-9)


def test_halfway_the_penalised_problem_is_solved():
    X, y = CASES["noisy"]
    phase = [point for point in walk(X, y) if point.n_features == 3]
    middle = phase[len(phase) // 2]
    assert 0.0 < middle.beta < phase[0].beta
    coef, intercept = cp.Variable(3), cp.Variable()
    hinge = cp.pos(1 - cp.multiply(y, X[:, :3] @ coef + intercept))
    value = 0.5 * cp.sum_squares(coef) + cp.sum(hinge)
    best = cp.Problem(cp.Minimize(value + middle.beta * cp.abs(coef[2]))).solve(
        solver=cp.CLARABEL
    )
    rows, caps = X[:, :3], np.ones(len(y))
    here = primal_objective(rows, y, caps, middle.coef, middle.intercept)
    assert here + middle.beta * abs(middle.coef[2]) == pytest.approx(best, rel=1e-6)
    # The same under the paper's constraint |w_j| <= S.
    bound = [cp.abs(coef[2]) <= abs(middle.coef[2])]
    best = cp.Problem(cp.Minimize(value), bound).solve(solver=cp.CLARABEL)
    assert here == pytest.approx(best, rel=1e-6)


def test_two_points_by_hand():
    # w = ((1 + beta) / 2, (1 - beta) / 2): one segment from beta = 1.
    X, y = np.array([[-1.0, -1.0], [1.0, 1.0]]), np.array([-1.0, 1.0])
    first, start, *_, end = walk(X, y, 1.0)
    assert first.coef == pytest.approx([1.0])
    assert start.beta == pytest.approx(1.0)
    assert start.coef == pytest.approx([1.0, 0.0])
    assert end.coef == pytest.approx([0.5, 0.5])


def test_two_points_that_start_off_the_margin_by_hand():
    # C = .4: w = .8 alone; beta falls from .8, both meet the margin at .6.
    X, y = np.array([[-1.0, -1.0], [1.0, 1.0]]), np.array([-1.0, 1.0])
    points = walk(X, y, 0.4)
    assert points[0].coef == pytest.approx([0.8])
    assert points[1].beta == pytest.approx(0.8)
    assert min(abs(point.beta - 0.6) for point in points) < 1e-6
    assert points[-1].coef == pytest.approx([0.5, 0.5])


def test_constant_columns_change_nothing():
    X, y = CASES["noisy"]
    padded = np.insert(X, [1, 3], 1.0, axis=1)
    end, padded_end = walk(X, y)[-1], walk(padded, y)[-1]
    assert np.delete(padded_end.coef, [1, 4]) == pytest.approx(end.coef, abs=1e-6)
    assert padded_end.coef[[1, 4]] == pytest.approx([0.0, 0.0], abs=1e-9)


def test_rows_of_different_weight_are_followed():
    X, y = CASES["noisy"]
    caps = 1.0 + np.arange(len(y)) % 4
    for point in solution_path(X, y, caps):
        assert point.followed
        assert violation(X, y, caps, point) < 1e-9
