"""The graph with what is predicted, what is true, and what is paid where."""

from __future__ import annotations

from typing import Any

import numpy as np
import panel as pn
import param
from bokeh.events import Tap
from bokeh.models import HoverTool, Range1d
from numpy.typing import NDArray

from ...figures.graph_layout import Sketch
from ...figures.structured_style import (
    CHEAPER,
    COSTLIER,
    MARKERS,
    label_colour,
    lamp_colour,
)
from ...widgets.figure_view import FigureView, figure_pane, live_figure
from ...widgets.still_figure import set_ends
from ...widgets.theme import palette
from .runs import Paid, Run
from .state import NO_RIVAL, StructuredState

HEIGHT = 560
# Smallest and largest mark, in pixels; few nodes have room for larger ones.
SIZES = (7.0, 26.0)
ROOMY = 80
LARGEST_NODE_COST = 2.0
# A click within this share of the picture's width belongs to a place.
REACH = 0.03
MARGIN = 0.08
LAMP_GLOW = 18.0
WALL_GAP = 0.045
SIDES = ("left", "right", "bottom", "top")
NODE_COLUMNS = (
    *("fill", "ring_colour", "size", "mark", "alpha"),
    *("name", "predicted", "true", "cost", "number"),
)


class GraphPicture(FigureView):
    """Nodes and links of the test graph; a click puts one under the lens."""

    draws_colours = True
    state = param.ClassSelector(class_=StructuredState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.figure = live_figure(
            height=HEIGHT,
            tools="pan,wheel_zoom,reset",
            match_aspect=True,
            x_range=Range1d(0, 1),
            y_range=Range1d(0, 1),
            name="structured",
        )
        self.figure.axis.visible = self.figure.grid.visible = False
        self._add_layers()
        self.figure.on_event(Tap, self._tapped)
        self._pane = figure_pane(self.figure)
        self._placed: Any = None
        self._drawn: Any = None
        self._watch_state(self._draw, ["run", "method", "rival", "shown"])
        self._watch_state(self._draw_lens, ["picked", "run", "shown"])
        self._draw()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._pane

    def _add_layers(self) -> None:
        at = ("x", "y")
        walls = self._layer(
            "quad",
            told=SIDES,
            **{side: side for side in SIDES},
            fill_color=None,
            line_color="faded",
            line_width=3,
            name="walls",
        )
        links = self._layer(
            "segment",
            *("x0", "y0", "x1", "y1"),
            told=("colour", "width", "cost", "number"),
            line_color="colour",
            line_width="width",
            name="links",
        )
        self._lamp = self._layer(
            "scatter", *at, told=["size"], marker="star", size="size", line_color=None
        )
        nodes = self._layer(
            "scatter",
            *at,
            told=NODE_COLUMNS,
            marker="mark",
            size="size",
            fill_color="fill",
            line_color="ring_colour",
            fill_alpha="alpha",
            line_width=2.5,
            name="nodes",
        )
        lens = self._layer(
            "scatter",
            *at,
            size=38,
            fill_color=None,
            line_color="ring",
            line_width=3,
            line_dash="dashed",
        )
        self._walls, self._links, self._lamps, self._nodes, self._lens = (
            drawn.data_source for drawn in (walls, links, self._lamp, nodes, lens)
        )
        tooltips = [
            ("node", "@name"),
            ("called", "@predicted"),
            ("is", "@true"),
            ("pays", "@cost{0.00} units"),
        ]
        self.figure.add_tools(HoverTool(renderers=[nodes], tooltips=tooltips))

    # ------------------------------------------------------------------------- drawing

    def _draw(self) -> None:
        state = self.state
        run: Run | None = state.run
        paid = None if run is None else run.paid(state.method, state.shown)
        if run is None or paid is None:
            return  # the last picture stays until there is another
        chosen, rival = (state.method, state.rival), None
        if state.rival != NO_RIVAL:
            rival = run.paid(state.rival, state.shown)
            if rival is None:
                return
        drawn = (*(run.decision(m, state.shown) for m in chosen), self.dark)
        if drawn == self._drawn:
            return  # a result of another method has come
        self._drawn = drawn
        sketch = run.sketch(state.shown)
        self._fit(sketch)
        self._links.data = self._link_columns(sketch, paid, rival)
        self._nodes.data = self._node_columns(run, sketch, paid, rival)
        is_plan = run.request.scene == "sensors"
        burning = ((paid.labels == 0) & is_plan)[sketch.nodes]
        x, y = sketch.places[burning].T
        # A lamp outshines its sensor, however large that is drawn.
        sizes = LAMP_GLOW + 1.6 * np.asarray(self._nodes.data["size"])[burning]
        self._lamps.data = {"x": x, "y": y, "size": sizes}
        self._lamp.glyph.fill_color = lamp_colour(self.dark)
        walls = _outline(sketch.places) if is_plan else [[]] * len(SIDES)
        self._walls.data = dict(zip(SIDES, walls, strict=True))
        self._draw_lens()

    def _fit(self, sketch: Sketch) -> None:
        low, high = sketch.places.min(axis=0), sketch.places.max(axis=0)
        ends = (*low.tolist(), *high.tolist())
        if ends == self._placed:
            return
        self._placed = ends
        gap = np.maximum((high - low) * MARGIN, 1e-3)
        for axis, start, end in (
            (self.figure.x_range, low[0] - gap[0], high[0] + gap[0]),
            (self.figure.y_range, low[1] - gap[1], high[1] + gap[1]),
        ):
            set_ends(axis, start, end)

    def _link_columns(
        self, sketch: Sketch, paid: Paid, rival: Paid | None
    ) -> dict[str, Any]:
        costs = _difference(paid.edges, None if rival is None else rival.edges)
        costs = costs[sketch.edges]
        order = np.argsort(np.abs(costs), kind="stable")  # what is paid lies on top
        starts, ends = (sketch.places[end] for end in sketch.ends[order].T)
        costs = costs[order]
        quiet = palette(self.dark).grid if len(costs) > ROOMY else self._quiet
        return {
            "x0": starts[:, 0],
            "y0": starts[:, 1],
            "x1": ends[:, 0],
            "y1": ends[:, 1],
            "colour": self._cost_colours(costs, quiet),
            "width": 1.0 + 4.0 * np.minimum(np.abs(costs), 1.0),
            "cost": costs,
            "number": sketch.edges[order],
        }

    def _node_columns(
        self, run: Run, sketch: Sketch, paid: Paid, rival: Paid | None
    ) -> dict[str, Any]:
        graph, labels = run.graph(self.state.shown), run.labels
        nodes = sketch.nodes
        called, true = paid.labels[nodes], graph.truth[nodes]
        costs = _difference(paid.nodes, None if rival is None else rival.nodes)[nodes]
        names = graph.node_names or [str(node) for node in range(graph.n_nodes)]
        fill = [label_colour(int(label), self.dark) for label in called]
        if rival is not None:
            fill = self._cost_colours(costs, self._quiet)
        return {
            "x": sketch.places[:, 0],
            "y": sketch.places[:, 1],
            "fill": fill,
            "ring_colour": [label_colour(int(label), self.dark) for label in true],
            "size": self._sizes(np.abs(costs), len(nodes)),
            "mark": [MARKERS[int(label) % len(MARKERS)] for label in called],
            "alpha": np.where(called == true, 0.45, 1.0),
            "name": [names[node] for node in nodes],
            "predicted": [labels[label] for label in called],
            "true": [labels[label] for label in true],
            "cost": paid.nodes[nodes],
            "number": nodes,
        }

    @property
    def _quiet(self) -> str:
        return palette(self.dark).faded

    def _cost_colours(self, costs: NDArray[np.float64], quiet: str) -> list[str]:
        cheaper = CHEAPER[self.dark]
        return [
            COSTLIER[self.dark] if cost > 0 else cheaper if cost < 0 else quiet
            for cost in costs.tolist()
        ]

    def _sizes(self, costs: NDArray[np.float64], n_nodes: int) -> NDArray[np.float64]:
        smallest, largest = SIZES if n_nodes > ROOMY else (13.0, 34.0)
        share = np.sqrt(np.minimum(costs / LARGEST_NODE_COST, 1.0))
        return smallest + share * (largest - smallest)

    # ------------------------------------------------------------------ being looked at

    def _draw_lens(self) -> None:
        run, picked = self.state.run, self.state.picked
        at = None
        if run is not None and picked is not None:
            at = _place_of(run.sketch(self.state.shown), *picked)
        found = {"x": [], "y": []} if at is None else {"x": [at[0]], "y": [at[1]]}
        self._lens.data = found

    def _tapped(self, event: Any) -> None:
        if event.x is None or event.y is None or self.state.run is None:
            return
        sketch = self.state.run.sketch(self.state.shown)
        reach = REACH * (self.figure.x_range.end - self.figure.x_range.start)
        self.state.picked = nearest(sketch, event.x, event.y, reach)


def nearest(sketch: Sketch, x: float, y: float, reach: float) -> tuple[str, int] | None:
    """Return what lies nearest to a point: a node, else a link."""
    at = np.array([x, y])
    away = np.hypot(*(sketch.places - at).T)
    closest = int(np.argmin(away))
    if away[closest] <= reach:
        return "node", int(sketch.nodes[closest])
    if not len(sketch.ends):
        return None
    start, end = sketch.places[sketch.ends[:, 0]], sketch.places[sketch.ends[:, 1]]
    along = end - start
    lengths = np.maximum((along**2).sum(axis=1), 1e-12)
    share = np.clip(((at - start) * along).sum(axis=1) / lengths, 0.0, 1.0)
    away = np.hypot(*(start + share[:, None] * along - at).T)
    closest = int(np.argmin(away))
    return ("edge", int(sketch.edges[closest])) if away[closest] <= reach else None


def _outline(places: NDArray[np.float64]) -> list[list[float]]:
    """Return the walls around all places, in the order of `SIDES`."""
    low, high = places.min(axis=0), places.max(axis=0)
    gap = WALL_GAP * (high - low)
    (left, bottom), (right, top) = (low - gap).tolist(), (high + gap).tolist()
    return [[left], [right], [bottom], [top]]


def _difference(
    paid: NDArray[np.float64], rival: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    return paid if rival is None else paid - rival


def _place_of(sketch: Sketch, kind: str, number: int) -> NDArray[np.float64] | None:
    if kind == "node":
        rows = np.flatnonzero(sketch.nodes == number)
        return sketch.places[rows[0]] if len(rows) else None
    rows = np.flatnonzero(sketch.edges == number)
    return sketch.places[sketch.ends[rows[0]]].mean(axis=0) if len(rows) else None
