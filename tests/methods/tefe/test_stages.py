"""Stages are exact machines of the documented objective; and how sure they are."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression

from solvers import FeatureHypergraph
from solvers.methods.tefe import TEFEClassifier
from solvers.methods.tefe.stages import (
    calibrate,
    called_classes,
    gaps,
    stage_confidences,
)
from solvers.numerics.svm_optimum import primal_objective
from tests.each import each
from tests.methods.tefe.trained import PRICES, fitted, table
from tests.svm_cases import CASES


@each("solver", ["interior_point", "path"])
@each("case", CASES)
def test_every_stage_is_certified_whatever_the_solver(solver, case):
    X, y = CASES[case]
    model = TEFEClassifier(C=1.0, solver=solver).fit(X, y)
    assert model.stage_gap_.max() <= 1e-8


@each("n_classes", [2, 4])
def test_both_solvers_train_the_same_stages(n_classes):
    by_path = fitted(n_classes, solver="path")
    by_interior_point = fitted(n_classes)
    X, _ = table(n_classes)
    assert by_path.stage_margins(X) == pytest.approx(
        by_interior_point.stage_margins(X), abs=1e-6
    )


@each("standardise", [True, False])
def test_a_stage_minimises_the_objective_that_is_documented(standardise):
    X, y = table()
    model = fitted(C=0.3, standardise=standardise)
    units = X.std(axis=0) if standardise else np.ones(6)
    assert model.spread_ == pytest.approx(units, rel=1e-12)
    X = X / units
    signs, caps = np.where(y == 1, 1.0, -1.0), np.full(len(y), 0.3)
    rng = np.random.default_rng(0)
    for stage in range(6):
        coef = model.stage_coef_[0, stage] * units
        intercept = model.stage_intercept_[0, stage]
        best = primal_objective(X, signs, caps, coef, intercept)
        for _ in range(20):
            moved = coef + 1e-3 * rng.standard_normal(6) * (coef != 0)
            shift = 1e-3 * rng.standard_normal()
            assert primal_objective(X, signs, caps, moved, intercept + shift) >= best


@each("confidence", ["distance", "raw", "gap"])
def test_constant_columns_change_no_margin(confidence):
    X, y = table()
    padded = np.insert(X, 2, 5.0, axis=1)
    groups = [[0], [1, 2], [3], [4], [5], [6]]
    prices = FeatureHypergraph.independent([1, 1, 0, 1, 1, 1, 1])
    plain = TEFEClassifier(confidence=confidence).fit(X, y)
    model = TEFEClassifier(prices, groups, confidence=confidence).fit(padded, y)
    assert model.stage_margins(padded) == pytest.approx(plain.stage_margins(X))
    assert model.predict(padded).tolist() == plain.predict(X).tolist()


def test_calibrated_confidence_is_a_share_and_rises_with_the_gap():
    X, _ = table(3)
    model = fitted(3, confidence="calibrated")
    shares = model.stage_confidences(X)
    may_answer = np.isfinite(shares)
    assert np.all((shares[may_answer] >= 0) & (shares[may_answer] <= 1))
    gaps = model.set_params(confidence="gap").stage_confidences(X)
    for stage in range(6):
        free = may_answer[:, stage]
        order = np.argsort(gaps[free, stage])
        assert np.all(np.diff(shares[free, stage][order]) >= 0)


def test_training_tells_how_far_it_is():
    X, y = table(3)
    model = TEFEClassifier(PRICES, confidence="calibrated")
    steps = list(model.iter_fit(X, y))
    assert [step.done for step in steps] == list(range(1, 25))
    assert {step.total for step in steps} == {24}  # once, and on three folds
    assert model.predict(X).shape == y.shape


KINDS = ["distance", "raw", "gap"]


def _margins(seed=0, n_samples=40, n_outputs=1, n_stages=3):
    return np.random.default_rng(seed).standard_normal((n_samples, n_outputs, n_stages))


def _free(n_outputs=1, n_stages=3):
    return np.zeros((n_outputs, n_stages), dtype=bool)


def test_the_distance_from_a_boundary_is_that_of_geometry():
    # w = (3, 4), b = -5: the point (3, 4) lies 20 beyond it, 4 away.
    margins = np.array([[[3 * 3.0 + 4 * 4.0 - 5.0]]])
    found = stage_confidences(margins, np.array([[5.0]]), _free(1, 1), "distance")
    assert found.item() == 4.0


@given(st.integers(0, 99), st.floats(0.01, 100))
@settings(max_examples=20)
def test_only_the_distance_does_not_see_the_scale_of_a_machine(seed, factor):
    margins, norms = _margins(seed), np.full((1, 3), 2.0)
    one = stage_confidences(margins, norms, _free(), "distance")
    other = stage_confidences(factor * margins, factor * norms, _free(), "distance")
    assert other == pytest.approx(one)
    raw = stage_confidences(factor * margins, factor * norms, _free(), "raw")
    assert raw == pytest.approx(np.abs(factor * margins[:, 0]))


def test_of_several_classes_exactly_one_must_claim_a_row():
    margins = np.array([[[1.0], [-2.0], [-1.0]], [[1.0], [2.0], [-1.0]], [[-1.0]] * 3])
    norms = np.array([[2.0], [1.0], [1.0]])
    found = stage_confidences(margins, norms, _free(3, 1), "distance")
    assert found.ravel().tolist() == [0.5, -np.inf, -np.inf]


def test_a_gap_is_the_lead_of_the_best_class_whoever_claims():
    margins = np.array([[[1.0], [3.0], [-1.0]], [[-2.0], [-5.0], [-3.0]]])
    assert gaps(margins).ravel().tolist() == [2.0, 1.0]
    # Two classes score f and -f.
    assert gaps(np.array([[[-1.5]]])).item() == 3.0


@each("kind", KINDS)
@each("n_outputs", [1, 3])
def test_a_blocked_machine_that_wins_says_nothing(kind, n_outputs):
    margins, blocked = _margins(n_outputs=n_outputs), _free(n_outputs)
    blocked[0, 1] = True
    found = stage_confidences(margins, np.ones((n_outputs, 3)), blocked, kind)
    free = stage_confidences(margins, np.ones((n_outputs, 3)), _free(n_outputs), kind)
    winners = called_classes(margins) if n_outputs > 1 else np.zeros((40, 3), int)
    silenced = (winners == 0) & (np.arange(3) == 1)
    assert np.isneginf(found[silenced]).all()
    assert (found[~silenced] == free[~silenced]).all()


def test_the_class_of_a_row_on_the_boundary_is_the_first():
    assert called_classes(np.array([[[0.0, 1e-9, -1.0]]])).tolist() == [[0, 1, 0]]


def test_calibration_is_isotonic_regression_of_what_was_right():
    margins = _margins(1, n_samples=200, n_stages=2)
    rng = np.random.default_rng(2)
    labels = (margins[:, 0, 0] + rng.standard_normal(200) > 0).astype(int)
    weights = rng.uniform(0.5, 2.0, 200)
    curves = calibrate(margins, labels, weights)
    new = _margins(3, n_stages=2)
    found = stage_confidences(
        new, np.ones((1, 2)), _free(1, 2), "calibrated", calibration=curves
    )
    for stage in range(2):
        right = ((margins[:, 0, stage] > 0) == labels).astype(float)
        plain = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(
            gaps(margins)[:, stage], right, sample_weight=weights
        )
        assert found[:, stage] == pytest.approx(plain.predict(gaps(new)[:, stage]))
