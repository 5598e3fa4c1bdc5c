"""What the axes of a frontier are called, and where they end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.figures.axes import cost_label, score_ends, score_label
from explorer.widgets.text import SCORES
from solvers import Frontier


@pytest.mark.parametrize(
    ("accounting", "words"),
    [("mean", "mean"), ("p95", "95th percentile"), ("max", "worst case")],
)
def test_the_axis_of_cost_says_over_which_rows(accounting, words):
    label = cost_label(Frontier([], accounting))
    assert label == f"prediction cost, {words} over test rows"


def test_every_score_has_a_label():
    for score in SCORES:
        assert score_label(score).endswith("on test rows") or score == "neg_log_loss"
    assert score_label("neg_log_loss") == "Log loss on test rows, negated"


@given(st.lists(st.floats(0, 1), min_size=1, max_size=5))
def test_shares_lie_within_their_axis_which_ends_just_above_1(scores):
    low, high = score_ends(scores)
    assert low <= min(scores)
    assert 0 <= low < high == 1.01


@given(st.lists(st.floats(-9, -0.01), min_size=1, max_size=5))
def test_negated_losses_lie_within_theirs_which_ends_just_above_0(scores):
    low, high = score_ends(scores)
    assert low < min(scores)
    assert max(scores) < 0 < high < 1


def test_an_axis_of_nothing_is_that_of_shares():
    assert score_ends([]) == (0.0, 1.01)
