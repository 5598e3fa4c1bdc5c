"""Bands are means of step functions; noise is told from difference by pairs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from solvers import Frontier, FrontierPoint, ThriftscopeError
from solvers.frontier.bands import (
    Band,
    compare_bands,
    frontier_band,
    holm,
    step_scores,
)
from tests.each import each


def frontier(*points):
    """Points of (validation cost, validation score, test score)."""
    return Frontier(
        FrontierPoint(
            "any", {}, np.ones(1, bool), 1, 1,
            {name: cost for name in ("mean", "p95", "max")},
            {"validation": {"f1": valid}, "test": {"f1": test}},
            0.0,
            validation_cost={name: cost for name in ("mean", "p95", "max")},
        )
        for cost, valid, test in points
    )  # fmt: skip


def test_a_step_function_rises_where_its_points_lie():
    steps = frontier((1.0, 0.5, 0.4), (3.0, 0.8, 0.7))
    bought = step_scores(steps, [0.5, 1.0, 2.9, 3.0, 9.0])
    assert bought == pytest.approx([np.nan, 0.4, 0.4, 0.7, 0.7], nan_ok=True)


def test_a_budget_below_the_first_point_buys_the_floor_that_the_frontier_knows():
    floor = {"validation": 0.2, "test": 0.3}
    steps = Frontier(frontier((1.0, 0.5, 0.4)).points, floor=floor)
    assert step_scores(steps, [0.5, 1.0]) == pytest.approx([0.3, 0.4])


scores = st.floats(0, 1).map(lambda x: round(x, 3))
points = st.lists(st.tuples(st.integers(0, 20), scores, scores), min_size=1, max_size=8)


@given(points, st.lists(st.integers(0, 25), min_size=1))
def test_a_step_is_what_the_budget_buys(drawn, budgets):
    steps = frontier(*drawn)
    for budget, bought in zip(budgets, step_scores(steps, budgets), strict=True):
        best = steps.best_within(budget)
        valid = None if best is None else best.scores["validation"]["f1"]
        allowed = [t for c, v, t in drawn if c <= budget and v == valid]
        assert np.isnan(bought) if best is None else bought in allowed


def test_mean_and_standard_error_are_those_of_scores_at_each_budget():
    runs = [
        frontier((1.0, 0.5, 0.4), (3.0, 0.8, 0.7)),
        frontier((2.0, 0.6, 0.6)),
        frontier((1.0, 0.2, 0.2), (2.5, 0.9, 0.5)),
    ]
    band = frontier_band(runs)
    assert band.costs.tolist() == [1.0, 2.0, 2.5, 3.0]
    at_end = [0.7, 0.6, 0.5]
    assert band.mean[-1] == pytest.approx(np.mean(at_end))
    assert band.standard_error[-1] == pytest.approx(stats.sem(at_end))
    assert band.upper[-1] - band.lower[-1] == pytest.approx(2 * stats.sem(at_end))


def test_a_budget_that_buys_nothing_in_one_run_has_no_mean():
    runs = [frontier((1.0, 0.5, 0.4)), frontier((2.0, 0.6, 0.6))]
    assert np.isnan(frontier_band(runs).mean[0])


def test_a_floor_stands_in_where_nothing_is_bought():
    runs = [frontier((1.0, 0.5, 0.4)), frontier((2.0, 0.6, 0.6))]
    assert frontier_band(runs, floor=0.2).mean[0] == pytest.approx(0.3)


def test_one_run_has_no_standard_error():
    assert np.isnan(frontier_band([frontier((1.0, 0.5, 0.4))]).standard_error).all()


def test_noise_is_judged_as_the_paired_t_test_does():
    rng = np.random.default_rng(0)
    one = rng.normal(0.80, 0.05, (6, 40))
    other = one - rng.normal(0.01, 0.015, (6, 40))
    grid = np.arange(40.0)
    judged = compare_bands(Band(grid, one), Band(grid, other), level=0.9)
    p_values = stats.ttest_rel(one, other).pvalue
    assert judged.within_noise.tolist() == (p_values > 0.1).tolist()
    assert 0 < judged.within_noise.sum() < 40


def test_what_all_runs_share_is_no_noise():
    luck = np.array([[0.5], [0.7], [0.9]])
    better = compare_bands(Band(np.ones(1), luck + 0.01), Band(np.ones(1), luck))
    assert not better.within_noise[0]


def test_overlapping_training_rows_widen_the_interval():
    rng = np.random.default_rng(0)
    one, other = (Band(np.ones(1), rng.random((5, 1))) for _ in range(2))
    plain, corrected = compare_bands(one, other), compare_bands(one, other, overlap=0.5)
    assert corrected.margin / plain.margin == pytest.approx(np.sqrt((0.2 + 0.5) / 0.2))


def test_equal_bands_are_within_noise():
    band = Band(np.ones(1), np.array([[0.5], [0.6]]))
    assert compare_bands(band, band).within_noise.all()


@each(
    ("shift", "sentence"),
    [
        (0.2, "At 2 us A is 0.200 above B (±0.000 over 2 runs)."),
        (-0.2, "At 2 us B is 0.200 above A (±0.000 over 2 runs)."),
        (0.0, "At 2 us A and B differ by 0.000: within noise (±0.000 over 2 runs)."),
    ],
)
def test_the_sentence_says_who_is_better_or_that_it_is_noise(shift, sentence):
    scores = np.array([[0.5, 0.6], [0.7, 0.8]])
    grid = np.array([1.0, 2.0])
    judged = compare_bands(Band(grid, scores + shift), Band(grid, scores))
    assert judged.sentence(2.0, "A", "B", "us") == sentence


def test_the_sentence_says_when_a_budget_buys_nothing():
    band = Band(np.array([1.0, 2.0]), np.array([[np.nan, 0.5], [0.4, 0.5]]))
    said = compare_bands(band, band)
    for budget in (0.5, 1.0):
        assert "not every run" in said.sentence(budget, "A", "B")


@each(
    ("ask", "sentence"),
    [
        (lambda b, c: frontier_band([]), "There is no frontier"),
        (lambda b, c: frontier_band([frontier((1, 1, 1))], [2, 1]), "do not rise"),
        (lambda b, c: compare_bands(b, c), "of 2 and 3 runs"),
        (lambda b, c: compare_bands(*[Band(b.costs, b.scores[:1])] * 2),
         "only one run"),
        (lambda b, c: compare_bands(b, b, level=95), "level is 95"),
    ],
)  # fmt: skip
def test_bad_requests_are_refused_with_a_sentence(ask, sentence):
    two, three = (Band(np.ones(1), np.full((n, 1), 0.5)) for n in (2, 3))
    with pytest.raises(ThriftscopeError, match=sentence):
        ask(two, three)


def test_holm_by_hand():
    # By rising p: .005 * 4, .01 * 3, .03 * 2, and .04 * 1 raised to the one before.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    # A p-value is at most 1, and of a single comparison it stays what it was.
    assert holm([0.9, 0.6]) == pytest.approx([1.0, 1.0])
    assert holm([0.2]) == pytest.approx([0.2])
    assert holm([]).shape == (0,)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_is_between_no_correction_and_that_of_bonferroni(p_values):
    corrected = holm(p_values)
    assert (corrected >= np.array(p_values)).all()
    assert (corrected <= np.minimum(len(p_values) * np.array(p_values), 1.0)).all()


def test_holm_rejects_one_after_the_other():
    # As the procedure is told: the kth smallest p is held against 5 % / (n - k + 1),
    # and after the first that is too large nothing is rejected.
    rng = np.random.default_rng(0)
    for _ in range(50):
        p_values = rng.random(8) ** 6
        rejected = np.zeros(8, dtype=bool)
        for k, place in enumerate(np.argsort(p_values)):
            if p_values[place] > 0.05 / (8 - k):
                break
            rejected[place] = True
        assert ((holm(p_values) <= 0.05) == rejected).all()


def test_what_is_no_p_value_is_refused():
    with pytest.raises(ThriftscopeError, match="from 0 to 1"):
        holm([0.5, 1.5])


def test_the_p_value_is_that_of_the_paired_t_test():
    rng = np.random.default_rng(0)
    one, other = rng.random((2, 7, 1))
    grid = np.array([1.0])
    found = compare_bands(Band(grid, one), Band(grid, other))
    known = stats.ttest_rel(one[:, 0], other[:, 0])
    assert found.p_value[0] == pytest.approx(known.pvalue)


def test_differences_that_are_all_the_same_leave_no_doubt():
    grid, one = np.array([1.0]), np.array([[0.5], [0.7], [0.9]])
    assert compare_bands(Band(grid, one), Band(grid, one)).p_value[0] == 1.0
    assert compare_bands(Band(grid, one), Band(grid, one - 0.25)).p_value[0] == 0.0
