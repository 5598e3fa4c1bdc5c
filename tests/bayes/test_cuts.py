"""Every way to cut posteriors, against a walk over all thresholds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.bayes.cuts import (
    ThresholdInterval,
    all_cuts,
    cut_agreement,
    potential,
    signed_masses,
)

ROUNDING = 1e-9
# Posteriors in quarters, so that many are equal, the certain ones among them.
STATES = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 3), st.booleans()), min_size=1
).filter(lambda states: any(mass for _, mass, _ in states))


def masses(states):
    """Pr(positive, f), Pr(f) and the signed mass of each joint state."""
    quarters, total, says = map(np.array, zip(*states, strict=True))
    total = total / total.sum()
    return quarters / 4 * total, total, np.where(says, total, -total)


def by_definition(positive, total, signed, threshold):
    """The mass of the states at which the original decides as the threshold does."""
    agreed = 0.0
    for p, mass, sign in zip(positive, total, signed, strict=True):
        if mass > 0:
            agreed += mass * ((p / mass >= threshold - ROUNDING) == (sign > 0))
    return agreed


@given(STATES)
@settings(max_examples=30)
def test_an_agreement_is_the_mass_on_which_both_decide_alike(states):
    for threshold in np.linspace(0, 1, 17):
        expected = by_definition(*masses(states), threshold)
        assert cut_agreement(*masses(states), threshold) == pytest.approx(expected)


@given(STATES)
@settings(max_examples=30)
def test_cuts_are_all_there_is_and_agree_as_their_thresholds_do(states):
    cuts = all_cuts(*masses(states))
    # One interval ends where the next begins, from 0 to 1.
    assert (cuts.lows[0], cuts.highs[-1]) == pytest.approx((0.0, 1.0))
    np.testing.assert_allclose(cuts.lows[1:], cuts.highs[:-1], atol=ROUNDING)
    for k, (low, high) in enumerate(zip(cuts.lows, cuts.highs, strict=True)):
        for threshold in ((low + high) / 2, high):
            if low + ROUNDING < threshold or k == 0:
                expected = by_definition(*masses(states), threshold)
                assert cuts.agreements[k] == pytest.approx(expected)


@given(STATES)
@settings(max_examples=30)
def test_the_best_is_the_best_and_the_lowest_interval_of_it(states):
    agreement, interval = all_cuts(*masses(states)).best()
    tried = np.linspace(0, 1, 33)
    attained = np.array([by_definition(*masses(states), t) for t in tried])
    assert agreement == pytest.approx(attained.max())
    good = np.isclose(attained, agreement, atol=1e-9)
    inside = np.array([t in interval for t in tried])
    assert good[inside].all()
    assert not good[tried < interval.low].any()


@given(STATES, st.integers(0, 8))
@settings(max_examples=30)
def test_the_potential_is_what_the_best_decision_of_each_state_attains(states, eighths):
    """Each joint state may be called as the original calls most of its mass."""
    positive, total, _ = masses(states)
    signed = signed_masses(positive, total, eighths / 8)
    posteriors = positive[total > 0] / total[total > 0]
    says = (posteriors >= eighths / 8 - ROUNDING).tolist()
    assert [sign > 0 for sign in signed[total > 0]] == says
    mixed = signed * np.linspace(-1, 1, len(signed))  # of each state, a part only
    best = sum(max((m + d) / 2, (m - d) / 2) for m, d in zip(total, mixed, strict=True))
    assert potential(mixed) == pytest.approx(best)


def test_an_interval_holds_its_high_end_and_its_low_one_only_from_0_on():
    assert 0.25 not in ThresholdInterval(0.25, 0.5)
    assert 0.5 in ThresholdInterval(0.25, 0.5)
    assert 0.0 in ThresholdInterval(0.0, 0.5, includes_low=True)


def test_the_middle_of_an_interval_is_in_it_however_narrow():
    interval = ThresholdInterval(0.3, float(np.nextafter(0.3, 1)))
    assert interval.middle in interval
    assert ThresholdInterval(0.1, 0.2).middle == (0.1 + 0.2) / 2
