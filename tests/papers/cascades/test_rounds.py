"""Rounds of exits hold every row once."""

from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.papers.cascades import rounds_of
from solvers.papers.cascades.rounds import round_ends
from tests.papers.cascades.drawn_rows import random_rows


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 8), st.floats(-1, 7))
def test_every_row_leaves_in_exactly_one_round(seed, n_stages, threshold):
    rows = random_rows(seed, n_stages=n_stages)
    rounds = rounds_of(rows, threshold)
    left = [i for found in rounds for i in (*found.right_rows, *found.wrong_rows)]
    assert sorted(left) == list(range(rows.n_rows))
    assert rounds[0].first == 1
    assert rounds[-1].last == n_stages


def test_rounds_of_the_papers_cascade_are_those_of_its_table():
    assert round_ends(28) == (11, 27, 28)


def test_a_round_names_its_stages():
    rounds = rounds_of(random_rows(0, n_stages=28), 3.0)
    assert [found.title for found in rounds] == [
        "stages 1 to 11",
        "stages 12 to 27",
        "stage 28",
    ]
