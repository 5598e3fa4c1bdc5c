"""How sure a stage may be, learned on rows that it was not fitted on."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.isotonic import IsotonicRegression

from solvers.methods.hypergraph_cascade.stages import (
    Platt,
    Shares,
    calibrate,
    fit_platt,
    fit_shares,
)


def _rows(seed, n=80):
    rng = np.random.default_rng(seed)
    u = 3 * rng.standard_normal(n)
    hits = rng.random(n) < 1 / (1 + np.exp(-0.7 * u - 0.4))
    return u, hits, rng.uniform(0.5, 2.0, n)


@given(st.integers(0, 999))
@settings(max_examples=15)
def test_platt_s_curve_is_the_best_by_a_generic_minimiser(seed):
    u, hits, weights = _rows(seed)
    up, down = weights[hits].sum(), weights[~hits].sum()
    target = np.where(hits, (up + 1) / (up + 2), 1 / (down + 2))

    def loss(w):
        odds = w[0] * u + w[1]
        return weights @ (np.logaddexp(0, odds) - target * odds)

    found = fit_platt(u, hits, weights)
    best = minimize(loss, [0.0, 0.0], method="BFGS").fun
    assert loss([found.slope, found.intercept]) == pytest.approx(best, rel=1e-6)


def test_scores_that_are_all_the_same_tell_the_share_alone():
    hits = np.array([True, True, False, True])
    found = fit_platt(np.full(4, 2.5), hits, np.ones(4))
    assert found.slope == 0.0
    targets = np.array([4 / 5, 4 / 5, 1 / 3, 4 / 5]).mean()
    assert found.belief(np.array([2.5]))[0] == pytest.approx(
        np.log(targets / (1 - targets))
    )


@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_another_zero_and_unit_of_the_score_changes_no_odds(shift):
    u, hits, weights = _rows(1)
    plain = fit_platt(u, hits, weights).belief(u)
    moved = fit_platt(100 * u + shift, hits, weights).belief(100 * u + shift)
    assert moved == pytest.approx(plain, abs=1e-5)


@given(st.integers(0, 999))
@settings(max_examples=15)
def test_shares_are_isotonic_regression(seed):
    u, hits, weights = _rows(seed)
    found = fit_shares(u, hits, weights)
    plain = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip")
    plain.fit(u, hits.astype(float), sample_weight=weights)
    new = np.linspace(u.min() - 1, u.max() + 1, 50)
    assert found.belief(new) == pytest.approx(plain.predict(new))
    assert (np.diff(found.belief(new)) >= -1e-12).all()


@pytest.mark.parametrize("is_binary", [True, False])
def test_a_row_is_believed_by_a_curve_that_did_not_see_its_fold(is_binary):
    u, hits, weights = _rows(2)
    folds = np.arange(80) % 4
    belief, curve = calibrate(u, hits, weights, folds, is_binary)
    assert isinstance(curve, Platt if is_binary else Shares)
    for fold in range(4):
        flipped = hits.copy()
        flipped[folds == fold] ^= True
        other, _ = calibrate(u, flipped, weights, folds, is_binary)
        held = folds == fold
        assert (other[held] == belief[held]).all()
        assert (other[~held] != belief[~held]).any()


def test_rows_that_were_never_held_out_are_believed_by_the_whole_curve():
    u, hits, weights = _rows(3)
    folds = np.full(80, -1)
    belief, curve = calibrate(u, hits, weights, folds, True)
    assert belief == pytest.approx(curve.belief(u))
