"""Barriers start on the central path, and their rates are derivatives along it."""

import numpy as np
import pytest

from solvers.methods.selective_ridge.barriers import (
    EntropyBarrier,
    FeatureBarrier,
    HingeBarrier,
    Pair,
    QuadraticBarrier,
)
from tests.each import each

SCORES = np.array([-3.0, -1.0, -0.4, 0.0, 0.2, 1.0, 1.7])
THRESHOLDS = np.array([1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 0.5])
Y = np.array([1.0, -1.0, 1.0, -1.0])
CAPACITY = np.array([0.5, 1.0, 2.0, 0.3])
DUAL = Y * CAPACITY * np.array([0.2, 0.5, 0.9, 0.4])


@each("target", [1.0, 1e-3, 1e-9])
def test_features_start_with_all_products_at_the_target(target):
    barrier = FeatureBarrier(SCORES, THRESHOLDS, target)
    for pair in barrier.pairs:
        assert (pair.multiplier > 0).all()
        assert (pair.slack > 0).all()
        assert pair.multiplier * pair.slack == pytest.approx(np.full(7, target))
    together = sum(pair.multiplier for pair in barrier.pairs)
    assert together == pytest.approx(barrier.t, rel=1e-4)


def test_at_the_end_a_coefficient_is_its_score_above_the_boundary_and_zero_below():
    barrier = FeatureBarrier(SCORES, THRESHOLDS, 1e-12)
    off = np.abs(np.abs(SCORES) - THRESHOLDS) > 0.1
    wanted = np.where(np.abs(SCORES) > THRESHOLDS, SCORES, 0.0)
    assert barrier.coef[off] == pytest.approx(wanted[off], abs=1e-4)
    inside = np.abs(SCORES) < THRESHOLDS - 0.1
    assert not barrier.is_nonzero[inside].any()
    assert barrier.is_nonzero[np.abs(SCORES) > THRESHOLDS + 0.1].all()


@each("target", [1.0, 0.05])
def test_curvature_is_how_fast_coefficients_follow_their_scores(target):
    step = 1e-2
    ahead, behind = (
        FeatureBarrier(SCORES + move, THRESHOLDS, target).coef for move in (step, -step)
    )
    here = FeatureBarrier(SCORES, THRESHOLDS, target)
    assert here.curvature() == pytest.approx((ahead - behind) / (2 * step), rel=2e-2)


def test_on_the_central_path_nothing_moves_while_the_scores_stand_still():
    barrier = FeatureBarrier(SCORES, THRESHOLDS, 0.1)
    barrier.curvature()
    for pair in barrier.pairs:
        pair.aim(0.1, 0.0)
    assert barrier.offset() == pytest.approx(np.zeros(7), abs=1e-5)


def test_a_step_keeps_what_defines_the_slacks():
    barrier = FeatureBarrier(SCORES, THRESHOLDS, 0.1)
    barrier.curvature()
    for pair in barrier.pairs:
        pair.aim(0.01, 0.0)
    shift = 0.05 * np.arange(7.0)
    barrier.follow(shift)
    step = min(1.0, 0.9 * min(pair.room() for pair in barrier.pairs))
    barrier.move(step)
    scores = SCORES + step * shift
    assert barrier.plus.slack == pytest.approx(barrier.t - scores)
    assert barrier.minus.slack == pytest.approx(barrier.t + scores)
    assert barrier.spare.slack == pytest.approx(barrier.t - THRESHOLDS)


def test_the_room_ends_where_a_multiplier_or_slack_would_vanish():
    pair = Pair(np.array([1.0, 2.0]), np.array([4.0, 1.0]))
    pair.aim(0.0, 0.0)
    pair.follow(np.array([-8.0, 0.5]))
    assert pair.room() == pytest.approx(0.5)
    assert pair.gap(0.0) == pytest.approx(6.0)
    before = pair.gap(0.25)
    pair.move(0.25)
    assert pair.multiplier @ pair.slack == pytest.approx(before)


def test_a_pair_aimed_at_a_target_gets_there_to_first_order():
    pair = Pair(np.array([1.0, 2.0]), np.array([4.0, 1.0]))
    pair.aim(0.5, 0.0)
    pair.follow(np.array([0.3, -0.2]))
    products = pair.multiplier * pair.slack
    linear = products + pair.turn * pair.slack + pair.multiplier * pair.shift
    assert linear == pytest.approx([0.5, 0.5])


def _change(barrier, target):
    """By how much decisions fall as each dual grows, from differences."""
    step = 1e-6
    ahead, behind = (barrier(DUAL + move, target) for move in (step, -step))
    return -(ahead - behind) / (2 * step)


def test_the_hinge_s_resistance_is_how_fast_its_decisions_fall():
    def decisions(dual, target):
        barrier = HingeBarrier(Y, CAPACITY, dual, target)
        for pair in barrier.pairs:
            pair.aim(target, 0.0)
        return barrier.decisions()

    here = HingeBarrier(Y, CAPACITY, DUAL, 0.1)
    assert here.resistance() == pytest.approx(_change(decisions, 0.1), rel=1e-5)


@each("kind", [QuadraticBarrier, EntropyBarrier])
def test_smooth_losses_resist_as_their_decisions_fall(kind):
    def decisions(dual, _):
        return kind(Y, CAPACITY, dual).decisions()

    here = kind(Y, CAPACITY, DUAL)
    assert here.resistance() == pytest.approx(_change(decisions, None), rel=1e-5)


def test_smooth_losses_are_stationary_at_their_decisions():
    # λ is minus the slope of the loss there, times the capacity.
    squared = QuadraticBarrier(Y, CAPACITY, DUAL).decisions()
    assert 2 * CAPACITY * (Y - squared) == pytest.approx(DUAL)
    logistic = EntropyBarrier(Y, CAPACITY, DUAL).decisions()
    assert CAPACITY * Y / (1 + np.exp(Y * logistic)) == pytest.approx(DUAL)


@each("kind", ["hinge", "logistic"])
def test_no_step_within_the_room_leaves_the_range_of_a_dual(kind):
    shift = Y * np.array([1.0, -3.0, 0.5, 2.0])
    barrier = (
        HingeBarrier(Y, CAPACITY, DUAL, 0.1)
        if kind == "hinge"
        else EntropyBarrier(Y, CAPACITY, DUAL)
    )
    for pair in barrier.pairs:
        pair.aim(0.1, 0.0)
    barrier.follow(shift)
    room = barrier.room()
    for share, inside in [(0.999, True), (1.001, False)]:
        size = Y * (DUAL + share * room * shift)
        if kind == "logistic" or inside:
            assert ((size > 0) & (size < CAPACITY)).all() == inside


def test_rows_far_beyond_or_inside_their_margin_are_told_by_their_duals():
    barrier = HingeBarrier(
        Y, CAPACITY, Y * CAPACITY * [1e-9, 0.5, 1 - 1e-9, 1e-9], 1e-6
    )
    assert barrier.is_beyond.tolist() == [True, False, False, True]
    assert barrier.is_inside.tolist() == [False, False, True, False]
