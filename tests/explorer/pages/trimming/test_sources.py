"""Every network opens with a question that can be searched."""

import numpy as np
import pytest

from explorer.pages.trimming.page import _network_line
from explorer.pages.trimming.sources import (
    FILE,
    OpenRequest,
    drawn_table,
    opening_features,
    sources,
)
from explorer.session.own_files import opened_file
from solvers.bayes import bundled_classifier, classifier_to_json, network_to_json
from solvers.errors import ThriftscopeError
from tests.bayes.worlds import naive_network
from tests.each import each
from tests.explorer.pages.trimming.asked import opened, search, take


@each("source", ["quiz", "fig3", "wine", "digits", "session"])
def test_every_source_opens_with_a_question_that_can_be_searched(source):
    assert search(opened(source)).log.is_complete


def test_the_quiz_opens_as_printed(quiz):
    assert (quiz.target, quiz.positive, quiz.threshold) == ("C", "+", 0.07)
    assert quiz.best().features == ("Q1", "Q2")
    assert quiz.best().agreement == pytest.approx(4874 / 5000)


def test_classic_networks_are_offered_where_they_can_be_read(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert not any(title.startswith("Classic") for title in sources())


def test_a_classic_network_opens_on_a_cause_and_what_shows_it():
    pytest.importorskip("pgmpy")
    state = search(opened("asia"))
    assert state.target in state.network().roots
    # All others: they are few.
    assert {state.target, *state.features} == set(state.network().states)
    assert state.log.is_complete


def test_a_file_with_a_classifier_brings_its_question():
    state = opened("wine")
    state.forget()
    text = classifier_to_json(bundled_classifier("fig3"))
    take(
        state,
        OpenRequest(FILE, file=opened_file("network", "mine.json", text.encode())),
    )
    assert (state.source, state.threshold) == (FILE, 0.55)
    assert state.features == ["F1", "F2", "F3"]


def test_a_file_that_is_refused_changes_nothing(quiz):
    before = quiz.opened
    with pytest.raises(ThriftscopeError):
        take(quiz, OpenRequest(FILE, file=opened_file("network", "bad.json", b"[1, 2")))
    assert quiz.opened is before
    assert quiz.source == "quiz"


def test_it_is_said_that_not_all_features_of_a_large_network_are_chosen():
    """14 of four states each have more joint states than are searched in a moment."""
    rng = np.random.default_rng(0)
    text = network_to_json(naive_network(rng, 14, cardinalities=(4,)))
    state = opened()
    state.forget()
    take(
        state, OpenRequest(FILE, file=opened_file("network", "14.json", text.encode()))
    )
    n_left = 14 - len(state.features)
    assert n_left > 0
    assert f"{n_left} more can be added under Features: together" in _network_line(
        state
    )
    state.features = [f"F{j}" for j in range(14)]
    assert "more can be added" not in _network_line(state)


def test_a_network_file_opens_with_features_that_can_be_searched():
    text = network_to_json(bundled_classifier("quiz").network)
    state = opened()
    state.forget()
    take(
        state, OpenRequest(FILE, file=opened_file("network", "net.json", text.encode()))
    )
    assert (state.target, state.threshold) == ("C", 0.1)
    assert state.features == ["Q1", "Q2", "Q3"]


def test_a_network_is_a_problem_for_every_page(quiz):
    table = drawn_table(quiz.opened)
    assert (table.name, table.positive) == (quiz.opened.title, "+")
    assert table.feature_names == ("Q1", "Q2", "Q3")
    assert table.hypergraph.component_costs.tolist() == [1.0] * 3
    network = quiz.network()
    prior = network.tables["C"][network.states["C"].index("+")]
    assert (table.y == "+").mean() == pytest.approx(prior, abs=0.03)


def test_what_a_link_asks_for_stays_where_it_fits():
    state = opened("quiz", threshold=0.2, budget=1.0)
    assert (state.threshold, state.budget) == (0.2, 1.0)


def test_what_a_link_asks_for_is_left_out_where_it_does_not_fit():
    state = opened("quiz", target="Elsewhere", positive="?", budget=99.0)
    assert (state.target, state.positive, state.budget) == ("C", "+", 3.0)


def test_opening_features_are_leaves_below_the_target_first():
    network = bundled_classifier("fig3").network
    assert opening_features(network, "C") == ("F1", "F2", "F3")


def test_of_a_learned_network_it_is_said_how_many_columns_are_not_in_it():
    assert "Of 13 columns the 7 that tell most" in _network_line(opened("wine"))
    assert "columns the" not in _network_line(opened("wine", n_columns=13))
