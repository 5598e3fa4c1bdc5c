"""The logistic curve of scores is the one that scikit-learn finds."""

import numpy as np
import pytest
from scipy.special import expit
from sklearn import metrics
from sklearn.linear_model import LogisticRegression

from solvers.decisions.platt import curve, log_loss
from tests.each import each


def scored(n=200, shift=0.0, scale=1.0):
    random = np.random.default_rng(0)
    positive = random.random(n) < 0.3
    return shift + scale * (positive + random.normal(size=n)), positive


@each("weight", [None, 0.1, 3.0])
@each("scale", [1e-6, 1.0, 1e6])
def test_the_curve_is_logistic_regression_on_platts_targets(scale, weight):
    scores, positive = scored(shift=5 * scale, scale=scale)
    counts = np.ones(len(scores))
    if weight is not None:
        counts = 1.0 + np.arange(len(scores)) % 7
        weight, counts = weight * counts, counts / counts.mean()
    n_positive, n_negative = counts[positive].sum(), counts[~positive].sum()
    target = np.where(
        positive, (n_positive + 1) / (n_positive + 2), 1 / (n_negative + 2)
    )
    # A row of target t is t of a positive row and 1 - t of a negative one.
    rows = np.tile((scores / scale - 5)[:, None], (2, 1))
    labels = np.repeat([1, 0], len(scores))
    fitted = LogisticRegression(C=np.inf, tol=1e-12, solver="newton-cholesky").fit(
        rows,
        labels,
        sample_weight=np.concatenate([counts * target, counts * (1 - target)]),
    )
    slope, intercept = curve(scores, positive, weight)
    expected = fitted.decision_function((scores / scale - 5)[:, None])
    assert slope * scores + intercept == pytest.approx(expected, abs=1e-5)


def test_scores_that_part_the_classes_still_have_a_curve():
    scores, positive = np.array([-2.0, -1.0, 1.0, 2.0]), np.array([0, 0, 1, 1]) > 0
    slope, intercept = curve(scores, positive)
    assert 0 < slope < 100
    assert intercept == pytest.approx(0.0, abs=1e-9)


def test_equal_scores_say_how_common_the_class_is():
    slope, intercept = curve(np.ones(8), np.arange(8) < 2)
    # Platt's targets: (2 * 3/4 + 6 * 1/8) / 8
    assert 1 / (1 + np.exp(-slope - intercept)) == pytest.approx(2.25 / 8)


@each("n", [40_000, 200_000, 333_333])
def test_many_equal_scores_have_a_curve_too(n):
    """Their mean is not quite their value: what is left is no spread."""
    slope, intercept = curve(np.full(n, -0.8473), np.arange(n) < 0.3 * n)
    assert expit(-0.8473 * slope + intercept) == pytest.approx(0.3, abs=1e-4)


def test_the_loss_is_that_of_scikit_learn():
    scores, positive = scored()
    probability = 1 / (1 + np.exp(-scores))
    expected = metrics.log_loss(positive, probability)
    assert log_loss(scores, positive) == pytest.approx(expected)
    weight = 1.0 + np.arange(len(scores)) % 7
    expected = metrics.log_loss(positive, probability, sample_weight=weight)
    assert log_loss(scores, positive, weight) == pytest.approx(expected)
