"""What the trimming page is asked, what is searched, and what of it is shown."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.compute.query import Answering
from explorer.pages.trimming.log import SearchLog
from explorer.pages.trimming.page import _network_line
from explorer.pages.trimming.queries import SEARCH
from explorer.pages.trimming.scenes import NetworkView
from explorer.pages.trimming.state import TrimmingState
from explorer.pages.trimming.words import summary_text
from explorer.session.choices import Choices
from explorer.session.declared import kept_names
from tests.each import each
from tests.explorer.pages.trimming.asked import opened, search, take


def test_another_network_brings_its_own_question_and_the_old_one_stays_till_then():
    state = opened("quiz", threshold=0.2)
    state.forget()
    assert (state.target, state.threshold) == ("C", 0.2)
    state.source = "fig3"
    take(state, state.open_request())
    assert (state.threshold, state.budget) == (0.55, 2.0)


def test_a_link_to_the_session_s_data_keeps_its_budget():
    state = opened("session", budget=3.0)
    assert (state.charging, state.budget) == ("hypergraph", 3.0)


def test_another_target_brings_its_states_and_features(quiz):
    quiz.target = "Q1"
    assert quiz.positive in quiz.network().states["Q1"]
    assert "Q1" not in quiz.features
    assert quiz.question().original.target == "Q1"


def test_an_edited_cost_is_charged(quiz):
    quiz.set_cost("Q1", 2.5)
    assert quiz.charging == "edited"
    assert quiz.total_cost() == 4.5
    quiz.budget = 2.0
    assert "Q1" not in search(quiz).best().features


@each("cost", [-1.0, float("nan"), float("inf")])
def test_a_cost_that_is_none_is_not_taken(quiz, cost):
    quiz.set_cost("Q1", cost)
    assert quiz.charging == "ones"


def test_the_session_s_hypergraph_charges_shared_components_once():
    state = search(opened("session"))
    hypergraph = state.dataset.hypergraph
    assert (state.charging, state.unit) == ("hypergraph", hypergraph.unit)
    kept = list(state.best().features)
    assert state.best().cost == pytest.approx(hypergraph.cost(kept))
    assert state.total_cost() == pytest.approx(hypergraph.cost(list(state.features)))


def test_a_hypergraph_of_other_names_is_not_offered(quiz):
    assert quiz.hypergraph() is None


def test_the_budget_never_exceeds_what_all_features_cost(quiz):
    quiz.budget = 3.0
    quiz.features = ["Q1", "Q3"]
    assert quiz.budget == 2.0


def test_at_other_costs_the_budget_buys_the_same_share(quiz):
    assert (quiz.budget, quiz.total_cost()) == (2.0, 3.0)
    quiz.param.update(costs=dict.fromkeys(quiz.features, 500.0), charging="edited")
    assert quiz.budget == pytest.approx(1000.0)
    quiz.charging = "ones"
    assert quiz.budget == 2.0


def test_at_other_prices_of_the_session_it_does_too():
    state = opened("session", budget=3.0)
    priced, total = state.dataset.hypergraph, state.total_cost()
    dear = replace(priced, component_costs=1000 * priced.component_costs)
    state.dataset = replace(state.dataset, hypergraph=dear)
    take(state, state.open_request())
    assert state.charging == "hypergraph"
    assert state.total_cost() == pytest.approx(1000 * total)
    assert state.budget == pytest.approx(3000.0)


def test_moving_the_threshold_keeps_the_tables_of_the_distribution(quiz):
    before = quiz.question()
    quiz.threshold = 0.3
    after = quiz.question()
    assert after.original is before.original
    assert after.classifier().masses is before.classifier().masses


def test_no_feature_is_no_question(quiz):
    quiz.features = []
    assert quiz.question() is None


def test_the_old_log_stays_until_news_have_come(quiz):
    before = quiz.log
    quiz.threshold = 0.3
    answering = Answering(SEARCH.missing(quiz))
    ((part, _, items),) = SEARCH.streams(quiz, [*answering.questions])
    assert quiz.log is before
    SEARCH.take(quiz, answering, [(part, next(items))])
    assert quiz.log is not before


def test_a_log_that_is_there_again_is_told_of_once(quiz):
    first, threshold = quiz.log, quiz.threshold
    quiz.threshold = 0.3
    SEARCH.answer(quiz)
    quiz.threshold = threshold
    arrived = quiz.arrived
    for _ in range(3):
        SEARCH.answer(quiz)
    assert quiz.log is first
    assert quiz.arrived == arrived + 1


def test_the_way_to_the_best_runs_to_the_root(wine):
    way = wine.log.best_way(wine.n_shown)
    assert way[-1] == 0
    assert wine.log.first_events[way[0]].state == "improved"


def test_nobody_watches_a_search_for_longer_than_twenty_seconds(wine, quiz):
    assert quiz.pace == quiz.speed
    kept = wine.log.events
    wine.log.events = kept * 100
    assert len(wine.log.events) / wine.pace < 20
    wine.log.events = kept


def test_nothing_is_said_of_a_network_before_there_is_one():
    state = TrimmingState()
    assert "Opening" in NetworkView(state=state)._text.object
    assert _network_line(state) == summary_text(state) == "Opening the network."


@each("source", ["quiz", "wine", "digits"])
def test_variables_stand_apart_and_in_the_same_place_each_time(source):
    places = opened(source).opened.places
    assert opened(source).opened.places == places
    points = np.array([*places.values()])
    apart = np.abs(points[:, np.newaxis] - points).max(axis=2)
    assert apart[~np.eye(len(points), dtype=bool)].min() > 0.04


def test_an_empty_log_shows_nothing(quiz):
    quiz.log = SearchLog(quiz.question())
    assert quiz.shown() is None
    assert quiz.best() is None
    assert not quiz.log.best_way(quiz.n_shown)


def test_a_session_that_asks_nothing_leaves_the_question_that_the_network_brings(quiz):
    names = kept_names(TrimmingState)
    asked = {name: getattr(quiz, name) for name in names}
    # A slider whose range has become nothing says so of the budget.
    quiz.param.watch(lambda *_: quiz.features or quiz.param.update(budget=0.0), names)
    choices = Choices()
    choices.adopt("trimming", quiz, names, quiz.restore_question)
    as_at_first = {name: quiz.param[name].default for name in names}
    choices.set("trimming", as_at_first | {"source": quiz.source})
    assert {name: getattr(quiz, name) for name in names} == asked
