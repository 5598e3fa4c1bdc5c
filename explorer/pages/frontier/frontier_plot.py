"""F1 against prediction cost: one line a method, and the budget that can be dragged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import panel as pn
import param
from bokeh.core.properties import value
from bokeh.models import (
    ColumnDataSource,
    HoverTool,
    Legend,
    LegendItem,
    Range1d,
    Span,
    TapTool,
)
from bokeh.plotting import figure

from solvers import FrontierPoint, all_methods
from solvers.bands import Band

from ...widgets.figure_view import FigureView
from ...widgets.text import params_text, unit_text
from ...widgets.theme import PLOT_HEIGHT, method_style, palette
from .runs import all_positive_f1
from .state import FrontierState

__all__ = ["FrontierPlot"]

COLUMNS = (
    "x",
    "f1",
    "validation",
    "title",
    "features",
    "components",
    "params",
    "index",
)
TOOLTIPS = [
    ("method", "@title"),
    ("F1 (test)", "@f1{0.000}"),
    ("F1 (validation)", "@validation{0.000}"),
    ("cost", "@x{0.00}"),
    ("features", "@features"),
    ("components", "@components"),
    ("settings", "@params"),
]
ACCOUNTS = {"mean": "mean", "p95": "95th percentile", "max": "worst case"}


class FrontierPlot(FigureView):
    """Every ticked method's points and frontier as they arrive."""

    state = param.ClassSelector(class_=FrontierState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.figure = self._figure()
        self._lines: dict[str, Any] = {}
        self._points: dict[str, Any] = {}
        self._areas: dict[str, Any] = {}
        self._ring = ColumnDataSource({"x": [], "f1": []})
        self._mark = ColumnDataSource({"x": [], "f1": [], "colour": []})
        self._budget = Span(
            dimension="height", editable=True, line_width=3, line_dash="dashed"
        )
        self._floor = ColumnDataSource({"f1": []})
        # There from the start: a browser asks for its view while it still builds it.
        self._legend = Legend(
            items=[],
            location="bottom_right",
            label_text_font_size="12px",
            padding=6,
            margin=6,
            background_fill_alpha=0.75,
        )
        self._add_marks()
        for name in self.state.methods:
            self._add_method(name)
        self._pane = pn.pane.Bokeh(self.figure, sizing_mode="stretch_width")
        self._pane.height = PLOT_HEIGHT
        self._watch()
        self._new_dataset()
        self._use_theme()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._pane

    # ------------------------------------------------------------------------ building

    def _figure(self) -> figure:
        plot = figure(
            height=PLOT_HEIGHT,
            sizing_mode="stretch_width",
            output_backend="canvas",
            tools="pan,xwheel_zoom,box_zoom,reset",
            toolbar_location="above",
            x_range=Range1d(0, 1),
            y_range=Range1d(0, 1),
            y_axis_label="F1 on test rows",
            name="frontier",
        )
        plot.toolbar.logo = None
        plot.toolbar.active_scroll = None
        plot.outline_line_color = None
        return plot

    def _add_marks(self) -> None:
        self.figure.add_layout(self._budget)
        self.figure.add_layout(self._legend)
        self._mark_glyph = self.figure.scatter(
            "x",
            "f1",
            source=self._mark,
            marker="x",
            size=15,
            line_width=3,
            line_color="colour",
            name="at λ",
        )
        self._ring_glyph = self.figure.scatter(
            "x",
            "f1",
            source=self._ring,
            marker="circle",
            size=21,
            line_width=2.5,
            fill_color=None,
            name="chosen",
        )
        # Named in the legend: beside its line a name would lie on points or legend.
        self._floor_line = self.figure.hspan(
            "f1", source=self._floor, line_dash=[2, 3], line_width=1
        )
        self._legend.items = [
            LegendItem(label="Every row positive", renderers=[self._floor_line])
        ]
        self._hover = HoverTool(renderers=[], tooltips=TOOLTIPS)
        self._tap = TapTool(renderers=[])
        self.figure.add_tools(self._hover, self._tap)
        self._budget.on_change("location", self._budget_dragged)

    def _add_method(self, name: str) -> None:
        style = method_style(name)
        title = all_methods()[name].title
        line = ColumnDataSource({"x": [], "f1": []})
        points = ColumnDataSource({column: [] for column in COLUMNS})
        look = {"line_color": style.colour(self.dark)}
        self._areas[name] = self.figure.varea(
            "x",
            "low",
            "high",
            source=ColumnDataSource({"x": [], "low": [], "high": []}),
            fill_alpha=0.18,
            fill_color=style.colour(self.dark),
            name=f"band {name}",
        )
        self._lines[name] = self.figure.step(
            "x",
            "f1",
            source=line,
            mode="after",
            line_width=2.5,
            line_dash=style.dash,
            **look,
        )
        self._points[name] = self.figure.scatter(
            "x",
            "f1",
            source=points,
            marker=style.marker,
            size=8,
            fill_alpha=0.35,
            fill_color=style.colour(self.dark),
            nonselection_fill_alpha=0.35,
            nonselection_line_alpha=1.0,
            **look,
        )
        points.selected.on_change("indices", self._picker(name))
        self._hover.renderers = [*self._hover.renderers, self._points[name]]
        self._tap.renderers = [*self._tap.renderers, self._points[name]]
        item = LegendItem(
            label=value(title), renderers=[self._lines[name], self._points[name]]
        )
        *others, floor = self._legend.items
        self._legend.items = [*others, item, floor]

    # ------------------------------------------------------------------------ watching

    def _watch(self) -> None:
        self._watch_state(self._new_dataset, "dataset")
        self._watch_state(self._draw_points, ["traces", "accounting", "methods"])
        self._watch_state(
            self._draw_bands,
            ["traces", "accounting", "methods", "n_runs", "n_arrived"],
        )
        self._watch_state(self._draw_budget, "budget")
        self._watch_state(
            self._draw_chosen,
            ["traces", "marks", "accounting", "budget", "reason", "picked", "methods"],
        )

    def _picker(self, name: str) -> Callable[[str, Any, list[int]], None]:
        def pick(attr: str, old: Any, new: list[int]) -> None:
            if new:
                point = self.state.traces[name].points[new[0]]
                self.state.param.update(picked=point, reason="picked")

        return pick

    def _budget_dragged(self, attr: str, old: Any, new: float) -> None:
        top = self.state.dataset.hypergraph.total_cost
        self.state.param.update(budget=float(np.clip(new, 0, top)), reason="budget")

    # ------------------------------------------------------------------------- drawing

    def _new_dataset(self) -> None:
        data = self.state.dataset
        if data is None:
            return
        floor = all_positive_f1(data)
        self.figure.x_range.update(start=0, end=data.hypergraph.total_cost * 1.04 or 1)
        self.figure.x_range.update(reset_start=0, reset_end=self.figure.x_range.end)
        low = max(0.0, floor - 0.12)
        self.figure.y_range.update(start=low, end=1.01, reset_start=low, reset_end=1.01)
        self._floor.data = {"f1": [floor]}
        self._floor_line.visible = floor > 0
        self._draw_points()
        self._draw_budget()
        self._draw_chosen()

    def _draw_points(self) -> None:
        state = self.state
        self.figure.xaxis.axis_label = (
            f"prediction cost, {ACCOUNTS[state.accounting]} over test rows "
            f"({unit_text(state.dataset.unit) if state.dataset else ''})"
        )
        for name in [*state.traces]:
            if name not in self._lines:
                self._add_method(name)
        for name, line in self._lines.items():
            shown = name in state.traces and name in state.methods
            line.visible = self._points[name].visible = shown
            if not shown:
                continue
            frontier = state.frontier(name)
            line.data_source.data = _steps(
                frontier.undominated(), state.accounting, self.figure.x_range.end
            )
            self._points[name].data_source.data = _columns(
                name, frontier.points, state.accounting
            )
        for item in self._legend.items:
            item.visible = any(renderer.visible for renderer in item.renderers)

    def _draw_bands(self) -> None:
        bands = self.state.bands()
        for name, area in self._areas.items():
            area.visible = name in bands
            if name in bands:
                area.data_source.data = _stairs(bands[name], self.figure.x_range.end)

    def _draw_budget(self) -> None:
        if self._budget.location != self.state.budget:
            self._budget.location = self.state.budget

    def _draw_chosen(self) -> None:
        state = self.state
        chosen = state.chosen()
        points = [] if chosen is None else [chosen.point]
        self._ring.data = _line(points, state.accounting)
        marks = [state.marks[name] for name in state.methods if name in state.marks]
        colours = [method_style(point.method).colour(self.dark) for point in marks]
        self._mark.data = {**_line(marks, state.accounting), "colour": colours}

    def _use_theme(self) -> None:
        colours = palette(self.dark)
        self._ring_glyph.glyph.line_color = colours.ring
        self._budget.line_color = colours.budget
        self._floor_line.glyph.line_color = colours.quiet_text
        for name, line in self._lines.items():
            colour = method_style(name).colour(self.dark)
            line.glyph.line_color = colour
            self._areas[name].glyph.fill_color = colour
            self._points[name].glyph.update(line_color=colour, fill_color=colour)
        self._draw_chosen()


def _line(points: Any, accounting: Any) -> dict[str, list[float]]:
    points = list(points)
    return {
        "x": [point.charged(accounting) for point in points],
        "f1": [point.scores["test"]["f1"] for point in points],
    }


def _steps(points: Any, accounting: Any, end: float) -> dict[str, list[float]]:
    """Return stairs: what is bought at a cost is still bought above it."""
    line = _line(points, accounting)
    if line["x"]:
        line = {"x": [*line["x"], end], "f1": [*line["f1"], line["f1"][-1]]}
    return line


def _stairs(band: Band, end: float) -> dict[str, Any]:
    """Return mean and standard error as stairs, up to the end of the axis."""
    x = np.append(np.repeat(band.costs, 2)[1:], max(end, band.costs[-1]))
    return {"x": x, "low": np.repeat(band.lower, 2), "high": np.repeat(band.upper, 2)}


def _columns(
    name: str, points: tuple[FrontierPoint, ...], accounting: Any
) -> dict[str, list[Any]]:
    return {
        **_line(points, accounting),
        "validation": [point.scores["validation"]["f1"] for point in points],
        "title": [all_methods()[name].title] * len(points),
        "features": [point.n_features for point in points],
        "components": [point.n_components for point in points],
        "params": [params_text(point) for point in points],
        "index": list(range(len(points))),
    }
