"""A score against prediction cost: a line a method, the budget, and all as a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import is_not
from typing import Any

import numpy as np
import param

from solvers import FrontierPoint, all_methods
from solvers.values.rounding import fixed, rounded

from ...compute.traces import Trace
from ...figures.axes import CostAxis
from ...figures.frontier import (
    MOST_COLOURED,
    MethodLayers,
    frontier_scene,
    method_layers,
)
from ...figures.handle import Handle
from ...figures.live import SceneView
from ...figures.scene import Layer, Scene, dots, stairs
from ...session.pins import MAX_PINS
from ...widgets.figure_view import StateTable
from ...widgets.page_layout import HERO
from ...widgets.text import SCORES, cost_text, params_text, score_number, unit_text
from ...widgets.theme import PLOT_HEIGHT, Role, method_style
from .comparison import COMPARED, PinComparison, compare
from .state import AXES, FrontierState

DASHES = ([7, 4], [2, 3], [10, 3, 2, 3])


class FrontierPlot(SceneView):
    """Every ticked method's points and frontier as they arrive."""

    state = param.ClassSelector(class_=FrontierState)
    pinned = param.List(default=[], doc="A `PinComparison` of each pinned frontier.")
    brought = param.ClassSelector(
        class_=FrontierPoint, doc="A model that somebody has already."
    )

    called = "frontier"
    height = PLOT_HEIGHT
    style = HERO
    names_ends = True
    tools = "pan,xwheel_zoom,box_zoom,reset"
    has_words = False
    follows = (
        *("dataset", "log_cost", "full", "traces", "marks", *AXES, "methods"),
        *("budget", "reason", "picked", "n_runs", "n_arrived"),
    )

    def __init__(self, **params: Any) -> None:
        # What each line shows: of those that stream, all others stay as they are.
        self._kept: dict[str, tuple[Trace, tuple[Any, ...], MethodLayers]] = {}
        self._axis = CostAxis(1.0)
        # What the axis was made of: it holds all costs, and they are many.
        self._stands: tuple[Sequence[Any], Sequence[Any]] = ((None,) * 3, ())
        super().__init__(**params)
        self.param.watch(lambda *_: self._draw(), ["pinned", "brought"])
        self._watch_state(self._compare, [*COMPARED])
        self._compare()

    def _build(self) -> None:
        super()._build()
        self._budget = Handle(self, self._dragged)

    def _compare(self) -> None:
        self.pinned = compare(self.state)

    def scene(self) -> Scene:
        """Return all lines, with the budget's grip on the axis."""
        state, axes = self.state, self.state.axes()
        chosen, stops = state.chosen(), state.stops()
        come = (state.dataset, state.traces, state.full)
        asked = (state.log_cost, *(getattr(state, name) for name in AXES))
        if asked != self._stands[1] or any(map(is_not, come, self._stands[0])):
            self._stands, self._axis = (come, asked), cost_axis(state)
        axis = self._axis
        lines = {
            name: self._lines(name, k, axis)
            for k, name in enumerate(state.methods)
            if name in state.traces
        }
        scene = frontier_scene(
            lines,
            axes,
            axis,
            unit=state.dataset.unit,
            floor=state.floor(),
            free=state.free_called(),
            stops=None if stops is None else stops.point,
            marks=[*state.placed_marks().values()],
            chosen=chosen.point if chosen else None,
            bands=state.bands(),
            pinned=_pins(self.pinned, axis),
            brought=self._brought(axis),
        )
        budget = cost_text(state.budget, state.dataset.unit)
        self._budget.put(axis.place(state.budget), scene.y.low, budget)
        return scene

    def taps(self) -> Mapping[str, Callable[[int], None]]:
        """Pick the model that is tapped."""

        def picks(name: str) -> Callable[[int], None]:
            def pick(at: int) -> None:
                self.state.choose_point(self.state.traces[name].points[at])

            return pick

        return {name: picks(name) for name in self.state.param.methods.objects}

    def _lines(self, name: str, place: int, axis: CostAxis) -> MethodLayers:
        state, trace = self.state, self.state.traces[name]
        role: Role = method_style(name) if place < MOST_COLOURED else "quiet_text"
        stands = (role, axis, id(state.dataset), *(getattr(state, a) for a in AXES))
        kept = self._kept.get(name)
        if kept is None or kept[0] is not trace or kept[1] != stands:
            data = state.dataset
            layers = method_layers(
                name, state.frontier(name), axis, data.unit, role, data.feature_names
            )
            kept = trace, stands, layers
            self._kept[name] = kept
        return kept[2]

    def _brought(self, axis: CostAxis) -> list[Layer]:
        """Return the model that was brought, from the first one on."""
        point, axes = self.brought, self.state.axes()
        if point is None:
            return [dots("brought", [], [], "text")] if "brought" in self._shown else []
        place = axis.places([axes.cost(point)]).tolist()
        score = [point.scores["test"][axes.score]]
        look: dict[str, Any] = {"marker": "star", "size": 18, "key": point.method}
        return [dots("brought", place, score, "text", **look)]

    def _dragged(self, place: float) -> None:
        top, cost = self.state.full_cost(), self._axis.cost_at(place)
        self.state.param.update(budget=float(np.clip(cost, 0, top)), reason="budget")
        self._draw()  # A budget that is clipped may be the one that was


def cost_axis(state: FrontierState) -> CostAxis:
    """Return the axis for a data set and what has been traced of it."""
    axes, end = state.axes(), state.full_cost() * 1.04
    traced = [axes.cost(point) for t in state.traces.values() for point in t.points]
    # A model may be had for any price, but where each is charged for deciding too.
    prices = state.dataset.hypergraph.component_costs
    least = [] if state.charges_deciding() and traced else prices
    return CostAxis.holding([*least, *traced], end, is_log=state.log_cost)


def _pins(pinned: Sequence[PinComparison], axis: CostAxis) -> list[Layer]:
    """Return pinned frontiers, muted and dashed; all that may come, with the first."""
    layers = []
    for k in range(MAX_PINS if pinned else 0):
        found = pinned[k] if k < len(pinned) else None
        steps, key = ([], []), f"pin {k + 1}"
        # Costs in another unit have no place on the axis of now.
        if found is not None and found.factor is not None:
            key = f"pinned: {found.pin.name}"
            costs = [found.factor * step[1] for step in found.pin.steps]
            steps = axis.stairs(costs, [step[3] for step in found.pin.steps])
        look: dict[str, Any] = {"dash": DASHES[k], "width": 2, "key": key}
        layers.append(stairs(f"pin {k + 1}", *steps, "quiet_text", **look))
    return layers


SCORE_DECIMALS = 3
DECIDING = ("predict: a row alone (µs)", "a row of many (µs)")


class PointsTable(StateTable):
    """The undominated points of every ticked method, cheapest first."""

    state = param.ClassSelector(class_=FrontierState)
    caption, height = "Table of points", 300
    follows = ("traces", *AXES, "methods", "dataset")

    def __init__(self, **params: Any) -> None:
        self._points: list[FrontierPoint] = []
        super().__init__(**params)
        self._table.decimals = [None, SCORE_DECIMALS, SCORE_DECIMALS]
        self._watch_state(
            self._mark,
            ["traces", "marks", *AXES, "rests", "reason", "picked", "methods"],
        )

    def _fill(self) -> None:
        state = self.state
        if any(not trace.is_complete for trace in state.traces.values()):
            return  # a table that grows under the eye cannot be read
        self._points = sorted(
            (
                point
                for name in state.methods
                if name in state.traces
                for point in state.frontier(name).undominated()
            ),
            key=state.axes().cost,
        )
        unit = unit_text(state.dataset.unit)
        score = SCORES[state.axes().score]
        headings = ["Method", f"{score} (test)", f"{score} (validation)"]
        headings += [f"Cost ({unit})", *DECIDING]
        prices = state.dataset.hypergraph.prices
        headings += [f"{one.name} ({unit_text(one.unit)})" for one in prices]
        self._table.param.update(
            columns=[*headings, "Features", "Components", "Settings"],
            numbers=[False, *[True] * (7 + len(prices)), False],
            rows=[self._row(point) for point in self._points],
        )
        self._mark()

    def _row(self, point: FrontierPoint) -> list[Any]:
        axes = self.state.axes()
        return [
            all_methods()[point.method].title,
            *(
                float(fixed(score_number(point, axes.score, part), SCORE_DECIMALS))
                for part in ("test", "validation")
            ),
            rounded(axes.cost(point), 4),
            *(_deciding(point, rows) for rows in ("one_row", "batch_row")),
            *(
                rounded(point.prices[one.name][axes.accounting], 4)
                for one in self.state.dataset.hypergraph.prices
            ),
            point.n_features,
            point.n_components,
            params_text(point, axes.unit),
        ]

    def _mark(self) -> None:
        chosen = self.state.chosen()
        point = None if chosen is None else chosen.point
        found = [i for i, one in enumerate(self._points) if one is point]
        self._table.picked = found[0] if found else -1

    def _pick(self, row: int) -> None:
        self.state.choose_point(self._points[row])


def _deciding(point: FrontierPoint, rows: str) -> float | str:
    """Return the microseconds of deciding about a row whose features are there."""
    if point.decision_seconds is None:
        return ""
    return rounded(1e6 * point.decision_seconds[rows])
