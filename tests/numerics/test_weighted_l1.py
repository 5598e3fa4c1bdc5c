"""Fits with a priced l1 norm satisfy its conditions of optimality, in any order."""

import numpy as np
import pytest

from solvers.numerics import weighted_l1
from solvers.numerics.logistic import LogisticLoss
from solvers.numerics.weighted_l1 import WeightedL1Fits
from tests.each import each

PRICES = np.array([1.0, 0.0, 3.0, 0.5, 2.0])


@pytest.fixture(scope="module")
def loss():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((120, len(PRICES)))
    odds = X @ [1.0, 0.5, -1.0, 0.0, 2.0] + rng.standard_normal(120)
    return LogisticLoss.from_rows(X, np.sign(odds), np.ones(120))


def fits_of(loss):
    return WeightedL1Fits(loss, PRICES, tol=1e-9)


def gradient(loss, fit):
    return loss.gradient(loss.at(fit.odds).slopes)


@each("share", [1.0, 0.7, 0.1, 1e-3])
def test_no_weight_can_move_for_the_better(loss, share):
    fits = fits_of(loss)
    alpha = share * fits.null_alpha
    fit = fits.fit(alpha)
    pull, bound = gradient(loss, fit), alpha * PRICES
    used = fit.weights != 0
    slack = 1e-6 * fits.null_alpha
    np.testing.assert_allclose(
        pull[used], -bound[used] * np.sign(fit.weights[used]), atol=slack
    )
    assert np.all(np.abs(pull[~used]) <= bound[~used] + slack)
    assert abs(loss.at(fit.odds).slopes.sum()) <= slack  # of the intercept


def test_the_null_model_wins_from_its_trade_off_on_and_not_before(loss):
    fits = fits_of(loss)
    priced = PRICES > 0
    assert not fits.fit(fits.null_alpha * (1 + 1e-6)).weights[priced].any()
    assert fits.fit(0.99 * fits.null_alpha).weights[priced].any()
    assert fits.null_fit.weights[~priced].all()  # what has no price is taken


def test_a_fit_is_the_same_whatever_was_asked_before(loss):
    straight, roundabout = fits_of(loss), fits_of(loss)
    alphas = straight.alphas(6, 1e-2)
    assert alphas[0] == pytest.approx(straight.null_alpha)
    for alpha in alphas[::-1]:
        roundabout.fit(alpha)
    for alpha in alphas:
        expected, found = straight.fit(alpha), roundabout.fit(alpha)
        assert np.array_equal(found.weights, expected.weights)
        assert found.intercept == expected.intercept


def test_of_long_tables_fewer_fits_are_kept_and_they_are_the_same(loss, monkeypatch):
    many = fits_of(loss)
    alphas = many.null_alpha * np.geomspace(1.0, 0.01, 6)
    wanted = [many.fit(alpha).weights for alpha in alphas]
    monkeypatch.setattr(weighted_l1, "_KEPT_NUMBERS", 0)
    monkeypatch.setattr(weighted_l1, "_FEWEST_KEPT", 2)
    few = fits_of(loss)
    for alpha, weights in zip(alphas, wanted, strict=True):
        assert np.array_equal(few.fit(alpha).weights, weights)
    assert (len(few._fits), len(many._fits)) == (2, 6)
