"""What costs nothing has a place on the axes, which are named and end as told."""

from hypothesis import given
from hypothesis import strategies as st

from explorer.figures.axes import CostAxis, cost_label, score_axis, score_ends
from explorer.widgets.text import SCORES
from solvers import Frontier
from tests.each import each


@each(
    ("accounting", "words"),
    [("mean", "mean"), ("p95", "95th percentile"), ("max", "worst case")],
)
def test_the_axis_of_cost_says_over_which_rows(accounting, words):
    label = cost_label(Frontier([], accounting))
    assert label == f"prediction cost, {words} over test rows"


def test_every_score_has_an_axis_on_which_better_is_higher():
    for score in SCORES:
        axis = score_axis(Frontier([], score=score), -3.0, 1.0, "CAD")
        assert f"{SCORES[score]} on test rows" in axis.label
        assert ("less is higher" in axis.label) == (axis.ticks is not None)


def test_what_is_negated_has_round_ticks_without_signs():
    axis = score_axis(Frontier([], score="neg_total_cost"), -59.0, 1.0, "CAD")
    assert axis.label == "Tests and mistakes on test rows (CAD), less is higher"
    assert [*axis.ticks.items()][:2] == [(-50.0, "50.0"), (-40.0, "40.0")]
    assert axis.ticks[0.0] == "0"


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


LOG = CostAxis(end=100.0, edge=1.0)


def test_nothing_stands_in_a_band_before_the_powers_of_ten():
    places = LOG.places([0.0, 1.0, 10.0])
    assert LOG.start < places[0] == LOG.nothing < LOG.edge
    assert list(places[1:]) == [1.0, 10.0]
    assert LOG.cost_at(LOG.nothing) == LOG.cost_at(0.999 * LOG.edge) == 0.0
    assert LOG.cost_at(10.0) == 10.0


def test_a_linear_axis_moves_nothing():
    axis = CostAxis(end=100.0)
    assert (axis.start, axis.place(0.0), axis.cost_at(0.5)) == (0.0, 0.0, 0.5)


def test_stairs_end_with_the_axis_or_where_a_line_goes_beyond_it():
    steps = CostAxis(10.0).stairs([1.0, 4.0], [0.5, 0.7])
    assert steps == ([1.0, 4.0, 10.0], [0.5, 0.7, 0.7])
    assert CostAxis(3.0).stairs([4.0], [0.7])[0] == [4.0, 4.0]
    assert CostAxis(3.0).stairs([], []) == ([], [])
