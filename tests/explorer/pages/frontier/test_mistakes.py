"""With a price of mistakes the frontier counts tests and mistakes together."""

import pytest

from explorer.pages.frontier.answer import summary_text
from explorer.pages.frontier.controls import frontier_controls
from explorer.pages.frontier.queries import MARKS, TRACES
from explorer.pages.frontier.state import FrontierState
from explorer.pages.frontier.take_away import frontier_script
from explorer.session.state import SessionState, bundled
from solvers import MistakeCosts
from solvers.frontier import total_cost, trivial_answers
from solvers.frontier.evaluation import price_mistakes
from tests.each import each

FEW = {"settings": {"l1.n_alphas": 10}}


@pytest.fixture(scope="module")
def state():
    """Heart, where a mistake costs 500 dollars, whichever."""
    state = FrontierState(dataset=bundled("heart"), methods=["l1", "csdt"], **FEW)
    TRACES.answer(state)
    state.param.update(miss=500.0, false_alarm=500.0)
    assert not state.traces  # what is known does not know of mistakes
    TRACES.answer(state)
    MARKS.answer(state)
    return state


def test_every_point_is_scored_and_chosen_by_what_a_row_costs_in_all(state):
    mistakes = MistakeCosts.binary(miss=500.0, false_alarm=500.0)
    assert state.axes().score == "neg_total_cost"
    for point in state.frontier().points[:5]:
        again = price_mistakes(point, state.split(), mistakes)
        assert total_cost(point) == pytest.approx(total_cost(again))
    state.budget = state.full_cost()
    stops = state.stops()
    assert state.chosen().point is stops.point
    cheapest = min(one.train for one in trivial_answers(state.split(), mistakes))
    assert stops.trivial.train == cheapest


def test_the_answer_says_where_testing_stops_paying(state):
    said = summary_text(state)
    assert "Testing stops paying at" in said
    assert "calling every row healthy without a test costs" in said


def test_the_script_is_told_of_mistakes(state):
    text = frontier_script(state, SessionState(dataset=state.dataset))
    assert "MistakeCosts([[0.0, 500.0], [500.0, 0.0]])" in text


def test_where_no_test_pays_it_says_so_and_nothing_is_ringed():
    state = FrontierState(dataset=bundled("heart"), methods=["l1"], **FEW)
    state.param.update(miss=0.001, false_alarm=0.001)
    TRACES.answer(state)
    assert state.stops().point is None
    assert "No test pays for itself" in summary_text(state)
    assert "all of it mistakes" in summary_text(state)
    state.false_alarm = 0.0
    TRACES.answer(state)
    assert "have no price; price them too" in summary_text(state)


def test_seconds_may_be_worth_money():
    state = FrontierState(dataset=bundled("published"))
    state.param.update(miss=2.0, false_alarm=2.0, worth=1e5)
    in_time = state.mistakes().in_unit("us")
    assert in_time.costs[1, 0] == pytest.approx(2.0 / 1e5 * 1e6)


def test_the_score_is_offered_while_mistakes_have_a_price(context):
    state = FrontierState(dataset=bundled("heart"))
    tuned = frontier_controls(state, context.job())
    (box,) = tuned.select(lambda one: getattr(one, "label", "") == "Score")
    assert "neg_total_cost" not in box.options.values()
    state.miss = 50.0
    assert box.value == "neg_total_cost" == state.score
    state.miss = 0.0
    assert box.value == "f1" == state.score


@each(("typed", "taken"), [("-5", 20.0), ("1e12", 1e9), ("", 0.0)])
def test_what_no_mistake_costs_is_refused_or_the_nearest(context, typed, taken):
    state = FrontierState(dataset=bundled("heart"), miss=20.0)
    tuned = frontier_controls(state, context.job())
    fields = tuned.select(lambda one: "missed case" in getattr(one, "label", ""))
    fields[0].value = typed
    assert state.miss == taken
