"""What views of all pages inherit, also alone in a notebook, and what is sent of it."""

import importlib

import panel as pn
import param
import pytest
from bokeh.models import Span
from bokeh.plotting import figure

from explorer.figures.live import SceneView
from explorer.figures.scene import Axis, Scene, dots
from explorer.pages.frontier.frontier_plot import FrontierPlot, PointsTable
from explorer.pages.frontier.queries import TRACES
from explorer.pages.frontier.state import FrontierState
from explorer.pages.trimming.scenes import ScatterView
from explorer.session.state import bundled
from explorer.widgets.figure_view import (
    Alone,
    FigureView,
    TableView,
    draw_once,
    one_message,
)
from explorer.widgets.markup import markup
from explorer.widgets.tables import DataTable
from explorer.widgets.theme import method_style, palette
from solvers.errors import DataError
from tests.each import each
from tests.explorer.test_notebook_views import asked, views


class State(param.Parameterized):
    level = param.Number(default=0.0)
    other = param.Number(default=0.0)


class Level(FigureView):
    """A figure of one number."""

    state = param.ClassSelector(class_=State)

    def __init__(self, **params):
        super().__init__(**params)
        self.figure = figure(height=123)
        self.drawn = []
        self._watch_state(self._draw, "level")
        self._draw()

    def _draw(self):
        self.drawn.append((self.state.level, self.dark))


class Coloured(Level):
    """The same with colours in its data."""

    draws_colours = True


class Described(Level):
    """The same with words, and colours that change without drawing."""

    def __init__(self, **params):
        self._text = markup("words")
        super().__init__(**params)
        self.colour = None

    def _use_theme(self):
        self.colour = palette(self.dark).text


class Cells(TableView):
    """A table."""

    def __init__(self, **params):
        super().__init__(**params)
        self._table = DataTable(dark=self.param.dark)


def test_a_view_draws_what_it_watches_and_in_another_theme_what_holds_colours():
    for kind, again in [(Level, []), (Coloured, [(1.0, True)])]:
        view = kind(state=State())
        view.state.other = 2.0
        view.state.level = 1.0
        view.dark = True
        assert view.drawn == [(0.0, False), (1.0, False), *again]


def test_a_view_that_knows_its_colours_is_not_drawn_for_another_theme():
    view = Described(state=State())
    view.dark = True
    assert view.colour == palette(dark=True).text
    assert len(view.drawn) == 1


@each(("view", "n_parts"), [(Level, 1), (Described, 2)])
def test_words_stand_below_a_figure_of_its_own_height(view, n_parts):
    shown = view(state=State()).__panel__()
    panes = list(shown) if isinstance(shown, pn.Column) else [shown]
    assert len(panes) == n_parts
    assert panes[0].height == 123


def test_a_table_takes_the_colours_of_the_theme():
    view = Cells()
    view.dark = True
    assert view.__panel__().colours["text"] == palette(dark=True).text


class Painted(FigureView):
    """Marks of a role and of a method, and a line."""

    def __init__(self, **params):
        super().__init__(**params)
        self.figure = figure()
        self.marks = self._layer(
            "scatter",
            "x",
            "y",
            told=("name",),
            line_color="ring",
            fill_color=method_style("acafh"),
        )
        self.span = self._paint(Span(), line_color="budget")


def test_what_is_painted_has_the_colours_of_its_roles_in_every_theme():
    view = Painted(dark=False)
    for dark in (False, True):
        view.dark = dark
        assert view.span.line_color == palette(dark).budget
        assert view.marks.glyph.line_color == palette(dark).ring
        assert view.marks.glyph.fill_color == method_style("acafh").colour(dark)
    assert set(view.marks.data_source.data) == {"x", "y", "name"}


def test_marks_are_sent_in_one_look():
    view = Painted()
    alike = view._layer("text", "x", "y", "text", name="alike", level="overlay")
    assert alike.name == "alike"
    assert alike.level == "overlay"
    assert alike.nonselection_glyph is alike.muted_glyph is None
    assert alike in view.figure.renderers


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
    for module, name in views():
        kind = getattr(importlib.import_module(module), name)
        state = kind.param.objects().get("state")
        if not issubclass(kind, Alone) or state is None or "result" in kind.param:
            continue
        # What a state is made of, as a drawing, is always there.
        if not asked(state.class_) and not kind(state=state.class_()).waits():
            silent.append(name)
    assert silent == []


class Dots(param.Parameterized):
    heights = param.List(default=[1.0, 2.0, 3.0])
    colour = param.String(default="lit")


class DotsView(SceneView):
    called, follows = "dots", ("heights", "colour")
    state = param.ClassSelector(class_=Dots)

    def scene(self):
        heights = self.state.heights
        roles = [self.state.colour] * len(heights)
        layer = dots(
            "dots", [*range(len(heights))], heights, "role", told={"role": roles}
        )
        return Scene(Axis("x", 0, 3), Axis("y", 0, 3), [layer])


def test_columns_are_sent_once_for_a_message_and_as_they_are_at_last():
    state = Dots()
    view = DotsView(state=state)
    source, sent = view._renderers["dots"].data_source, []
    source.on_change("data", lambda attr, old, new: sent.append({**new}))
    with one_message():
        state.colour = "shared"
        state.heights = [2.0]
        assert not sent
    assert [[*one["y"]] for one in sent] == [[2.0]]
    state.heights = [1.0, 2.0]  # Beside a message at once
    assert len(sent) == 2


def test_what_waits_is_drawn_once_though_the_message_fails():
    drawn = []

    def draw():
        drawn.append("drawn")

    def fail():
        with one_message():
            draw_once(draw)
            draw_once(draw)
            raise ValueError("halfway")

    with pytest.raises(ValueError, match="halfway"):
        fail()
    assert drawn == ["drawn"]
