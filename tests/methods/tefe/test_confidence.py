"""How sure a stage is: distances, claims, gaps, and shares that rows got right."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression

from solvers.methods.tefe.confidence import (
    calibrate,
    called_classes,
    gaps,
    stage_confidences,
)

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


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_outputs", [1, 3])
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
