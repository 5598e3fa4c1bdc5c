"""Answers in words say the numbers of the answer."""

import dataclasses

import numpy as np
import pytest

from explorer.pages.selectivity.streams import counterexample
from explorer.pages.selectivity.text import (
    certificate_text,
    counterexample_text,
    gaps_text,
    largest_coefficients,
    map_text,
    power,
    slope,
    summary_text,
    timings_text,
)
from solvers.methods.selective_ridge.chronometry import ContenderTiming


def test_small_numbers_are_written_as_powers():
    assert [power(value) for value in (0.0, 1e-12, 0.5)] == [
        "0",
        "1.0 × 10⁻¹²",
        "5.0 × 10⁻¹",
    ]


def test_the_summary_counts_the_features_of_each_state(answered):
    counts = answered.answer.counts
    text = summary_text(answered.answer)
    assert f"{counts['boundary']} on the boundary, {counts['ridge']} ridge" in text
    assert sum(counts.values()) == 30


def test_the_certificate_says_primal_dual_and_gap(answered):
    fit = answered.answer.fit
    said = certificate_text(answered.answer)
    assert f"{fit.objective:.9g}" in said[0]
    assert f"{fit.objective - fit.duality_gap:.9g}" in said[1]
    assert power(fit.duality_gap) in said[2]
    assert "final" in said[3]


def test_a_first_answer_says_that_it_is_being_refined(answered):
    answer = answered.answer
    coarse = dataclasses.replace(answer.fit, duality_gap=1e-4 * answer.fit.objective)
    said = certificate_text(dataclasses.replace(answer, fit=coarse))
    assert "being refined" in said[3]


def test_the_largest_coefficient_is_named_first(answered):
    answer = answered.answer
    largest = answer.bench.data.names[int(np.argmax(np.abs(answer.fit.coef)))]
    assert map_text(answer).startswith(f"Largest coefficients: {largest} ")


def test_an_empty_model_is_said_to_be_empty(answered):
    assert map_text(answered.path[0]).startswith("Every coefficient is zero")


def test_features_that_never_live_are_not_drawn(answered):
    assert len(largest_coefficients(answered.path[:1], 10)) == 0
    assert len(largest_coefficients(answered.path, 10)) == 10


def test_words_without_results_say_so():
    assert summary_text(None) == "No answer yet."
    assert certificate_text(None) == ["No answer yet."]
    assert gaps_text(()) == "Not computed yet."
    assert timings_text(()) == "Not timed yet."


def test_the_counterexample_is_told_with_its_numbers():
    text = counterexample_text(tuple(counterexample()))
    assert "a = 0 and criterion 2" in text
    assert "a = 0.55 with 1.395" in text


def test_the_slope_is_that_of_the_last_three_sizes():
    timed = tuple(
        ContenderTiming("dual", n, seconds, 1e-7, "")
        for n, seconds in [(10, 5.0), (100, 0.1), (200, 0.4), (400, 1.6)]
    )
    assert slope(timed, "dual") == pytest.approx(2.0)
    assert slope(timed[:2], "dual") is None


def test_who_was_skipped_is_said_with_the_reason():
    timed = (
        ContenderTiming("primal", 100, 3.0, 1e-7, ""),
        ContenderTiming("primal", 200, None, None, "skipped: over 1 s at 100 features"),
    )
    assert "then skipped: over 1 s at 100 features" in timings_text(timed)
