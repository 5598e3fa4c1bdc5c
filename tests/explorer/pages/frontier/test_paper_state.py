"""Which figure of the paper is looked at, and what its rows draw and say."""

import pytest

from explorer.pages.frontier.paper_state import PaperFiguresState
from solvers.papers.figures import figure_8, figure_9, figure_blocks


@pytest.fixture
def state():
    state = PaperFiguresState(figure="8")
    state.collector()(figure_8([100, 200], psis=[1e-3, 1e-2]))
    return state


def test_nothing_is_drawn_before_rows_have_come():
    state = PaperFiguresState()
    assert state.shown() is None
    assert state.titles() == []
    assert state.measured() == []


def test_there_is_a_picture_for_each_panel(state):
    assert state.titles() == [
        "Memory (MB, counted), Sharing ψ = 0.001",
        "Memory (MB, counted), Sharing ψ = 0.01",
    ]


def test_there_is_a_picture_for_each_quantity():
    state = PaperFiguresState(figure="blocks")
    state.collector()(figure_blocks([100], psis=[0.01, 0.001]))
    assert state.titles() == ["Blocks K", "Largest block (features)"]


def test_a_picture_has_a_line_for_each_procedure_by_rising_x(state):
    picture = state.shown()
    drawn = {line.name: line for line in picture.lines}
    rows = [row for row in state.found if row.psi == 1e-3]
    assert set(drawn) == {row.procedure for row in rows}
    line = drawn["CAFH as published"]
    assert line.x == (100, 200)
    assert line.y == tuple(
        row.megabytes for row in rows if row.procedure == "CAFH as published"
    )


def test_the_chosen_picture_is_shown_and_an_unknown_one_is_the_first(state):
    state.picture = state.titles()[1]
    assert state.shown().title == state.titles()[1]
    state.picture = "of another figure"
    assert state.shown().title == state.titles()[0]


def test_scales_are_those_of_the_figure(state):
    picture = state.shown()
    assert (picture.is_x_log, picture.is_y_log) == (False, True)


def test_what_is_measured_is_said_of_complete_rows_only(state):
    assert state.measured() == []
    state.finish("8")
    assert state.measured() == state.about.measured(state.found)


def test_old_rows_stay_until_the_first_new_one_has_come(state):
    before = state.found
    state.finish("8")
    collect = state.collector()
    assert state.found == before
    fresh = list(figure_8([100], psis=[1e-3]))
    assert 0 < collect(fresh[:1]) < 1
    assert state.found == tuple(fresh[:1])
    assert state.measured() == []


def test_rows_go_to_the_figure_that_was_asked_for(state):
    collect = state.collector()
    state.figure = "9"
    rows = list(figure_9([1]))
    collect(rows)
    assert state.found == ()
    assert state.rows["8"] == tuple(rows)


def test_the_table_has_every_row_under_the_headings(state):
    columns, numbers, rows = state.table()
    assert columns[0] == "Procedure"
    assert numbers == [False, True, True, True, True, True]
    assert len(rows) == len(state.found)
    assert all(len(row) == len(columns) for row in rows)
