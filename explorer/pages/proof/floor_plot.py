"""The proven floor as a band that rises, and where each method's points lie."""

from __future__ import annotations

from typing import Any

import panel as pn
import param
from bokeh.models import ColumnDataSource, HoverTool, Range1d, Span
from bokeh.plotting import figure

from solvers import all_methods
from solvers.certify import FloorStep

from ...widgets.figure_view import FigureView, figure_pane, live_figure
from ...widgets.markup import markup
from ...widgets.still_figure import legend_below, name_what_is_drawn
from ...widgets.text import plain, unit_text
from ...widgets.theme import PLOT_HEIGHT, method_style, palette
from .state import ProofState
from .streams import is_linear, methods_in_turn
from .text import floor_text, percent

__all__ = ["FloorPlot"]

STEPS = ("left", "right", "bottom", "top", "lower", "upper")
# Methods that are not linear: one mark for all, the pointer tells which.
OTHERS = "others"
POINTS = ("cost", "objective", "title", "above")
# `UNIT`: that of the costs.
TOOLTIPS = [
    ("budgets", "@left{0.[00]} to @right{0.[00]} UNIT"),
    ("no linear model below", "@lower{0.0000}"),
    ("best selection known", "@upper{0.0000}"),
]
METHOD_TOOLTIPS = [
    ("method", "@title"),
    ("cost", "@cost{0.[00]} UNIT"),
    ("objective of its columns", "@objective{0.0000}"),
    ("above the proven floor", "@above"),
]


class FloorPlot(FigureView):
    """Objective against cost: what cannot be, what may be, and what was found."""

    state = param.ClassSelector(class_=ProofState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._sources = {
            name: ColumnDataSource({column: [] for column in STEPS})
            for name in ("band", "open", "closed", "unproven", "base")
        }
        self._found = {
            name: ColumnDataSource({column: [] for column in POINTS})
            for name in [OTHERS, *filter(is_linear, methods_in_turn())]
        }
        self._here = ColumnDataSource({"cost": [], "objective": []})
        self._budget = Span(dimension="height", line_dash="dashed", line_width=2)
        self.figure = self._figure()
        self._glyphs = self._steps() | self._methods()
        legend_below(self.figure, 2)
        self._text = markup("", min_height=44)
        self._watch_state(self._draw, ["floors", "base"])
        self._watch_state(self._draw_points, "points")
        self._watch_state(self._draw_here, ["share", "answer"])
        self._draw()
        self._use_theme()

    def __panel__(self) -> pn.viewable.Viewable:
        plot = figure_pane(self.figure)
        return pn.Column(plot, self._text, sizing_mode="stretch_width")

    # ------------------------------------------------------------------------ building

    def _figure(self) -> figure:
        plot = live_figure(
            height=PLOT_HEIGHT + 60,
            tools="pan,box_zoom,reset",
            x_range=Range1d(0, 1),
            y_range=Range1d(0, 1),
            y_axis_label="training objective (mean logistic loss + ridge)",
            name="floor",
        )
        plot.add_layout(self._budget)
        return plot

    def _steps(self) -> dict[str, Any]:
        plot, sources = self.figure, self._sources
        ends = {"left": "left", "right": "right", "bottom": "bottom", "top": "top"}
        band = plot.quad(
            **ends,
            source=sources["band"],
            line_color=None,
            fill_alpha=0.5,
            legend_label="no linear model: proven",
            name="band",
        )
        gap = plot.quad(
            **ends,
            source=sources["open"],
            line_color=None,
            fill_alpha=0.0,
            hatch_pattern="right_diagonal_line",
            hatch_scale=9,
            hatch_weight=0.8,
            legend_label="gap still open",
        )
        self._told_steps = HoverTool(renderers=[band, gap], tooltips=TOOLTIPS)
        plot.add_tools(self._told_steps)
        lines = {}
        for name, dash, width, label in (
            ("base", "dotted", 2.0, "floor, nothing ruled out"),
            ("unproven", "dashed", 1.5, "floor so far"),
            ("closed", "solid", 3.5, "floor, gap closed"),
        ):
            lines[name] = plot.segment(
                "left",
                "lower",
                "right",
                "lower",
                source=sources[name],
                line_dash=dash,
                line_width=width,
                legend_label=label,
                name=name,
            )
        return {"band": band, "open": gap, **lines}

    def _methods(self) -> dict[str, Any]:
        found = {
            name: self.figure.scatter(
                "cost",
                "objective",
                source=source,
                marker="x" if name == OTHERS else method_style(name).marker,
                size=5 if name == OTHERS else 7,
                fill_alpha=0.4,
                legend_label=_label(name),
                name=name,
            )
            for name, source in self._found.items()
        }
        marks = list(found.values())
        self._told_methods = HoverTool(renderers=marks, tooltips=METHOD_TOOLTIPS)
        self.figure.add_tools(self._told_methods)
        ring = self.figure.scatter(
            "cost",
            "objective",
            source=self._here,
            size=18,
            line_width=2.5,
            fill_color=None,
            legend_label="best known",
            name="here",
        )
        return {**found, "here": ring}

    # ------------------------------------------------------------------------- drawing

    def _draw(self) -> None:
        state = self.state
        run = state.floors
        if run is None:
            for source in self._sources.values():
                source.data = {column: [] for column in STEPS}
            name_what_is_drawn(self.figure)
            return
        self._fit_axes()
        low, steps = self.figure.y_range.reset_start, run.steps
        closed = [step for step in steps if step.closed]
        open_ = [step for step in steps if not step.closed]
        base = state.unrestricted if run.question.without else None
        self._put("band", steps, [(low, step.lower) for step in steps])
        self._put("open", open_, [(step.lower, step.upper) for step in open_])
        self._put("closed", closed)
        self._put("unproven", open_)
        self._put("base", base.steps if base is not None else ())
        self._text.object = plain(floor_text(state))
        self._draw_points()

    def _fit_axes(self) -> None:
        """Let the axes end where nothing and everything is bought, whatever comes."""
        data, (bottom, top) = self.state.data, self.state.floors.ends
        base = self.state.unrestricted
        if base is not None:
            bottom = min(bottom, base.ends[0])
        room = 0.06 * (top - bottom) or 0.01
        low, high = bottom - 2 * room, top + room
        end = 1.02 * data.hypergraph.total_cost
        x, y = self.figure.x_range, self.figure.y_range
        if (x.reset_end, y.reset_start, y.reset_end) != (end, low, high):
            x.update(start=0, end=end, reset_start=0, reset_end=end)
            y.update(start=low, end=high, reset_start=low, reset_end=high)
        unit = unit_text(data.dataset.unit)
        self.figure.xaxis.axis_label = f"cost of a row, shared work once ({unit})"
        self._told_steps.tooltips = _in_unit(TOOLTIPS, unit)
        self._told_methods.tooltips = _in_unit(METHOD_TOOLTIPS, unit)

    def _put(
        self,
        name: str,
        steps: Any,
        heights: list[tuple[float, float]] | None = None,
    ) -> None:
        drawn: list[FloorStep] = list(steps)
        spans = heights or [(step.lower, step.lower) for step in drawn]
        self._sources[name].data = {
            "left": [step.start for step in drawn],
            "right": [step.end for step in drawn],
            "bottom": [low for low, _ in spans],
            "top": [high for _, high in spans],
            "lower": [step.lower for step in drawn],
            "upper": [step.upper for step in drawn],
        }

    def _draw_points(self) -> None:
        run = self.state.floors
        points = self.state.points_beside(run.question) if run else []
        for name, source in self._found.items():
            mine = [point for point in points if _mark(point.method) == name]
            above = [
                (point.objective - run.at(point.cost).lower) / run.full_gain
                for point in mine
            ]
            source.data = {
                "cost": [point.cost for point in mine],
                "objective": [point.objective for point in mine],
                "title": [all_methods()[point.method].title for point in mine],
                "above": [f"at most {percent(max(gap, 0.0))}" for gap in above],
            }
        self._draw_here()

    def _draw_here(self) -> None:
        known = self.state.known() or self.state.known_before()
        self._budget.location = self.state.budget
        self._here.data = {
            "cost": [known.cost] if known else [],
            "objective": [known.upper] if known else [],
        }
        name_what_is_drawn(self.figure)

    def _use_theme(self) -> None:
        colours = palette(self.dark)
        glyphs = self._glyphs
        glyphs["band"].glyph.fill_color = colours.faded
        glyphs["open"].glyph.update(
            fill_color=colours.background, hatch_color=colours.quiet_text
        )
        glyphs["closed"].glyph.line_color = colours.text
        glyphs["unproven"].glyph.line_color = colours.quiet_text
        glyphs["base"].glyph.line_color = colours.shared
        glyphs["here"].glyph.line_color = colours.ring
        self._budget.line_color = colours.budget
        for name in self._found:
            is_own = name != OTHERS
            colour = (
                method_style(name).colour(self.dark) if is_own else colours.quiet_text
            )
            glyphs[name].glyph.update(line_color=colour, fill_color=colour)


def _mark(method: str) -> str:
    return method if is_linear(method) else OTHERS


def _label(mark: str) -> str:
    if mark == OTHERS:
        return "columns of other methods"
    return str(all_methods()[mark].title)


def _in_unit(tooltips: list[tuple[str, str]], unit: str) -> list[tuple[str, str]]:
    """Return tooltips with the unit of the costs, which is no name of a column."""
    word = unit.translate(str.maketrans("", "", "@${}"))
    return [(label, told.replace("UNIT", word)) for label, told in tooltips]
