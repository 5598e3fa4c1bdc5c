"""What views of all pages inherit: the theme, and a figure with words below."""

import panel as pn
import param
from bokeh.models import Span
from bokeh.plotting import figure

from explorer.widgets.data_table import DataTable
from explorer.widgets.figure_view import FigureView, TableView
from explorer.widgets.markup import markup
from explorer.widgets.theme import method_style, palette
from tests.each import each


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
    """A mark of a role and a line of a method, some of which are picked."""

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
            nonselection_line_alpha=0.5,
        )
        self.span = self._paint(Span(), line_color="budget")


def test_what_is_painted_has_the_colours_of_its_roles_in_every_theme():
    view = Painted(dark=False)
    for dark in (False, True):
        view.dark = dark
        assert view.span.line_color == palette(dark).budget
        for glyph in (view.marks.glyph, view.marks.nonselection_glyph):
            assert glyph.line_color == palette(dark).ring
            assert glyph.fill_color == method_style("acafh").colour(dark)
    assert set(view.marks.data_source.data) == {"x", "y", "name"}
