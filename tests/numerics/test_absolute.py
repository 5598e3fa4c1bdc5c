"""Penalties of absolute weights, as prox-Newton takes them."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from solvers.numerics.absolute import Restriction, WeightedL1
from solvers.numerics.logistic import LogisticLoss
from solvers.numerics.prox_newton import minimise

MAGNITUDES = np.array([0.5, 0.0, 2.0])


def test_a_weighted_l1_norm_rises_by_its_weights_and_does_not_bend():
    penalty = WeightedL1(np.array([1.0, 2.0, 0.5]))
    assert penalty.value(MAGNITUDES) == 1.5
    slopes = approx_fprime(MAGNITUDES, penalty.value)
    assert penalty.slopes(MAGNITUDES) == pytest.approx(slopes)
    assert penalty.second_derivative(MAGNITUDES, np.arange(3)) is None


def test_a_restriction_is_free_on_its_support_and_locks_all_others():
    penalty = Restriction(np.array([True, False, True]))
    assert penalty.value(MAGNITUDES) == 0.0
    assert penalty.slopes(MAGNITUDES).tolist() == [0.0, np.inf, 0.0]


def test_a_locked_weight_stays_at_zero_whatever_it_would_gain():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((80, 3))
    signs = np.where(X[:, 1] + 0.5 * rng.standard_normal(80) > 0, 1.0, -1.0)
    loss = LogisticLoss.from_rows(X, signs, np.ones(80))
    support = np.array([True, False, True])
    fit = minimise(loss, Restriction(support), tol=1e-8, max_iter=100)
    assert fit.weights[1] == 0.0
    gradient = loss.gradient(loss.at(fit.odds).slopes)
    assert gradient[support] == pytest.approx([0, 0], abs=1e-6)
    assert abs(gradient[1]) > 0.1
