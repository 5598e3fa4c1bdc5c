"""The machines are exact, whatever the shape of the table."""

import tracemalloc

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.numerics.svm_machines import active_set_dual, solve_prefixes, solve_svms
from solvers.numerics.svm_optimum import (
    best_intercept,
    dual_objective,
    primal_objective,
)
from tests.each import each
from tests.svm_cases import CASES, noisy


def solve(X, y, C=1.0):
    """Weights, intercept and objective of one problem."""
    caps = np.broadcast_to(np.asarray(C, dtype=float), y.shape)
    solved = solve_svms(X, y[np.newaxis], caps)
    coef, intercept = solved.coef[0], float(solved.intercept[0])
    return coef, intercept, primal_objective(X, y, caps, coef, intercept)


def optimum(X, y, C):
    coef, intercept = cp.Variable(X.shape[1]), cp.Variable()
    hinge = cp.pos(1 - cp.multiply(y, X @ coef + intercept))
    objective = cp.Minimize(0.5 * cp.sum_squares(coef) + C * cp.sum(hinge))
    return cp.Problem(objective).solve(solver=cp.CLARABEL)


@each("C", [0.01, 1.0, 100.0])
@each("case", CASES)
def test_duality_gap_is_below_1e_8(case, C):
    X, y = CASES[case]
    for n_features in range(1, X.shape[1] + 1):
        solved = solve_svms(X[:, :n_features], y[np.newaxis], np.full(len(y), C))
        assert solved.gap[0] <= 1e-8


@each("C", [0.01, 1.0, 100.0])
@each("case", sorted(set(CASES) - {"of_different_scales"}))
def test_objective_is_that_of_a_generic_convex_solver(case, C):
    X, y = CASES[case]
    assert solve(X, y, C)[2] == pytest.approx(optimum(X, y, C), rel=1e-6)


def test_two_points_by_hand():
    X, y = np.array([[-1.0], [1.0]]), np.array([-1.0, 1.0])
    assert solve(X, y, 1.0)[:2] == (pytest.approx([1.0]), pytest.approx(0.0))
    # alpha = C = 1/4 on both: w = 1/2, and any b in [-1/2, 1/2]; the middle is given.
    assert solve(X, y, 0.25)[:2] == (pytest.approx([0.5]), pytest.approx(0.0))


def test_two_features_share_the_weight_by_hand():
    X, y = np.array([[-1.0, -1.0], [1.0, 1.0]]), np.array([-1.0, 1.0])
    assert solve(X, y, 1.0)[0] == pytest.approx([0.5, 0.5])
    assert solve(X, y, 0.4)[0] == pytest.approx([0.5, 0.5])
    assert solve(X[:, :1], y, 0.4)[0] == pytest.approx([0.8])


def test_the_dual_point_keeps_its_constraints():
    X, y = CASES["noisy"]
    dual = solve_svms(X, y[np.newaxis], np.full(len(y), 0.7)).dual[0]
    assert abs(dual.sum()) < 1e-12
    assert np.all((dual * y >= 0) & (dual * y <= 0.7))


def test_a_weight_of_two_is_a_row_written_twice():
    X, y = CASES["noisy"]
    times = np.arange(len(y)) % 3 + 1
    weighed = solve(X, y, times.astype(float))
    written = solve(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert weighed[0] == pytest.approx(written[0], rel=1e-9, abs=1e-12)
    assert weighed[1] == pytest.approx(written[1], rel=1e-9, abs=1e-12)


def test_flipped_labels_flip_the_machine():
    X, y = CASES["three_against_57"]
    coef, intercept, _ = solve(X, y)
    flipped = solve(X, -y)
    assert flipped[0] == pytest.approx(-coef, abs=1e-10)
    assert flipped[1] == pytest.approx(-intercept, abs=1e-10)


def test_the_order_of_rows_and_columns_does_not_matter():
    X, y = CASES["noisy"]
    coef, intercept, _ = solve(X, y)
    shuffled = solve(X[::-1, ::-1], y[::-1])
    assert shuffled[0] == pytest.approx(coef[::-1], abs=1e-10)
    assert shuffled[1] == pytest.approx(intercept, abs=1e-10)


def test_memory_does_not_grow_with_the_square_of_the_rows_on_the_margin():
    X = np.random.default_rng(0).standard_normal((4000, 3))
    y = np.where(np.arange(4000) < 40, 1.0, -1.0)
    tracemalloc.start()
    solved = solve_svms(X, y[np.newaxis], np.full(4000, 0.01))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert solved.gap[0] <= 1e-8
    assert peak < 8 * 4000 * 400  # bytes; rows by rows would be ten times that


def test_a_shift_of_the_features_moves_the_intercept_alone():
    X, y = CASES["noisy"]
    coef, intercept, _ = solve(X, y)
    shifted = solve(X + 100.0, y)
    assert shifted[0] == pytest.approx(coef, abs=1e-8)
    assert shifted[1] == pytest.approx(intercept - 100.0 * coef.sum(), abs=1e-6)


def test_problems_in_a_batch_do_not_touch_each_other():
    X, y = CASES["noisy"]
    signs = np.stack([y, np.where(X[:, 0] > 1, 1.0, -1.0), -y])
    together = solve_svms(X, signs, np.ones(len(y)))
    for k in range(3):
        assert together.coef[k] == pytest.approx(solve(X, signs[k])[0], abs=1e-10)


@given(st.integers(2, 12), st.integers(1, 3), st.integers(0, 10_000))
@settings(max_examples=30)
def test_no_dual_value_exceeds_the_objective(n_samples, n_features, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, (n_samples, n_features)).astype(float)
    y = np.where(np.arange(n_samples) % 2 == 0, 1.0, -1.0)
    caps = rng.integers(1, 4, n_samples).astype(float)
    solved = solve_svms(X, y[np.newaxis], caps)
    value = primal_objective(X, y, caps, solved.coef[0], solved.intercept[0])
    lower = dual_objective(X, y, solved.dual[0])
    assert lower <= value * (1 + 1e-12)
    assert value - lower <= 1e-8 * value


@given(st.integers(2, 9), st.integers(0, 10_000))
@settings(max_examples=30)
def test_no_intercept_is_better_and_the_middle_is_given(n_samples, seed):
    rng = np.random.default_rng(seed)
    scores = rng.integers(-3, 4, n_samples).astype(float)
    signs = np.where(np.arange(n_samples) % 2 == 0, 1.0, -1.0)
    caps = rng.integers(1, 4, n_samples).astype(float)

    def loss(intercept):
        return caps @ np.maximum(0.0, 1.0 - signs * (scores + intercept))

    corners = signs - scores
    best = min(loss(corner) for corner in corners)
    flat = [corner for corner in corners if loss(corner) == pytest.approx(best)]
    middle = 0.5 * (min(flat) + max(flat))
    assert best_intercept(scores, signs, caps) == pytest.approx(middle)


# --------------------------------------------------------------- more columns than rows


def wide(kind, seed=0):
    """Thirty rows of ninety columns: labels by chance, a plane, or contradicting."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((30, 90))
    y = np.where(np.arange(30) % 2 == 0, 1.0, -1.0)
    if kind == "plane":
        y = np.where(X[:, 0] > 0, 1.0, -1.0)
    if kind == "contradicting":
        X[1::2] = X[::2]  # each row stands there with both labels
    if kind == "integers":
        X = rng.integers(0, 2, (30, 90)).astype(float)
        X[15:] = X[:15]
    return X, y


KINDS = ["chance", "plane", "contradicting", "integers"]


@each("C", [1e-3, 0.1, 10.0])
@each("kind", KINDS)
def test_machines_on_more_columns_than_rows_are_exact(kind, C):
    X, y = wide(kind)
    caps = np.full(30, C)
    ends = [1, 5, 14, 15, 16, 25, 30, 31, 50, 90]
    for end, solved in zip(
        ends, solve_prefixes(X, y[np.newaxis], caps, ends), strict=True
    ):
        assert solved.gap[0] <= 1e-8
        columns = X[:, :end]
        here = primal_objective(columns, y, caps, solved.coef[0], solved.intercept[0])
        assert here == pytest.approx(optimum(columns, y, C), rel=1e-6)


@each("kind", KINDS)
def test_a_prefix_is_the_machine_on_its_columns(kind):
    X, y = wide(kind)
    signs, caps = np.stack([y, np.where(X[:, 1] > 0.5, 1.0, -1.0)]), np.ones(30)
    ends = [3, 20, 40, 90]
    together = solve_prefixes(X, signs, caps, ends)
    for end, solved in zip(ends, together, strict=True):
        alone = solve_svms(X[:, :end], signs, caps)
        assert solved.coef == pytest.approx(alone.coef, abs=1e-7)


def objectives(X, y, caps):
    ends = range(1, X.shape[1] + 1)
    solved = solve_prefixes(X, y[np.newaxis], caps, list(ends))
    return np.array(
        [
            primal_objective(X[:, :end], y, caps, at.coef[0], at.intercept[0])
            for end, at in zip(ends, solved, strict=True)
        ]
    )


@each("C", [0.03, 3.0])
@each("case", [*CASES, *KINDS])
def test_objectives_do_not_depend_on_how_the_rows_are_written(case, C):
    X, y = CASES[case] if case in CASES else wide(case)
    X = X[:, :20]
    caps = np.full(len(y), C)
    plain = objectives(X, y, caps)
    order = np.random.default_rng(1).permutation(len(y))
    assert objectives(X[order], y[order], caps) == pytest.approx(plain, rel=1e-8)
    twice = objectives(
        np.repeat(X, 2, axis=0), np.repeat(y, 2), np.full(2 * len(y), C / 2)
    )
    assert twice == pytest.approx(plain, rel=1e-8)
    columns = np.random.default_rng(2).permutation(X.shape[1])
    last = objectives(X[:, columns], y, caps)[-1]
    assert last == pytest.approx(plain[-1], rel=1e-8)


def _centred(n_samples=30, n_features=80, seed=0):
    X, signs = noisy(n_samples, n_features, seed)
    return X - X.mean(axis=0), signs


@each("C", [0.01, 0.02, 1.0])
@each("seed", range(3))
def test_a_dual_point_is_that_of_the_certified_machine(C, seed):
    X, signs = _centred(seed=seed)
    caps = np.full(30, C)
    dual = active_set_dual(X @ X.T, signs, caps, None)
    solved = solve_svms(X, signs[np.newaxis], caps)
    assert solved.gap[0] < 1e-8
    assert dual_objective(X, signs, dual) == pytest.approx(
        dual_objective(X, signs, solved.dual[0]), rel=1e-8
    )
    alpha = dual * signs
    assert (alpha >= 0).all()
    assert (alpha <= caps).all()
    assert dual.sum() == pytest.approx(0.0, abs=1e-9)


def test_a_good_guess_and_none_end_at_the_same_point():
    X, signs = _centred()
    caps, gram = np.full(30, 0.02), X @ X.T
    cold = active_set_dual(gram, signs, caps, None)
    near = active_set_dual(X[:, :70] @ X[:, :70].T, signs, caps, None)
    warm = active_set_dual(gram, signs, caps, near)
    assert warm == pytest.approx(cold, abs=1e-8)


def test_where_no_row_falls_short_those_with_a_dual_are_on_the_margin():
    X, signs = _centred()
    caps = np.full(30, 1e3)
    dual = active_set_dual(X @ X.T, signs, caps, None)
    scores = X @ (dual @ X)
    margins = signs * (scores + best_intercept(scores, signs, caps))
    assert margins.min() >= 1 - 1e-6
    assert margins[dual != 0] == pytest.approx(np.ones((dual != 0).sum()), abs=1e-6)


def test_where_no_row_can_be_held_there_is_no_answer():
    # Without a row between its bounds there is no system to solve.
    signs, caps = np.tile([1.0, -1.0], 5), np.ones(10)
    everybody_short = caps * signs
    assert active_set_dual(np.eye(10), signs, caps, everybody_short) is None
