"""Of which rows a floor is proven, and that what is not whole replaces nothing."""

import numpy as np
import pytest
from sklearn.datasets import load_wine

from explorer.pages.proof.questions import MAX_ROWS, FloorQuestion, open_data
from explorer.pages.proof.state import ProofState
from explorer.pages.proof.streams import floor_runs
from explorer.pages.proof.text import listed_text, nearly_texts, searched_text
from explorer.session.state import bundled
from solvers import Dataset, FeatureHypergraph
from solvers.errors import DataError
from tests.explorer.pages.proof.answered import answers, more, proofs, prove
from tests.explorer.worlds import own_table


def test_no_more_rows_are_taken_than_are_waited_for():
    data = open_data("signals", None)
    assert len(data.y) == MAX_ROWS < data.n_train
    assert f"the first {MAX_ROWS} of {data.n_train}" in data.line


def test_three_classes_and_costs_of_nothing_are_refused_with_a_sentence():
    wine = load_wine()
    graph = FeatureHypergraph.independent([1.0] * 13)
    table = Dataset("wine", wine.data, wine.target, graph)
    with pytest.raises(DataError, match="wine has 3 classes; choose a data set of two"):
        open_data("session", table)
    X = np.random.default_rng(0).standard_normal((40, 2))
    free = Dataset("free", X, X[:, 0] > 0, FeatureHypergraph.independent([0.0, 0.0]))
    question = FloorQuestion("session", free, 0.01, 0.01, 5.0)
    with pytest.raises(DataError, match="give at least one component a cost"):
        list(floor_runs(question, open_data("session", question.dataset)))
    with pytest.raises(DataError, match="No data set is open"):
        open_data("session", None)


def test_the_heart_table_is_the_bundled_one(heart):
    assert heart.data.dataset is bundled("heart")


def test_what_is_open_between_budgets_is_asked_for_until_it_is_closed():
    question = FloorQuestion("session", own_table(), 0.01, 1e-3, 20.0)
    runs = [
        run
        for run in floor_runs(question, open_data("session", question.dataset))
        if run.is_whole
    ]
    first = next(run for run in runs if len(run.certified) == run.n_budgets)
    assert any(not step.closed for step in first.steps)
    assert len(runs[-1].certified) > runs[-1].n_budgets
    assert all(step.closed for step in runs[-1].steps)


def test_a_floor_that_is_not_whole_does_not_replace_what_is_shown(state):
    shown, state.ridge = state.floors, 0.5
    runs = proofs(state)
    state.show_floors(next(runs))
    assert state.floors is shown
    for run in runs:
        state.show_floors(run)
    assert state.floors.question.ridge == 0.5


def test_more_time_goes_on_with_the_same_trees():
    state = ProofState(source="heart", tol=1e-4, seconds=1.0)
    for run in proofs(state):
        state.show_floors(run)
        if run.is_whole:
            break  # as a press of Cancel: what is proven stays
    before = state.floors
    assert state.is_open
    for run in more(state, state.floors, proofs):
        state.show_floors(run)
    assert state.floors.search is before.search
    assert state.floors.progress > 0.95  # closed, or out of time
    for budget, one in before.certified.items():
        later = state.floors.certified[budget]
        assert later.lower >= one.lower
        assert later.nodes >= one.nodes
    assert state.floors.closed_share > before.closed_share
    assert "nodes in" in searched_text(state)
    assert searched_text(ProofState()) == ""


def test_a_list_that_was_cut_short_grows_with_more_time():
    state = prove(ProofState(source="heart", within=0.2, share=0.6), is_short=True)
    for one in answers(state):
        state.show_answer(one)
        if one.nearly is not None:
            break  # as a press of Cancel
    before = state.answer
    assert state.is_answer_open
    assert listed_text(state).startswith("At least ")
    said = nearly_texts(before.nearly, before)
    assert [one.split(":")[0] for one in said[1:]] == [
        "In all of those found",
        "In none of those found",
    ]
    for one in more(state, state.answer, answers):
        assert one.nearly.found.count >= before.nearly.found.count
        state.show_answer(one)
    found = state.answer.nearly.found
    assert state.answer.search is before.search
    assert found.count > before.nearly.found.count
    # What is kept has no search: it goes on from what is listed.
    state.answer = state.answers[state.turn(state.answer.question)]
    assert state.answer.search is None
    first = next(iter(more(state, state.answer, answers)))
    assert first.nearly.found.count == found.count


def test_a_budget_that_is_a_cost_but_for_rounding_buys_what_costs_that(heart):
    run = heart.floors
    for step in run.steps:
        assert run.at(np.nextafter(step.end, 0.0)).lower <= run.at(step.end).lower


def test_a_budget_that_was_asked_for_has_its_own_floor(heart):
    run = heart.floors
    for budget, one in run.certified.items():
        assert run.at(budget).lower >= one.lower
