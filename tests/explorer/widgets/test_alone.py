"""A view alone in a notebook says what it waits for, until that has come."""

import importlib

import panel as pn
import param
import pytest

from explorer.document.editor import EditorState
from explorer.pages.frontier.frontier_plot import FrontierPlot, PointsTable
from explorer.pages.frontier.queries import TRACES
from explorer.pages.frontier.state import FrontierState
from explorer.pages.trimming.scenes import ScatterView
from explorer.session.state import bundled
from explorer.widgets.alone import Alone
from explorer.widgets.markup import markup
from solvers.errors import DataError
from tests.explorer.test_notebook_views import VIEWS


class Wanting(param.Parameterized):
    waits = param.String(default="<b>rows</b>")


class View(Alone):
    state = param.ClassSelector(class_=Wanting)

    def __panel__(self):
        return markup("the view")


@pytest.fixture
def shown(monkeypatch):
    """What a notebook would be given of a view: the texts of its parts, in order."""
    kept = []

    def keep(view, include=None, exclude=None):
        kept.append(view)

    monkeypatch.setattr(pn.viewable.Viewable, "_repr_mimebundle_", keep)

    def texts(view):
        kept.clear()
        view._repr_mimebundle_()
        panes = kept[0].select(pn.pane.HTML)
        return [pane.object for pane in panes if pane.visible and pane.object]

    return texts


def test_it_says_so_above_itself_and_no_more_once_it_has_come(shown):
    view = View(state=Wanting())
    assert shown(view) == [
        '<p role="status">Nothing to show yet: it waits for &lt;b&gt;rows&lt;/b&gt;.'
        "</p>",
        "the view",
    ]
    view.state.waits = ""
    assert shown(view) == ["the view"]


def test_what_is_shown_already_follows(shown, monkeypatch):
    view, kept = View(state=Wanting()), []
    monkeypatch.setattr(
        pn.viewable.Viewable, "_repr_mimebundle_", lambda one, *_: kept.append(one)
    )
    view._repr_mimebundle_()
    (note, *_) = kept[0].select(pn.pane.HTML)
    assert note.visible
    view.state.waits = ""
    assert not note.visible


def test_a_frontier_without_points_says_how_they_come(shown):
    state = FrontierState(dataset=bundled("breast_cancer"), methods=["l1"])
    for kind in (FrontierPlot, PointsTable):
        assert "queries.TRACES.answer(state)" in shown(kind(state=state))[0]
    TRACES.answer(state)
    assert not FrontierPlot(state=state).waits()


def test_a_view_of_a_result_waits_for_that(shown):
    assert "waits for result, its parameter" in shown(ScatterView())[0]


def test_a_view_without_a_state_is_refused_in_a_sentence():
    with pytest.raises(DataError, match=r"write FrontierPlot\(state=FrontierState"):
        FrontierPlot()


def test_every_view_of_a_state_that_is_computed_knows_what_it_waits_for():
    silent = []
    for module, name in VIEWS:
        kind = getattr(importlib.import_module(module), name)
        state = kind.param.objects().get("state")
        if not issubclass(kind, Alone) or state is None or "result" in kind.param:
            continue
        # A drawing is always there.
        if state.class_ is not EditorState and not kind(state=state.class_()).waits():
            silent.append(name)
    assert silent == []
