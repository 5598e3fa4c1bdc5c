"""A verdict follows from paired differences and two of their standard errors."""

import itertools

import numpy as np
import pytest
from scipy import stats

from solvers.errors import DataError
from solvers.papers.verdicts import (
    Finding,
    all_hold,
    any_holds,
    paired_verdict,
    verdict,
)
from tests.each import each


@each(
    ("differences", "margin", "outcome"),
    [
        ([2.0, 3.0, 4.0], 0.0, "holds"),
        ([-2.0, -3.0, -4.0], 0.0, "does not hold"),
        ([-1.0, 3.0, 1.0], 0.0, "within noise"),
        ([2.0, 3.0, 4.0], 3.5, "within noise"),
        ([2.0, 3.0, 4.0], 5.0, "does not hold"),
        ([-0.1, -0.3, -0.2], -1.0, "holds"),
        ([0.0, 0.0], 0.0, "within noise"),
        ([1.0, 1.0], 0.0, "holds"),
        ([100.0], 0.0, "one run"),
    ],
)
def test_the_margin_lies_outside_of_two_standard_errors_or_it_is_noise(
    differences, margin, outcome
):
    assert paired_verdict(differences, margin=margin).outcome == outcome


def test_the_standard_error_is_that_of_scipy():
    differences = np.random.default_rng(0).normal(size=12)
    found = paired_verdict(differences)
    assert found.two_standard_errors == pytest.approx(2 * stats.sem(differences))
    assert found.mean == pytest.approx(differences.mean())
    assert found.n == 12


def test_one_pair_says_nothing_of_noise():
    assert paired_verdict([3.0]).two_standard_errors == float("inf")


def test_the_opposite_claim_gets_the_opposite_verdict():
    rng = np.random.default_rng(1)
    opposite = {
        "holds": "does not hold",
        "does not hold": "holds",
        "within noise": "within noise",
    }
    for shift in (-2.0, 0.0, 2.0):
        differences = rng.normal(shift, size=9)
        found, reverse = paired_verdict(differences), paired_verdict(-differences)
        assert reverse.outcome == opposite[found.outcome]


@each("bad", [[], [np.nan, 1.0], [np.inf], [[1.0, 2.0]], 1.0])
def test_what_is_not_a_list_of_differences_is_refused(bad):
    with pytest.raises(DataError, match="give at least one, each a finite number"):
        paired_verdict(bad)


def test_one_part_that_does_not_hold_decides_and_so_does_one_that_may_hold():
    parts = ["holds", "one run", "within noise", "does not hold"]
    for first, second in itertools.product(range(4), repeat=2):
        pair = parts[first], parts[second]
        assert all_hold(pair) == parts[max(first, second)]
        assert any_holds(pair) == parts[min(first, second)]


@each(
    ("outcome", "said"),
    [
        ("holds", "Holds"),
        ("does not hold", "Does not hold"),
        ("within noise", "Within noise"),
        ("one run", "One run"),
        (None, "Not judged here"),
    ],
)
def test_every_outcome_makes_a_sentence(outcome, said):
    found = [Finding("It is so.", "yes", "3 of 3", outcome)]
    assert verdict(found) == f"It is so. {said}: 3 of 3."
    assert verdict(None) == "Not computed yet."
