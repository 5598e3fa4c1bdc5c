"""The proven floor as a band that rises, and where each method's points lie."""

from __future__ import annotations

from typing import Any

import param
from bokeh.models import GlyphRenderer, HoverTool, Range1d, Span

from solvers import all_methods
from solvers.certify import FloorStep

from ...widgets.figure_view import FigureView, live_figure
from ...widgets.markup import markup
from ...widgets.still_figure import legend_below, name_what_is_drawn, set_ends
from ...widgets.text import plain, unit_text
from ...widgets.theme import PLOT_HEIGHT, method_style
from .state import ProofState
from .streams import is_linear, methods_in_turn
from .text import floor_text, percent

QUAD = ("quad", "left", "right", "top", "bottom")
# Name, role, dash, width and entry of the legend.
FLOORS = (
    ("base", "shared", "dotted", 2.0, "floor, nothing ruled out"),
    ("unproven", "quiet_text", "dashed", 1.5, "floor so far"),
    ("closed", "text", "solid", 3.5, "floor, gap closed"),
)
# Methods that are not linear: one mark for all, the pointer tells which.
OTHERS = "others"
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
        self.figure = live_figure(
            height=PLOT_HEIGHT + 60,
            tools="pan,box_zoom,reset",
            x_range=Range1d(0, 1),
            y_range=Range1d(0, 1),
            y_axis_label="training objective (mean logistic loss + ridge)",
            name="floor",
        )
        self._budget = self._paint(
            Span(dimension="height", line_dash="dashed", line_width=2),
            line_color="budget",
        )
        self.figure.add_layout(self._budget)
        self._steps = self._areas() | self._floors()
        self._points = {
            name: self._mark(name)
            for name in [OTHERS, *filter(is_linear, methods_in_turn())]
        }
        marks = list(self._points.values())
        self._told_methods = HoverTool(renderers=marks, tooltips=METHOD_TOOLTIPS)
        self.figure.add_tools(self._told_methods)
        self._here = self._layer(
            "scatter",
            "cost",
            "objective",
            size=18,
            line_width=2.5,
            line_color="ring",
            fill_color=None,
            legend_label="best known",
            name="here",
        )
        legend_below(self.figure, 2)
        self._text = markup("", min_height=44)
        self._watch_state(self._draw, ["floors", "base"])
        self._watch_state(self._draw_points, "points")
        self._watch_state(self._draw_here, ["share", "answer"])
        self._draw()

    # ------------------------------------------------------------------------ building

    def _areas(self) -> dict[str, GlyphRenderer]:
        """Add what cannot be, and what may be: what the pointer is told of."""
        told = ("lower", "upper")
        look = {"line_color": None}
        band = self._layer(
            *QUAD,
            told=told,
            fill_color="faded",
            fill_alpha=0.5,
            legend_label="no linear model: proven",
            name="band",
            **look,
        )
        gap = self._layer(
            *QUAD,
            told=told,
            fill_color="background",
            fill_alpha=0.0,
            hatch_pattern="right_diagonal_line",
            hatch_scale=9,
            hatch_weight=0.8,
            hatch_color="quiet_text",
            legend_label="gap still open",
            **look,
        )
        self._told_steps = HoverTool(renderers=[band, gap], tooltips=TOOLTIPS)
        self.figure.add_tools(self._told_steps)
        return {"band": band, "open": gap}

    def _floors(self) -> dict[str, GlyphRenderer]:
        return {
            name: self._layer(
                *("segment", "left", "lower", "right", "lower"),
                line_color=role,
                line_dash=dash,
                line_width=width,
                legend_label=label,
                name=name,
            )
            for name, role, dash, width, label in FLOORS
        }

    def _mark(self, name: str) -> GlyphRenderer:
        style = None if name == OTHERS else method_style(name)
        role = style or "quiet_text"
        return self._layer(
            "scatter",
            "cost",
            "objective",
            told=("title", "above"),
            marker=style.marker if style else "x",
            size=7 if style else 5,
            line_color=role,
            fill_color=role,
            fill_alpha=0.4,
            legend_label=(
                all_methods()[name].title if style else "columns of other methods"
            ),
            name=name,
        )

    # ------------------------------------------------------------------------- drawing

    def _draw(self) -> None:
        state = self.state
        run = state.floors
        self._text.object = plain(floor_text(state))
        if run is None:
            for name in self._steps:
                self._put(name, ())
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
            set_ends(x, 0, end)
            set_ends(y, low, high)
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
        self._steps[name].data_source.data = {
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
        for name, marks in self._points.items():
            mine = [point for point in points if _marked(point.method) == name]
            above = [
                (point.objective - run.at(point.cost).lower) / run.full_gain
                for point in mine
            ]
            marks.data_source.data = {
                "cost": [point.cost for point in mine],
                "objective": [point.objective for point in mine],
                "title": [all_methods()[point.method].title for point in mine],
                "above": [f"at most {percent(max(gap, 0.0))}" for gap in above],
            }
        self._draw_here()

    def _draw_here(self) -> None:
        known = self.state.known() or self.state.known_before()
        self._budget.location = self.state.budget
        self._here.data_source.data = {
            "cost": [known.cost] if known else [],
            "objective": [known.upper] if known else [],
        }
        name_what_is_drawn(self.figure)


def _marked(method: str) -> str:
    return method if is_linear(method) else OTHERS


def _in_unit(tooltips: list[tuple[str, str]], unit: str) -> list[tuple[str, str]]:
    """Return tooltips with the unit of the costs, which is no name of a column."""
    word = unit.translate(str.maketrans("", "", "@${}"))
    return [(label, told.replace("UNIT", word)) for label, told in tooltips]
