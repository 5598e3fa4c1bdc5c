"""How lines of the paper's figures look, and when they are drawn anew."""

import pytest

from explorer.state.paper_figures import PaperFiguresState
from explorer.theme import method_style
from explorer.views.paper_figure import PROCEDURES, PaperFigureView, _styles
from solvers.figures import figure_8
from solvers.figures.contenders import contenders
from solvers.figures.timing import trained_as

TRAINED = [*trained_as(), "Reweighted L1", "L1"]


@pytest.mark.parametrize(
    "names", [sorted(PROCEDURES), list(contenders(refit=True)), TRAINED]
)
def test_no_two_lines_of_a_picture_look_the_same(names):
    looks = [(s.light, s.marker, s.dash) for s in _styles(names).values()]
    assert len(set(looks)) == len(names)


def test_a_method_keeps_its_colour_and_marker():
    styles = _styles(TRAINED)
    assert styles["L1"] == method_style("l1")
    ours = styles["ACAFH p=2/3 (ours)"]
    assert (ours.light, ours.marker) == (
        method_style("acafh").light,
        method_style("acafh").marker,
    )
    assert styles["CAFH p=1/2 (ours)"].light != ours.light


def test_new_points_of_known_lines_keep_the_figure():
    state = PaperFiguresState(figure="8")
    collect = state.collector()
    rows = list(figure_8([100, 200], psis=[1e-3]))
    collect(rows[:5])
    view = PaperFigureView(state=state)
    drawn = view._pane.object
    collect(rows[5:])
    assert view._pane.object is drawn
    (source, *_) = view._sources.values()
    assert source.data["x"] == [100, 200]


def test_another_picture_is_another_figure():
    state = PaperFiguresState(figure="8")
    state.collector()(figure_8([100, 200], psis=[1e-3, 1e-2]))
    view = PaperFigureView(state=state)
    drawn = view._pane.object
    state.picture = state.titles()[1]
    assert view._pane.object is not drawn
