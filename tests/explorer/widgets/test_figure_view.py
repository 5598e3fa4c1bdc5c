"""What views of all pages inherit: the theme, and a figure with words below."""

import panel as pn
import param
import pytest
from bokeh.plotting import figure

from explorer.widgets.data_table import DataTable
from explorer.widgets.figure_view import FigureView, TableView
from explorer.widgets.markup import markup
from explorer.widgets.theme import palette


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
        self._table = DataTable()


def test_a_view_draws_what_it_watches_and_in_another_theme():
    view = Level(state=State())
    view.state.other = 2.0
    view.state.level = 1.0
    view.dark = True
    assert view.drawn == [(0.0, False), (1.0, False), (1.0, True)]


def test_a_view_that_knows_its_colours_is_not_drawn_for_another_theme():
    view = Described(state=State())
    view.dark = True
    assert view.colour == palette(dark=True).text
    assert len(view.drawn) == 1


@pytest.mark.parametrize(("view", "n_parts"), [(Level, 1), (Described, 2)])
def test_words_stand_below_a_figure_of_its_own_height(view, n_parts):
    shown = view(state=State()).__panel__()
    panes = list(shown) if isinstance(shown, pn.Column) else [shown]
    assert len(panes) == n_parts
    assert panes[0].height == 123


def test_a_table_takes_the_colours_of_the_theme():
    view = Cells()
    view.dark = True
    assert view.__panel__().colours["text"] == palette(dark=True).text
