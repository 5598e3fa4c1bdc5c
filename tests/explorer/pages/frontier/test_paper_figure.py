"""How lines of the paper's figures look, and when they are drawn anew."""

import pytest

from explorer.figures.paper_pictures import PROCEDURES, line_styles
from explorer.pages.frontier.paper_figure import PaperFigureView
from explorer.pages.frontier.paper_state import PaperFiguresState
from explorer.widgets.theme import method_style
from solvers.papers.figures import figure_8
from solvers.papers.figures.contenders import contenders
from solvers.papers.figures.timing import trained_as
from tests.each import each

TRAINED = [*trained_as(), "Reweighted L1", "L1"]


@each("names", [sorted(PROCEDURES), list(contenders(refit=True)), TRAINED])
def test_no_two_lines_of_a_picture_look_the_same(names):
    looks = [(s.light, s.marker, s.dash) for s in line_styles(names).values()]
    assert len(set(looks)) == len(names)


def test_a_method_keeps_its_look_and_its_variants_keep_the_colour():
    styles = line_styles(TRAINED)
    assert styles["L1"] == method_style("l1")
    assert {styles[name].light for name in trained_as()} == {
        method_style("acafh").light
    }


def test_lines_that_come_later_change_no_look():
    whole = line_styles(TRAINED)
    assert line_styles(TRAINED[:2]) == {name: whole[name] for name in TRAINED[:2]}


@pytest.fixture
def state():
    return PaperFiguresState(figure="8")


def test_new_points_and_new_lines_keep_the_figure(state):
    collect = state.collector()
    rows = list(figure_8([100, 200], psis=[1e-3]))
    collect(rows[:3])
    view = PaperFigureView(state=state)
    drawn = view.drawn
    assert drawn is not None
    collect(rows[3:])
    assert view.drawn is drawn
    assert [item.label.value for item in drawn.legend[0].items] == [
        row.procedure for row in rows[:5]
    ]
    assert view._sources[rows[0].procedure].data["x"] == [100, 200]


def test_lines_without_rows_yet_are_empty_when_a_figure_is_asked_for_again(state):
    rows = list(figure_8([100], psis=[1e-3]))
    state.collector()(rows)
    view = PaperFigureView(state=state)
    state.collector()(rows[:1])
    drawn = {name: source.data["x"] for name, source in view._sources.items()}
    assert drawn.pop(rows[0].procedure) == [100]
    assert not any(drawn.values())


def test_another_picture_is_another_figure(state):
    state.collector()(figure_8([100, 200], psis=[1e-3, 1e-2]))
    view = PaperFigureView(state=state)
    drawn = view.drawn
    state.picture = state.titles()[1]
    assert view.drawn is not drawn
