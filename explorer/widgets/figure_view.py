"""What all views have in common: state, theme, figure, table, words; and drawn once.

A browser that still takes in a figure's columns misses rows where fewer come in the
same message: what is sent of a figure is what it is at last.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, ClassVar

import panel as pn
import param
from bokeh import plotting
from bokeh.models import (
    AllIndices,
    CDSView,
    ColumnDataSource,
    CustomJS,
    Glyph,
    GlyphRenderer,
    Model,
    Range1d,
    glyphs,
)
from bokeh.plotting import figure
from panel.viewable import Viewer

from solvers.errors import DataError

from .markup import markup
from .parts import wide_column
from .tables import DataTable
from .text import plain
from .theme import Role, is_role, role_colour

_waiting: ContextVar[dict[Callable[[], None], None] | None] = ContextVar(
    "waiting", default=None
)


@contextmanager
def one_message() -> Iterator[None]:
    """Let what is to be drawn wait until all has changed that one message tells."""
    waiting: dict[Callable[[], None], None] = {}
    token = _waiting.set(waiting)
    try:
        yield
    finally:
        _waiting.reset(token)
        for draw in waiting:
            draw()


def draw_once(draw: Callable[[], None]) -> None:
    """Draw at the end of the message that is made, or now where none is."""
    waiting = _waiting.get()
    if waiting is None:
        draw()
    else:
        waiting[draw] = None


class Alone(Viewer):
    """A view that says in a notebook what it waits for, while it has nothing to show.

    On a page that says so itself. A state that is computed has it in `waits`.
    """

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        is_of_state = "state" in self.param and "result" not in self.param
        if is_of_state and self.state is None:
            own, kind = type(self).__name__, self.param.state.class_.__name__
            raise DataError(
                f"{own} shows a {kind}, and none was given; write "
                f"{own}(state={kind}(...))."
            )

    def waits(self) -> str:
        """Return what there is to show yet, in words; empty once it is there."""
        if "result" in self.param and not self.result:
            return "result, its parameter"
        return getattr(getattr(self, "state", None), "waits", "")

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        if not self.waits():
            return super()._repr_mimebundle_(include, exclude)
        note = markup("", margin=(4, 10))

        def tell(*_: Any) -> None:
            waits = self.waits()
            said = f"Nothing to show yet: it waits for {waits}." if waits else ""
            told = f'<p role="status">{plain(said)}</p>'
            note.param.update(object=told, visible=bool(waits))

        tell()
        followed = self if "result" in self.param else self.state
        followed.param.watch(tell, [*followed.param])
        return wide_column(note, self)._repr_mimebundle_(include, exclude)


# Of most entries of a legend, in pixels.
ENTRY_WIDTH = 145
_FIT = """
const room = Math.floor(cb_obj.outer_width / wide)
legend.ncols = Math.max(1, Math.min(most, room))
"""


# Glyphs by the name that layers have for them.
GLYPHS: Mapping[str, type[Glyph]] = {
    "hspan": glyphs.HSpan,
    "image": glyphs.Image,
    "line": glyphs.Line,
    "multi_line": glyphs.MultiLine,
    "quad": glyphs.Quad,
    "scatter": glyphs.Scatter,
    "segment": glyphs.Segment,
    "step": glyphs.Step,
    "text": glyphs.Text,
    "varea": glyphs.VArea,
    "vspan": glyphs.VSpan,
}
OF_RENDERERS = {"level", "name", "visible"}


class FigureView(Alone):
    """A figure of a page in the page's theme, with words below it.

    A view that derives declares its `state`, builds `figure` and, where it has them,
    `_text` in its constructor, and says there what of the state draws what anew. What
    it adds by `_layer`, or gives to `_paint`, has the colours of every theme.
    """

    state: Any
    dark = param.Boolean(
        default=False, allow_refs=True, doc="Whether the page is dark."
    )

    # Whether `_draw` sends colours, as in columns: it is done anew in another theme.
    draws_colours: ClassVar[bool] = False

    figure: plotting.figure
    # Text summary, for eyes that do not see the figure
    _text: Any = None

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        # By identity: models of Bokeh are equal when their properties are.
        self._painted: dict[int, tuple[Any, dict[str, Role]]] = {}
        self._everything = AllIndices()
        self.param.watch(lambda *_: self._use_theme(), "dark")

    def __panel__(self) -> pn.viewable.Viewable:
        plot = figure_pane(self.figure)
        if self._text is None:
            return plot
        return wide_column(plot, self._text)

    def _watch_state(self, draw: Callable[[], None], names: str | list[str]) -> None:
        """Draw whenever one of these parameters of the state changes."""
        self.state.param.watch(lambda *_: draw(), names)

    def _layer(
        self, glyph: str, *places: str, told: Sequence[str] = (), **look: Any
    ) -> GlyphRenderer:
        """Add a glyph to the figure, with a source of its own where `look` has none.

        `places`: columns that say where; `told`: further ones, for look and pointer.
        Colours in `look` may be roles of the theme. Picked, muted or not, marks look
        alike: Bokeh's own methods make four glyphs of each.
        """
        source = look.pop("source", None) or empty_source(*places, *told)
        roles = {key: one for key, one in look.items() if is_role(key, one)}
        look |= {key: role_colour(one, self.dark) for key, one in roles.items()}
        own = {key: look.pop(key) for key in OF_RENDERERS & look.keys()}
        renderer = GlyphRenderer(
            data_source=source,
            glyph=GLYPHS[glyph](**dict(zip(places, places, strict=True)), **look),
            nonselection_glyph=None,
            muted_glyph=None,
            view=CDSView(filter=self._everything),
            **own,
        )
        self.figure.renderers.append(renderer)
        return self._paint(renderer, **roles)

    def _paint(self, drawn: Any, **roles: Role) -> Any:
        """Colour something by roles, in this theme and in every other."""
        painted = self._painted.setdefault(id(drawn), (drawn, {}))
        painted[1].update(roles)
        _colour(drawn, roles, dark=self.dark)
        return drawn

    def _draw(self) -> None:
        """Draw what the state holds."""

    def _use_theme(self) -> None:
        """Take the colours of the theme; ranges and data stay as they are."""
        for drawn, roles in self._painted.values():
            _colour(drawn, roles, dark=self.dark)
        if self.draws_colours:
            self._draw()


class TableView(FigureView):
    """A table of a page, made with `dark=self.param.dark`."""

    _table: Any  # A `DataTable`

    def __panel__(self) -> pn.viewable.Viewable:
        return self._table


class StateTable(TableView):
    """A table that a page's state fills.

    A view that derives says how it is headed, which parameters of the state it
    `follows`, and how they `_fill` it; and what it means to `_pick` a row, if anything.
    """

    caption: ClassVar[str]
    columns: ClassVar[Sequence[str]] = ()
    numbers: ClassVar[Sequence[bool]] = ()
    height: ClassVar[int]
    follows: ClassVar[Sequence[str]]
    _pick: Callable[[int], None] | None = None

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._table = DataTable(
            on_pick=self._pick,
            caption=self.caption,
            columns=[*self.columns],
            numbers=[*self.numbers],
            height=self.height,
            dark=self.param.dark,
            sizing_mode="stretch_width",
        )
        self._watch_state(self._fill, [*self.follows])
        self._fill()

    @abstractmethod
    def _fill(self) -> None:
        """Put rows of what the state holds into `_table`."""


class TextView(Alone):
    """Markup that follows a page's state.

    A view that derives says which parameters of the state it `follows`, and what
    `_markup` they make.
    """

    state: Any
    follows: ClassVar[Sequence[str]] = ()
    margin: ClassVar[tuple[int, int]] = (2, 10)
    min_height: ClassVar[int | None] = None  # What is below stays where it is

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._pane = self._empty_pane()
        self._watch()
        self._write()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._pane

    def _empty_pane(self) -> pn.pane.HTML:
        return markup("", margin=self.margin, min_height=self.min_height)

    def _watch(self) -> None:
        """Write anew when one of `follows` changes."""
        self.state.param.watch(lambda *_: self._write(), [*self.follows])

    def _write(self) -> None:
        html = self._markup()
        if html is not None:
            self._pane.object = html

    @abstractmethod
    def _markup(self) -> str | None:
        """Return what stands there now; None for what stood there before."""


def _colour(drawn: Any, roles: Mapping[str, Role], *, dark: bool) -> None:
    """Colour a model, or the glyph of a renderer."""
    part: Model = drawn.glyph if isinstance(drawn, GlyphRenderer) else drawn
    part.update(**{key: role_colour(one, dark) for key, one in roles.items()})


def empty_source(*columns: str) -> ColumnDataSource:
    """Return a source of these columns, which holds nothing yet."""
    return ColumnDataSource({column: [] for column in columns})


def live_figure(**options: Any) -> plotting.figure:
    """Return a figure that can be moved; a wheel scrolls the page until it is asked."""
    plot = plotting.figure(
        sizing_mode="stretch_width",
        output_backend="canvas",
        toolbar_location="above",
        outline_line_color=None,
        **options,
    )
    plot.toolbar.update(logo=None, active_scroll=None)
    return plot


def figure_pane(plot: plotting.figure) -> pn.pane.Bokeh:
    """Return a figure as wide as its frame, and as high as it was made."""
    _fit_legend(plot)
    return pn.pane.Bokeh(plot, sizing_mode="stretch_width", height=plot.height)


def _fit_legend(plot: plotting.figure) -> None:
    """Let a legend below a figure have as many columns as the window has room for."""
    for legend in plot.legend:
        if legend in plot.below:
            fit = CustomJS(
                args={"legend": legend, "most": legend.ncols, "wide": ENTRY_WIDTH},
                code=_FIT,
            )
            plot.js_on_change("outer_width", fit)


def still_figure(**options: Any) -> figure:
    """Return an empty figure that stays where it is: no tools, as wide as its frame."""
    return figure(
        sizing_mode="stretch_width",
        tools="",
        toolbar_location=None,
        outline_line_color=None,
        **options,
    )


def set_ends(shown: Range1d, low: float, high: float) -> None:
    """Let a range end there, now and whenever the figure is reset."""
    shown.update(start=low, end=high, reset_start=low, reset_end=high)
