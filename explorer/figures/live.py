"""A scene as a live Bokeh figure: what has changed is sent, and nothing else."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, ClassVar

import numpy as np
import panel as pn
from bokeh.core.properties import value
from bokeh.events import Tap
from bokeh.models import (
    ColumnDataSource,
    CustomJS,
    CustomJSHover,
    GlyphRenderer,
    HoverTool,
    Legend,
    LegendItem,
    LinearColorMapper,
    NoOverlap,
    Range1d,
    TapTool,
)

from ..widgets.assets import asset
from ..widgets.figure_view import (
    OF_RENDERERS,
    FigureView,
    draw_once,
    figure_pane,
    live_figure,
    set_ends,
    still_figure,
)
from ..widgets.markup import explained, markup
from ..widgets.text import plain
from ..widgets.theme import SIDE_HEIGHT, is_role, role_colour
from .line_ends import NARROW, LineEnds, leave_room
from .scene import PLACES, Axis, Columns, Layer, Scene, shades_of
from .ticks import keeps_models, told_ticks, use_ticks

LEGEND_COLUMNS = 4
# Of the rim of a mark, or of a link, that is alight.
LIGHT_WIDTH = 3.0
# What the pointer is told of a column as all numbers are written, by `number.js`.
_ROUNDED = re.compile(r"(@\w+)\{number\}")

# Of a hover tool: which things the pointer is on.
_POINTED = """
const data = cb_data.renderer.data_source.data
const column = name => data.get ? data.get(name) : data[name]
const things = column("lights") ?? column("thing")
const { indices, line_indices } = cb_data.index
const places = [...new Set([...indices, ...(line_indices ?? [])])]
const detail = { from: cb_data.renderer.id, things: places.map(i => things[i]) }
document.dispatchEvent(new CustomEvent("pointed", { detail }))
"""
# Words for which a narrow figure has no room; the server knows nothing of it.
_LEAVE_OUT = """
const visible = plot.outer_width >= narrow
for (const one of plot.renderers)
  if (roomy.includes(one.name)) one.setv({ visible }, { sync: false })
"""


class SceneView(FigureView):
    """A view of a page's state; one that derives says which scene it draws.

    It is drawn when one of the parameters that it `follows` changes: of the state, or
    its own, where it has a `result` in the place of a state. Whatever the
    scene has that the one before had is left alone: ranges that a hand has moved, too.
    """

    follows: ClassVar[Sequence[str]] = ()
    called: ClassVar[str]  # The name of the figure
    height: ClassVar[int] = SIDE_HEIGHT
    style: ClassVar[str] = ""  # `HERO` or `SIDE`, where its height follows the window's
    tools: ClassVar[str] = ""  # Of Bokeh; none for a figure that stays where it is
    legend: ClassVar[str] = "below"  # Or "above", or "" for none
    names_ends: ClassVar[bool] = False  # Whether lines are named at the right edge
    roomy: ClassVar[Collection[str]] = ()  # Layers that a narrow figure leaves out
    has_words: ClassVar[bool] = True  # Whether what the scene says stands below
    said_height: ClassVar[int] = 24  # Kept free for it: what is below stays there
    explains: ClassVar[bool] = False  # Whether terms in it are told

    @abstractmethod
    def scene(self) -> Scene | None:
        """Return what is shown of the state; None for what is shown already."""

    def taps(self) -> Mapping[str, Callable[[int], None]]:
        """Return what is done with the place of a mark, by layers to be tapped."""
        return {}

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._shown: dict[str, Layer] = {}
        self._renderers: dict[str, GlyphRenderer] = {}
        self._axes: list[Axis | None] = [None, None]
        self._hovers: dict[Any, HoverTool] = {}
        self._items: dict[str, LegendItem] = {}
        self._arranged: list[str] = []  # Layers that are seen, from back to front
        self._named: set[str] | None = None  # Those whose entry is seen
        self._ends = LineEnds(self._layer, self._paint)
        self._in_front: list[GlyphRenderer] = []  # Of all layers, whatever comes
        self._taps = self.taps()
        self._under_tap: dict[str, int] = {}  # Which mark of a layer, by its name
        self._handed: Collection[str] = ()  # Layers that a browser may draw by itself
        self._is_drawn: Callable[[], bool] = lambda: False
        if self.has_words:
            self._text = markup("", min_height=self.said_height)
        self._build()
        self._pane = figure_pane(self.figure)
        if self.follows:
            followed = self if "result" in self.param else self.state
            followed.param.watch(lambda *_: draw_once(self._draw), [*self.follows])
        self._draw()

    def hand_over(
        self, layers: Collection[str], is_drawn: Callable[[], bool]
    ) -> dict[str, ColumnDataSource]:
        """Leave layers to a browser that draws them by itself; return their sources.

        `is_drawn`: whether it does so now, and has what would be sent.
        """
        self._handed, self._is_drawn = layers, is_drawn
        return {name: self._renderers[name].data_source for name in layers}

    def __panel__(self) -> pn.viewable.Viewable:
        if self._text is None:
            return self._pane
        return pn.Column(self._pane, self._text, sizing_mode="stretch_width")

    def _build(self) -> None:
        options: dict[str, Any] = {"tools": self.tools} if self.tools else {}
        made = live_figure if self.tools else still_figure
        ends = {"x_range": Range1d(0, 1), "y_range": Range1d(0, 1)}
        plot = self.figure = made(
            height=self.height, name=self.called, **ends, **options
        )
        if self.style:
            plot.stylesheets = [self.style]
        # There from the start: a browser asks for its view while it still builds it.
        self._legend = Legend(
            ncols=LEGEND_COLUMNS,
            border_line_color=None,
            label_text_font_size="12px",
            padding=2,
            margin=2,
            visible=bool(self.legend),
        )
        plot.add_layout(self._legend, self.legend or "below")
        # Where names of ticks have no room a browser leaves some out.
        plot.xaxis.major_label_policy = NoOverlap()
        if self.names_ends:  # from the start: a browser measures the figure once
            leave_room(plot, self._legend)
        if self.roomy:
            told = {"plot": plot, "narrow": NARROW, "roomy": [*self.roomy]}
            leaves = CustomJS(args=told, code=_LEAVE_OUT)
            for change in ("outer_width", "renderers"):
                plot.js_on_change(change, leaves)
        self._tap = TapTool(renderers=[])
        if self._taps:
            plot.add_tools(self._tap)
            plot.on_event(Tap, self._pick)

    # ------------------------------------------------------------------------- drawing

    def _draw(self) -> None:
        scene = self.scene()
        if scene is None:
            return
        with pn.io.hold(policy="collect"), self._growing(scene):
            self._show(scene)

    def _growing(self, scene: Scene) -> AbstractContextManager[None]:
        """Let the page look for its models once, not with every one that is new."""
        page, was = self.figure.document, self._axes
        is_new = [layer.name for layer in scene.layers] != self._arranged or any(
            shown is None
            or (told_ticks(axis) != told_ticks(shown) and not keeps_models(shown, axis))
            for shown, axis in zip(was, (scene.x, scene.y), strict=True)
        )
        return page.models.freeze() if page and is_new else nullcontext()

    def _show(self, scene: Scene) -> None:
        self._fit(0, scene.x)
        self._fit(1, scene.y)
        drawn = {layer.name: layer for layer in scene.layers}
        for layer in scene.layers:
            if layer.name not in self._renderers:
                self._add(layer)
            else:
                self._send(layer)
        self._shown |= drawn
        self._arrange([*drawn])
        self._name(scene)
        # A frame around nothing would be seen to move as its axes come.
        is_seen = scene.x.is_shown or scene.y.is_shown or any(map(len, scene.layers))
        # Said either way: a browser keeps a style that it is no longer told.
        styles = {"visibility": "inherit" if is_seen else "hidden"}
        if self.figure.styles != styles:
            self.figure.styles = styles
        if scene.said and self._text is not None:
            told = explained if self.explains else plain
            said = f"<p>{told(scene.said)}</p>"
            if self._text.object != said:
                self._text.object = said

    def _use_theme(self) -> None:
        super()._use_theme()
        for name, layer in self._shown.items():
            if layer.glyph == "image":
                self._look(layer, layer, self._renderers[name])
            if roles := _role_columns(layer):
                columns = {key: layer.columns[key] for key in roles}
                painted = self._painted_columns(layer, columns)
                self._renderers[name].data_source.data.update(painted)

    # -------------------------------------------------------------------------- layers

    def _add(self, layer: Layer) -> None:
        """Draw a layer for the first time, in front of those that are there."""
        columns = self._painted_columns(layer, layer.columns)
        look = dict(layer.look)
        if layer.glyph == "image":
            look = {"color_mapper": LinearColorMapper(**self._scale(layer))}
        places = [key for key in PLACES[layer.glyph] if key in layer.columns]
        renderer = self._layer(
            layer.glyph,
            source=ColumnDataSource(columns),
            **{key: key for key in places},
            **look,
            name=layer.name,
        )
        self._renderers[layer.name] = renderer
        if layer.has_things:
            self._let_light(renderer, {key: key for key in places} | look)
        self._point(layer, renderer)
        self._entitle(layer, renderer)
        if layer.name in self._taps:
            self._tap.renderers = [*self._tap.renderers, renderer]
            picker = self._picker(layer.name)
            renderer.data_source.selected.on_change("indices", picker)

    def _entitle(self, layer: Layer, renderer: GlyphRenderer) -> None:
        """Give a layer its entry in the legend, as it is called now."""
        if layer.name in self._items:
            self._items[layer.name].label = value(layer.key)
        elif layer.key:
            label = value(layer.key)
            alike = [one for one in self._items.values() if one.label == label]
            if alike:  # A line and its marks are one entry
                item = alike[0]
                item.renderers = [*item.renderers, renderer]
            else:
                item = LegendItem(label=label, renderers=[renderer])
                self._legend.items = [*self._legend.items, item]
            self._items[layer.name] = item

    def _point(self, layer: Layer, renderer: GlyphRenderer) -> None:
        """Tell the pointer of a layer what it says of itself now."""
        alike = (*layer.hover, layer.has_things)
        if (layer.hover or layer.has_things) and alike not in self._hovers:
            self._hovers[alike] = self._hover(layer)
            self.figure.add_tools(self._hovers[alike])
        for told, hover in self._hovers.items():
            others = [one for one in hover.renderers if one is not renderer]
            now = [*others, renderer] if told == alike else others
            if now != hover.renderers:
                hover.renderers = now

    def _look(self, shown: Layer, layer: Layer, renderer: GlyphRenderer) -> None:
        """Let the marks of a layer look as they do now."""
        if layer.glyph == "image":
            renderer.glyph.color_mapper.update(**self._scale(layer))
            return
        for key, look in layer.look.items():
            if shown.look.get(key) == look:
                continue
            if is_role(key, look):
                self._paint(renderer, **{key: look})
            else:
                renderer.glyph.update(**{key: look})

    def _scale(self, layer: Layer) -> dict[str, Any]:
        """Return the colours of a map, and the values that they begin and end at."""
        low, high = layer.look["ends"]
        return {"palette": shades_of(layer, self.dark), "low": low, "high": high}

    def _let_light(self, renderer: GlyphRenderer, look: Mapping[str, Any]) -> None:
        """Give the marks of a layer the look that they have while they are alight."""
        roles = {key: one for key, one in look.items() if is_role(key, one)}
        rest = look.keys() - roles.keys() - OF_RENDERERS
        glyph = type(renderer.glyph)(**{key: look[key] for key in rest})
        lit = renderer.hover_glyph = glyph
        lit.line_width = LIGHT_WIDTH
        self._paint(lit, **roles | {"line_color": "ring"})

    @staticmethod
    def _hover(layer: Layer) -> HoverTool:
        """Return what tells the pointer, and the page, what a mark is."""
        told = CustomJS(code=_POINTED)
        return HoverTool(
            renderers=[],
            tooltips=[*layer.hover] or None,
            formatters={
                field: CustomJSHover(code=f"{asset('number.js')}\nreturn number(value)")
                for _, text in layer.hover
                for field in _ROUNDED.findall(text)
            },
            callback=told if layer.has_things else None,
            # Many marks may lie at a place and say the same.
            limit=1,
            visible=False,
        )

    def _picker(self, name: str) -> Callable[[str, Any, list[int]], None]:
        def found(attr: str, old: Any, new: list[int]) -> None:
            if new and new[0] < len(self._shown[name]):
                self._under_tap[name] = new[0]

        return found

    def _pick(self, event: Tap) -> None:
        """Pick the nearest of the marks under a tap.

        The browser tells of the tap once it has told of all of them. Nothing stays
        selected: who taps the same mark again would not be heard.
        """
        found, self._under_tap = self._under_tap, {}
        for name in found:
            self._renderers[name].data_source.selected.indices = []
        if found:
            name = min(found, key=lambda one: self._distance(event, one, found[one]))
            self._taps[name](found[name])

    def _distance(self, event: Tap, name: str, at: int) -> float:
        """Return how far a mark is from a tap, in shares of the picture."""
        if event.x is None or event.y is None:
            return 0.0
        columns, across = self._shown[name].columns, 0.0
        ranges = (self.figure.x_range, self.figure.y_range)
        for key, where, axis, span in zip(
            ("x", "y"), (event.x, event.y), self._axes, ranges, strict=True
        ):
            told = np.array([where, columns[key][at], span.start, span.end], np.float64)
            if axis is not None and axis.is_log:
                told = np.log10(told)
            across += ((told[1] - told[0]) / (told[3] - told[2])) ** 2
        return across

    def _send(self, layer: Layer) -> None:
        """Send what a layer has that it had not: rows at its end, columns, or all."""
        shown, renderer = self._shown[layer.name], self._renderers[layer.name]
        if layer is shown:
            return
        source = renderer.data_source
        if layer.key != shown.key:
            self._entitle(layer, renderer)
        if layer.hover != shown.hover:
            self._point(layer, renderer)
        if layer.look != shown.look:
            self._look(shown, layer, renderer)
        if layer.name in self._handed:
            self._send_whole(layer, source)
            return
        before, count = len(shown), len(layer)
        is_like = shown.columns.keys() == layer.columns.keys()
        changed = {
            key: column
            for key, column in layer.columns.items()
            if not is_like or not _is_same(shown.columns[key], column)
        }
        if not changed:
            return
        if is_like and 0 < before < count and _begins(layer.columns, shown.columns):
            rows = {key: column[before:] for key, column in layer.columns.items()}
            source.stream(self._painted_columns(layer, rows))
        elif is_like and before == count:
            source.data.update(self._painted_columns(layer, changed))
        else:
            source.data = self._painted_columns(layer, layer.columns)

    def _send_whole(self, layer: Layer, source: ColumnDataSource) -> None:
        """Send all columns of a layer, or know of them only: the browser has them.

        What it had drawn before by itself is not known here: no column is left out.
        """
        is_drawn = self._is_drawn()
        columns = self._painted_columns(layer, layer.columns)
        # As of a bare dictionary, which tells nobody.
        dict.clear(source.data)
        if is_drawn:
            dict.update(source.data, columns)
        else:
            source.data = columns

    def _painted_columns(self, layer: Layer, columns: Columns) -> dict[str, Any]:
        """Return columns as they are sent: roles are colours of this theme."""
        roles = _role_columns(layer) & columns.keys()
        # Copies: what is streamed is put at the end of the list that was sent.
        painted = {
            key: [*column] if isinstance(column, list) else column
            for key, column in columns.items()
        }
        for key in roles:
            # A few roles, of many marks.
            known = {one: role_colour(one, self.dark) for one in set(columns[key])}
            painted[key] = [known[one] for one in columns[key]]
        return painted

    def _arrange(self, names: list[str]) -> None:
        """Let those layers be seen, on each other as in the scene."""
        if names == self._arranged:
            return
        self._arranged = names
        for name, renderer in self._renderers.items():
            if renderer.visible != (name in names):
                renderer.visible = name in names
        self._order()

    def _order(self) -> None:
        gone = [name for name in self._renderers if name not in self._arranged]
        order = [self._renderers[name] for name in (*gone, *self._arranged)]
        order += [*self._ends.texts, *self._in_front]
        if self.figure.renderers != order:
            self.figure.renderers = order

    # -------------------------------------------------------------------- axes, legend

    def _fit(self, which: int, axis: Axis) -> None:
        """Let an axis be this one, unless it is: what a hand has moved stays."""
        shown, plot = self._axes[which], self.figure
        self._axes[which] = axis
        if axis == shown:
            return
        drawn, grid, spread = (
            (plot.xaxis[0], plot.xgrid[0], plot.x_range),
            (plot.yaxis[0], plot.ygrid[0], plot.y_range),
        )[which]
        if shown is None or axis.label != shown.label:
            drawn.axis_label = axis.label or None
        if shown is None or axis.is_shown != shown.is_shown:
            drawn.visible = grid.visible = axis.is_shown
        if shown is None or (axis.low, axis.high) != (shown.low, shown.high):
            set_ends(spread, axis.low, axis.high)
        if shown is None or told_ticks(axis) != told_ticks(shown):
            use_ticks(plot, which, axis)

    def _name(self, scene: Scene) -> None:
        """Name lines at their ends, or in the legend what is drawn."""
        drawn = {layer.name for layer in scene.layers if layer.key and len(layer)}
        if drawn != self._named:
            self._named = drawn
            seen = [item for name, item in self._items.items() if name in drawn]
            for item in self._items.values():
                item.visible = any(item is one for one in seen)
        if self._ends.draw(scene.ends, scene.x, scene.y, self.height):
            self._order()


def _role_columns(layer: Layer) -> set[str]:
    """Return the columns of a layer that hold roles."""
    return {
        column
        for key, column in layer.look.items()
        if key.endswith("_color")
        and isinstance(column, str)
        and column in layer.columns
        and not is_role(key, column)
    }


def _is_same(one: Any, other: Any) -> bool:
    if one is other:
        return True
    if len(one) != len(other):
        return False
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return bool(np.array_equal(one, other, equal_nan=one.dtype.kind == "f"))
    return all(
        a is b or (np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b)
        for a, b in zip(one, other, strict=True)
    )


def _begins(columns: Columns, start: Columns) -> bool:
    """Return whether columns begin with all rows of others."""
    return all(
        _is_same(columns[key][: len(column)], column) for key, column in start.items()
    )
