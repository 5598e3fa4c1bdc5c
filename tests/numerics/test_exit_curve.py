"""The curve of all thresholds equals running the cascade at each of them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import f1_score

from solvers.numerics.exit_curve import ExitCurve

LEVELS = [-np.inf, -1.0, 0.0, 0.5, 0.5, 2.0]


def run(confidences, threshold):
    """The stage at which each row leaves, one row after the other."""
    stages = []
    for row in confidences:
        sure = [g for g, value in enumerate(row[:-1]) if value >= threshold]
        stages.append(sure[0] if sure else len(row) - 1)
    return np.array(stages)


@st.composite
def cascades(draw):
    rng = np.random.default_rng(draw(st.integers(0, 100_000)))
    n_samples, n_stages = draw(st.integers(1, 8)), draw(st.integers(1, 5))
    n_classes = draw(st.integers(2, 3))
    shape = (n_samples, n_stages)
    return (
        rng.choice(LEVELS, shape),
        rng.integers(0, n_classes, shape),
        rng.integers(0, n_classes, n_samples),
        np.cumsum(rng.integers(0, 4, n_stages)).astype(float),
        n_classes,
    )


THRESHOLDS = [-np.inf, -2.0, -1.0, -0.5, 0.0, 0.25, 0.5, 1.0, 2.0, 3.0, np.inf]


@given(cascades(), st.sampled_from(THRESHOLDS))
@settings(max_examples=120)
def test_curve_equals_brute_force_at_ties_and_infinities(cascade, threshold):
    confidences, called, truth, costs, n_classes = cascade
    curve = ExitCurve.from_stages(*cascade)
    at = curve.position(threshold)
    stages = run(confidences, threshold)
    labels = called[np.arange(len(truth)), stages]
    assert curve.cost[at] == pytest.approx(costs[stages].mean())
    assert curve.accuracy[at] == pytest.approx((labels == truth).mean())
    counts = np.bincount(stages, minlength=len(costs))
    assert curve.exits[at].tolist() == counts.tolist()
    average = "binary" if n_classes == 2 else "macro"
    expected = f1_score(truth, labels, average=average, zero_division=0.0)
    assert curve.f1[at] == pytest.approx(expected)


@given(cascades())
def test_cost_never_falls_and_exits_move_back(cascade):
    curve = ExitCurve.from_stages(*cascade)
    assert np.all(np.diff(curve.cost) >= -1e-12)
    later = np.cumsum(curve.exits, axis=1)
    assert np.all(np.diff(later, axis=0) <= 0)


@given(cascades(), st.floats(0, 12))
def test_threshold_for_a_budget_keeps_it_and_the_next_does_not(cascade, extra):
    curve = ExitCurve.from_stages(*cascade)
    budget = curve.cost[0] + extra
    at = curve.position(curve.threshold_for(budget))
    assert curve.cost[at] <= budget
    assert at == len(curve.cost) - 1 or curve.cost[at + 1] > budget


@given(cascades())
def test_shares_run_from_no_passage_to_all(cascade):
    curve = ExitCurve.from_stages(*cascade)
    assert curve.threshold_at_share(0.0) == curve.thresholds[0]
    assert curve.threshold_at_share(1.0) == np.inf


def test_points_hold_up_to_their_threshold_by_hand():
    curve = ExitCurve.from_stages(
        np.array([[1.0, 0.0], [2.0, 0.0]]),
        np.array([[0, 1], [1, 1]]),
        np.array([1, 1]),
        np.array([1.0, 5.0]),
    )
    assert curve.levels.tolist() == [1.0, 2.0, np.inf]
    assert curve.thresholds.tolist() == [0.5, 1.5, np.inf]
    assert curve.cost.tolist() == [1.0, 3.0, 5.0]
    assert curve.accuracy.tolist() == [0.5, 1.0, 1.0]
    assert curve.exits.tolist() == [[2, 0], [1, 1], [0, 2]]


def test_straight_line_goes_through_two_points_of_the_curve():
    confidences = np.column_stack([np.linspace(0, 1, 101), np.zeros(101)])
    called = np.zeros((101, 2), dtype=int)
    curve = ExitCurve.from_stages(
        confidences, called, np.zeros(101, dtype=int), np.array([0.0, 1.0])
    )
    base, slope = curve.straight_line()
    # Evenly spread confidences: cost is the share below the threshold.
    assert base == pytest.approx(0.0, abs=0.02)
    assert slope == pytest.approx(1.0, abs=0.02)


@given(cascades())
def test_every_threshold_stands_between_confidences(cascade):
    curve = ExitCurve.from_stages(*cascade)
    finite = np.isfinite(curve.thresholds)
    highest = np.maximum.accumulate(cascade[0][:, :-1], axis=1)
    assert not np.isin(curve.thresholds[finite], highest).any()
    at = [curve.position(threshold) for threshold in curve.thresholds]
    assert at == list(range(len(curve.thresholds)))


def test_confidences_that_differ_by_rounding_are_one():
    almost = np.nextafter(0.3, 1.0)
    curve = ExitCurve.from_stages(
        np.array([[0.3, 0.0], [almost, 0.0]]),
        np.zeros((2, 2), dtype=int),
        np.zeros(2, dtype=int),
        np.array([1.0, 2.0]),
    )
    assert curve.cost.tolist() == [1.0, 2.0]


@given(st.lists(st.integers(1, 30), min_size=1, max_size=40), st.integers(0, 20))
def test_a_level_wider_than_the_gap_below_it_is_passed_whole_or_not_at_all(steps, gap):
    """Confidences of which each is nearly a rounding from the next are one level."""
    almost = 0.3 + np.cumsum([0, *steps]) * 3e-12
    sure = np.append(0.3 - (1.01 + 0.1 * gap) * 1e-10, almost)
    rows = np.column_stack([sure, np.zeros(len(sure))])
    nothing = np.zeros((len(sure), 2), dtype=int)
    curve = ExitCurve.from_stages(rows, nothing, nothing[:, 0], np.array([0.0, 1.0]))
    passed = [(sure < threshold).mean() for threshold in curve.thresholds]
    assert passed == pytest.approx(curve.cost)
