"""The network: the target, features with their costs, and the rest."""

from __future__ import annotations

from typing import Any

import param
from bokeh.events import Tap
from bokeh.models import Arrow, HoverTool, NormalHead, Range1d

from ...widgets.figure_view import FigureView, empty_source
from ...widgets.markup import markup
from ...widgets.still_figure import diagram_figure
from ...widgets.text import charge_text, plain
from ...widgets.theme import palette
from .state import TrimmingState

_ABOVE = {"shift": -9, "side": "bottom"}
_BELOW = {"shift": 9, "side": "top"}

HEIGHT = 520
# Longer names are cut in the drawing; the hover has them whole.
MAX_NAME = 18
# Beyond this many variables only the target and the features are named.
MAX_NAMED = 45
# Beyond this many each name has one line, below its node.
MAX_STARS = 26
# How much of an arrow is drawn: its head must not hide under the child.
REACH = 0.9
# How near a click has to be, in shares of the drawing.
NEAR = 0.05
NODE_COLUMNS = (
    *("name", "label", "what", "marker", "size"),
    *("fill", "line", "shift", "side"),
)
# What of the state is drawn.
DRAWN = (
    *("opened", "target", "features", "charging", "costs"),
    *("arrived", "position"),
)


class NetworkView(FigureView):
    """Arrows from parents to children; what the best trimming sees is filled."""

    draws_colours = True
    state = param.ClassSelector(class_=TrimmingState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.figure = diagram_figure(
            height=HEIGHT,
            tools="pan,wheel_zoom,reset",
            x_range=Range1d(-0.17, 1.17),
            y_range=Range1d(-0.16, 1.16),
            name="network",
        )
        self._add_layers()
        self.figure.on_event(Tap, self._tapped)
        self._text = markup("<p>Opening the network.</p>", min_height=44)
        self._drawn: Any = None
        self._watch_state(self._place, "opened")
        self._watch_state(self._draw, [*DRAWN])
        self._place()
        self._draw()

    def _add_layers(self) -> None:
        ends = ("x0", "y0", "x1", "y1")
        self._links = empty_source(*ends)
        head = self._paint(NormalHead(size=7, line_width=0), fill_color="quiet_text")
        places = dict(zip(("x_start", "y_start", "x_end", "y_end"), ends, strict=True))
        arrows = Arrow(end=head, source=self._links, **places)
        self.figure.add_layout(self._paint(arrows, line_color="faded"))
        self._nodes = empty_source("x", "y", *NODE_COLUMNS)
        self._layer(
            "text",
            *("x", "y"),
            source=self._nodes,
            text="label",
            y_offset="shift",
            text_align="center",
            text_baseline="side",
            text_font_size="12px",
            text_color="text",
            background_fill_color="background",
            background_fill_alpha=0.7,
        )
        nodes = self._layer(
            "scatter",
            *("x", "y"),
            source=self._nodes,
            marker="marker",
            size="size",
            fill_color="fill",
            line_color="line",
            line_width=2,
        )
        tooltips = [("", "@what @name")]
        self.figure.add_tools(HoverTool(renderers=[nodes], tooltips=tooltips))

    def _tapped(self, event: Any) -> None:
        """Pick the feature that was clicked, to edit its cost."""
        data = self._nodes.data
        near = {
            name: abs(x - event.x) + abs(y - event.y)
            for x, y, name in zip(data["x"], data["y"], data["name"], strict=True)
            if name in self.state.features
        }
        name = min(near, key=lambda one: near[one], default=None)
        if name is not None and near[name] < NEAR:
            self.state.picked = name

    def _place(self) -> None:
        opened = self.state.opened
        if opened is None:
            return
        ends = [
            (opened.places[parent], opened.places[name])
            for name, parents in opened.network.parents.items()
            for parent in parents
        ]
        self._links.data = {
            "x0": [a[0] for a, _ in ends],
            "y0": [a[1] for a, _ in ends],
            "x1": [a[0] + REACH * (b[0] - a[0]) for a, b in ends],
            "y1": [a[1] + REACH * (b[1] - a[1]) for a, b in ends],
        }

    def _draw(self) -> None:
        state = self.state
        if not state.is_filled:
            return
        best = state.best()
        chosen = frozenset(best.features if best is not None else ())
        prices = dict(zip(state.features, state.prices().alone(), strict=True))
        drawn = (state.opened, state.target, chosen, tuple(prices.items()), self.dark)
        if drawn == self._drawn:
            return
        self._drawn = drawn
        rows = [self._row(name, chosen, prices) for name in state.network().states]
        self._nodes.data = {c: [row[c] for row in rows] for c in self._nodes.data}
        self._text.object = plain(self._caption(chosen))

    def _row(
        self, name: str, chosen: frozenset[str], prices: dict[str, float]
    ) -> dict[str, Any]:
        state, colours = self.state, palette(self.dark)
        x, y = state.opened.places[name]
        shown = name if len(name) <= MAX_NAME else name[: MAX_NAME - 1] + "…"
        look = {"x": x, "y": y, "name": name, "fill": colours.background}
        # Away from the middle, where most arrows come from.
        is_crowded = len(state.opened.places) > MAX_STARS
        look |= _ABOVE if y > 0.5 and not is_crowded else _BELOW
        if name == state.target:
            colour = colours.shared
            look |= {"what": "target", "label": shown, "fill": colour}
            return look | {"marker": "diamond", "size": 20, "line": colour}
        if name not in prices:
            is_named = len(state.network().states) <= MAX_NAMED
            look |= {"what": "neither target nor feature"}
            look |= {"label": shown if is_named else "", "marker": "circle"}
            return look | {"size": 7, "line": colours.faded}
        cost = charge_text(prices[name], state.unit)
        gap = " · " if is_crowded else "\n"
        kept = "kept feature" if name in chosen else "feature"
        look |= {"what": f"{kept}, cost {cost}", "label": f"{shown}{gap}{cost}"}
        fill = colours.lit if name in chosen else colours.background
        return look | {
            "marker": "circle",
            "size": 13,
            "fill": fill,
            "line": colours.lit,
        }

    def _caption(self, chosen: frozenset[str]) -> str:
        state = self.state
        n_rest = len(state.network().states) - len(state.features) - 1
        rest = f", {n_rest} other variables" if n_rest else ""
        return (
            f"Diamond: the target {state.target}. Circles: {len(state.features)} "
            f"features with their costs{rest}. Filled: the {len(chosen)} that the best "
            "trimming keeps. Click a feature to edit its cost."
        )
