"""A score against prediction cost: a line a method, and the budget to be dragged."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import panel as pn
import param
from bokeh.core.properties import value
from bokeh.models import HoverTool, Legend, LegendItem, Range1d, Span, TapTool

from solvers import FrontierPoint, all_methods
from solvers.frontier.bands import Band

from ...compute.traces import Trace
from ...figures.axes import cost_label, score_label
from ...widgets.figure_view import FigureView, figure_pane, live_figure
from ...widgets.still_figure import set_ends
from ...widgets.text import params_text, score_text, unit_text
from ...widgets.theme import PLOT_HEIGHT, method_style
from .cost_axis import CostAxis, CostScale, cost_axis
from .pinned_lines import PinnedLines
from .state import AXES, FrontierState

# What the pointer is told, besides the place of a point.
COLUMNS = (
    *("cost", "unit", "score", "validation", "title"),
    *("features", "components", "params"),
)
TOOLTIPS = [
    ("method", "@title"),
    ("score (test)", "@score"),
    ("score (validation)", "@validation"),
    ("cost", "@cost{0.[00]} @unit"),
    ("features", "@features"),
    ("components", "@components"),
    ("settings", "@params"),
]
# Many points of a path may cost nothing and say the same: more would hide the plot.
MOST_TOLD = 1
LEGEND_COLUMNS = 4
WHERE_NOTHING_IS = "; shaded: 0"
FREE = {"f1": "Every row positive", "accuracy": "Every row of the commonest class"}


class FrontierPlot(FigureView):
    """Every ticked method's points and frontier as they arrive."""

    draws_colours = True
    state = param.ClassSelector(class_=FrontierState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.figure = live_figure(
            height=PLOT_HEIGHT,
            tools="pan,xwheel_zoom,box_zoom,reset",
            x_range=Range1d(0, 1),
            y_range=Range1d(0, 1),
            name="frontier",
        )
        self._axis, self._scale = CostAxis(1.0), CostScale(self.figure)
        self._paint(self._scale.band, fill_color="quiet_text")
        self._lines: dict[str, Any] = {}
        self._points: dict[str, Any] = {}
        self._areas: dict[str, Any] = {}
        # What each line shows: of those that stream, all others stay as they are.
        self._drawn: dict[str, tuple[Trace, tuple[Any, ...]]] = {}
        self._hover = HoverTool(renderers=[], tooltips=TOOLTIPS, limit=MOST_TOLD)
        self._tap = TapTool(renderers=[])
        self.figure.add_tools(self._hover, self._tap)
        self._add_marks()
        for name in self.state.methods:
            self._add_method(name)
        self.pins = PinnedLines(self._layer, self._legend)
        self._pane = figure_pane(self.figure)
        self._watch()
        self._new_dataset()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._pane

    # ------------------------------------------------------------------------ building

    def _add_marks(self) -> None:
        self._budget = self._paint(
            Span(dimension="height", editable=True, line_width=3, line_dash="dashed"),
            line_color="budget",
        )
        self._budget.on_change("location", self._budget_dragged)
        self.figure.add_layout(self._budget)
        # There from the start: a browser asks for its view while it still builds it.
        # Below, where it hides nothing.
        self._legend = Legend(
            ncols=LEGEND_COLUMNS,
            border_line_color=None,
            label_text_font_size="12px",
            padding=2,
            margin=2,
        )
        self.figure.add_layout(self._legend, "below")
        self._marks = self._layer(
            "scatter",
            "x",
            "f1",
            told=("colour",),
            marker="x",
            size=15,
            line_width=3,
            line_color="colour",
            name="at λ",
        )
        self._ring = self._layer(
            "scatter",
            "x",
            "f1",
            size=21,
            line_width=2.5,
            line_color="ring",
            fill_color=None,
            name="chosen",
        )
        # Named in the legend: beside its line a name would lie on points or legend.
        self._floor = self._layer(
            "hspan", "f1", line_dash=[2, 3], line_width=1, line_color="quiet_text"
        )
        self._floor_item = LegendItem(
            label="Every row positive", renderers=[self._floor]
        )
        self._legend.items = [self._floor_item]

    def _add_method(self, name: str) -> None:
        style, title = method_style(name), all_methods()[name].title
        line = self._layer(
            "step",
            "x",
            "f1",
            mode="after",
            line_width=2.5,
            line_dash=style.dash,
            line_color=style,
        )
        points = self._layer(
            "scatter",
            "x",
            "f1",
            told=COLUMNS,
            marker=style.marker,
            size=8,
            line_color=style,
            fill_color=style,
            fill_alpha=0.35,
            nonselection_fill_alpha=0.35,
            nonselection_line_alpha=1.0,
        )
        self._lines[name], self._points[name] = line, points
        points.data_source.selected.on_change("indices", self._picker(name))
        self._hover.renderers = [*self._hover.renderers, points]
        self._tap.renderers = [*self._tap.renderers, points]
        item = LegendItem(label=value(title), renderers=[line, points])
        items, at = self._legend.items, self._legend.items.index(self._floor_item)
        self._legend.items = [*items[:at], item, *items[at:]]

    def _area(self, name: str) -> Any:
        return self._layer(
            "varea",
            "x",
            "low",
            "high",
            fill_alpha=0.18,
            fill_color=method_style(name),
            level="underlay",
            name=f"band {name}",
        )

    # ------------------------------------------------------------------------ watching

    def _watch(self) -> None:
        self._watch_state(self._new_dataset, "dataset")
        self._watch_state(self._place_costs, ["log_cost", "full", "traces", *AXES])
        self._watch_state(self._draw_points, ["traces", *AXES, "methods"])
        self._watch_state(
            self._draw_bands, ["traces", *AXES, "methods", "n_runs", "n_arrived"]
        )
        self._watch_state(self._draw_floor, "score")
        self._watch_state(self._draw_budget, "budget")
        self._watch_state(
            self._draw,
            ["traces", "marks", *AXES, "budget", "reason", "picked", "methods"],
        )

    def _picker(self, name: str) -> Callable[[str, Any, list[int]], None]:
        def pick(attr: str, old: Any, new: list[int]) -> None:
            if new:
                point = self.state.traces[name].points[new[0]]
                self.state.param.update(picked=point, reason="picked")

        return pick

    def _budget_dragged(self, attr: str, old: Any, new: float) -> None:
        if new == self._axis.place(self.state.budget):
            return  # it was put there, not dragged
        top, cost = self.state.full_cost(), self._axis.cost_at(new)
        self.state.param.update(budget=float(np.clip(cost, 0, top)), reason="budget")
        self._draw_budget()

    # ------------------------------------------------------------------------- drawing

    def _new_dataset(self) -> None:
        self._place_costs()
        self._draw_floor()
        self._draw_points()
        self._draw_budget()
        self._draw()

    def _place_costs(self) -> None:
        """Let the axis hold all costs, and what is drawn stand where they are now."""
        axis = cost_axis(self.state)
        if axis == self._axis:
            return
        self._axis = axis
        self._scale.use(axis)
        self._draw_points()
        self._draw_bands()
        self._draw_budget()
        self._draw()

    def _draw_floor(self) -> None:
        """Draw what is free, and let the axis of the score begin below it."""
        score, floor = self.state.axes().score, self.state.floor()
        low, high = floor - 0.12, 1.01
        if score == "neg_log_loss":
            low, high = 1.1 * floor, -0.02 * floor
        low = low if floor < 0 else max(0.0, low)
        set_ends(self.figure.y_range, low, high)
        self.figure.yaxis.axis_label = score_label(score)
        self._floor.data_source.data = {"f1": [floor]}
        self._floor.visible = floor != 0
        self._floor_item.label = value(FREE.get(score, "Nothing computed"))

    def _draw_points(self) -> None:
        state, axes = self.state, self.state.axes()
        unit = unit_text(state.dataset.unit)
        nothing = WHERE_NOTHING_IS if self._axis.is_log else ""
        self.figure.xaxis.axis_label = f"{cost_label(axes)} ({unit}){nothing}"
        placed = (unit, self._axis, *(getattr(state, axis) for axis in AXES))
        for name in [*state.traces]:
            if name not in self._lines:
                self._add_method(name)
        for name, line in self._lines.items():
            shown = name in state.traces and name in state.methods
            line.visible = self._points[name].visible = shown
            if not shown or self._is_drawn(name, placed):
                continue
            self._drawn[name] = state.traces[name], placed
            frontier = state.frontier(name)
            best = [*frontier.undominated()]
            scores = [point.scores["test"][axes.score] for point in best]
            costs = [axes.cost(point) for point in best]
            line.data_source.data = self._axis.stairs(costs, scores)
            self._points[name].data_source.data = self._columns(name, frontier.points)
        for item in self._legend.items:
            item.visible = any(renderer.visible for renderer in item.renderers)

    def _is_drawn(self, name: str, placed: tuple[Any, ...]) -> bool:
        trace, where = self._drawn.get(name, (None, ()))
        return trace is self.state.traces[name] and where == placed

    def _draw_bands(self) -> None:
        bands = self.state.bands()
        for name in bands:
            if name not in self._areas:
                self._areas[name] = self._area(name)
        for name, area in self._areas.items():
            area.visible = name in bands
            if name in bands:
                area.data_source.data = self._stairs(bands[name])

    def _draw_budget(self) -> None:
        place = self._axis.place(self.state.budget)
        if self._budget.location != place:
            self._budget.location = place

    def _draw(self) -> None:
        """Draw the point that is lit and those at λ, whose colours are data."""
        state, chosen = self.state, self.state.chosen()
        self._ring.data_source.data = self._line([chosen.point] if chosen else [])
        marks = [state.marks[name] for name in state.methods if name in state.marks]
        colours = [method_style(point.method).colour(self.dark) for point in marks]
        self._marks.data_source.data = {**self._line(marks), "colour": colours}

    # ----------------------------------------------------------------------- its data

    def _line(self, points: Iterable[FrontierPoint]) -> dict[str, list[float]]:
        axes, points = self.state.axes(), list(points)
        return {
            "x": self._axis.places([axes.cost(point) for point in points]).tolist(),
            "f1": [point.scores["test"][axes.score] for point in points],
        }

    def _stairs(self, band: Band) -> dict[str, Any]:
        """Return mean and standard error as stairs, up to the end of the axis."""
        costs = self._axis.places(band.costs)
        x = np.append(np.repeat(costs, 2)[1:], max(self._axis.end, costs[-1]))
        return {
            "x": x,
            "low": np.repeat(band.lower, 2),
            "high": np.repeat(band.upper, 2),
        }

    def _columns(
        self, name: str, points: tuple[FrontierPoint, ...]
    ) -> dict[str, list[Any]]:
        axes = self.state.axes()
        return {
            **self._line(points),
            "cost": [axes.cost(point) for point in points],
            "unit": [unit_text(axes.unit)] * len(points),
            "score": [score_text(point, axes.score) for point in points],
            "validation": [score_text(p, axes.score, "validation") for p in points],
            "title": [all_methods()[name].title] * len(points),
            "features": [point.n_features for point in points],
            "components": [point.n_components for point in points],
            "params": [params_text(point, axes.unit) for point in points],
        }
