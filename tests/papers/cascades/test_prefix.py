"""A cascade beside static prefixes, at like budgets."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.papers.cascades import (
    CascadeRows,
    compare_with_prefix,
)
from solvers.papers.cascades.prefix import PrefixComparison
from tests.papers.cascades.drawn_rows import random_rows


def test_a_budget_below_the_first_stage_is_left_out():
    rows = CascadeRows(
        np.zeros((4, 2)),
        np.zeros((4, 2), int),
        np.zeros(4, int),
        np.array([5.0, 10.0]),
        2,
    )
    assert [row.share for row in compare_with_prefix(rows, rows)] == [0.6, 0.8, 1.0]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_on_the_rows_of_the_choice_both_keep_within_the_budget(seed):
    rows = random_rows(seed)
    for row in compare_with_prefix(rows, rows):
        assert row.cascade_cost <= row.budget * (1 + 1e-6)
        assert row.prefix_cost <= row.budget * (1 + 1e-6)


def test_the_best_prefix_within_a_budget_is_found():
    right = np.array([[1, 0, 1], [0, 1, 1], [0, 1, 1], [0, 1, 0]])
    rows = CascadeRows(
        np.full((4, 3), -np.inf), right, np.ones(4, int), np.array([1.0, 2.0, 4.0]), 2
    )
    found = {row.share: row.prefix for row in compare_with_prefix(rows, rows)}
    assert (found[0.3], found[0.6], found[1.0]) == (0.25, 0.75, 0.75)


@pytest.mark.parametrize(
    ("cascade", "error", "ahead"),
    [(0.9, 0.01, "cascade"), (0.7, 0.01, "prefix"), (0.81, 0.01, "level")],
)
def test_only_a_difference_beyond_noise_is_told(cascade, error, ahead):
    row = PrefixComparison(0.1, 1.0, cascade, 0.8, 1.0, 1.0, error)
    assert row.ahead == ahead
