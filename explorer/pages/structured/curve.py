"""Cost of every method over one knob, with error bars, as the points arrive."""

from __future__ import annotations

from typing import Any

import numpy as np
import panel as pn
import param
from bokeh.models import (
    HoverTool,
    Label,
    Legend,
    LegendItem,
    Range1d,
    Span,
    Whisker,
)

from ...figures.structured_style import structured_style
from ...widgets.figure_view import FigureView, StateTable, figure_pane, live_figure
from ...widgets.markup import markup
from ...widgets.parts import wide_column
from ...widgets.still_figure import set_ends
from ...widgets.text import plain
from .methods import METHODS
from .state import CURVE_VALUES, StructuredState, knob_title

HEIGHT = 440
COLUMNS = ("low", "high", "title", "accuracy", "stuck", "n")
TOOLTIPS = [
    ("method", "@title"),
    ("cost", "@cost{0.0} units"),
    ("accuracy", "@accuracy{0.0%}"),
    ("one label took over", "@stuck{0%}"),
    ("test results", "@n"),
]
NOTHING_YET = {True: "The first marks are on their way.", False: "Not traced yet."}
COLUMN_TITLES = [
    "Value",
    "Method",
    "Cost of a test graph",
    "Standard error",
    "Accuracy (%)",
    "One label took over (%)",
    "Test results",
]


class CostCurve(FigureView):
    """One line a method, one standard error up and down, and where we stand."""

    state = param.ClassSelector(class_=StructuredState)
    comes = param.Boolean(
        default=False, allow_refs=True, doc="Whether it is traced, now or next."
    )

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.figure = live_figure(
            height=HEIGHT,
            tools="pan,xwheel_zoom,reset",
            x_range=Range1d(0.5, 1),
            y_range=Range1d(0, 150),
            y_axis_label="cost of a test graph (units)",
            name="curve",
        )
        self._here = self._paint(
            Span(dimension="height", line_dash="dashed", line_width=2),
            line_color="budget",
        )
        # Where nothing is drawn yet: in the middle of the ranges that it opens with.
        self._note = Label(
            x=0.75,
            y=75,
            text_align="center",
            text_baseline="middle",
            text_font_size="14px",
        )
        self._paint(self._note, text_color="quiet_text")
        self._legend = Legend(
            ncols=3,
            border_line_color=None,
            label_text_font_size="12px",
            spacing=0,
            margin=0,
            padding=4,
        )
        self.figure.add_layout(self._here)
        self.figure.add_layout(self._note)
        self.figure.add_layout(self._legend, "below")
        # From the start: a browser asks for views while it still builds them.
        self._parts = {name: self._add_method(name) for name in METHODS}
        self._items = {
            name: LegendItem(label=self.state.title(name), renderers=[line, marks])
            for name, (line, marks, _) in self._parts.items()
        }
        marks = [drawn for _, drawn, _ in self._parts.values()]
        self.figure.add_tools(HoverTool(renderers=marks, tooltips=TOOLTIPS))
        self._pane = figure_pane(self.figure)
        self._text = markup("", min_height=112)
        self._watch_state(self._draw, ["curve", "methods", "method", "rival"])
        self._watch_state(self._draw_here, [*CURVE_VALUES, "run"])
        self._watch_state(self._show, "scene")
        self.param.watch(lambda *_: self._draw_here(), "comes")
        self._draw()
        self._show()

    def __panel__(self) -> pn.viewable.Viewable:
        return wide_column(self._pane, self._text)

    def _add_method(self, name: str) -> tuple[Any, Any, Whisker]:
        """Draw a method; return its line, its marks and its bars."""
        style = structured_style(name)
        line, marks = self._marked_line(
            *("x", "cost", style),
            marker=style.marker,
            size=9,
            dash=style.dash,
            width=2.5,
            told=COLUMNS,
        )
        marks.glyph.fill_alpha = 0.4
        source = marks.data_source
        bars = Whisker(
            base="x", lower="low", upper="high", source=source, level="glyph"
        )
        self.figure.add_layout(bars)
        for part in (bars, bars.upper_head, bars.lower_head):
            self._paint(part, line_color=style)
        bars.upper_head.size = bars.lower_head.size = 6
        return line, marks, bars

    def _draw(self) -> None:
        curve = self.state.curve
        if curve is None:
            self._draw_here()
            return
        top = 1.0
        for name in METHODS:
            line = curve.line(name) if name in self.state.computed else []
            for part in self._parts[name]:
                part.visible = bool(line)
            columns = _columns(line, self.state.title(name))
            self._parts[name][0].data_source.data = columns
            top = max([top, *columns["high"]])
        self._list_methods()
        values = [value for value, _ in curve.points]
        if values:
            self._fit(min(values), max(values), top)
        self.figure.xaxis.axis_label = knob_title(curve.knob) if curve.knob else ""
        self._draw_here()

    def _show(self) -> None:
        self._pane.visible = self.state.curve_knob is not None
        self._draw_here()

    def _list_methods(self) -> None:
        shown = [name for name in self._items if self._parts[name][0].visible]
        for name in shown:
            self._items[name].label = {"value": self.state.title(name)}
        listed = [self._items[name] for name in shown]
        if self._legend.items != listed:
            self._legend.items = listed

    def _fit(self, low: float, high: float, top: float) -> None:
        gap = 0.04 * (high - low) or 0.5
        asked = CURVE_VALUES[self.state.curve.knob]
        low, high = min(low, *asked) - gap, max(high, *asked) + gap
        set_ends(self.figure.x_range, low, high)
        set_ends(self.figure.y_range, 0.0, 1.08 * top)

    def _draw_here(self) -> None:
        curve = self.state.curve
        words = cheapest_text(self.state, comes=self.comes)
        self._text.object = plain(words)
        is_empty = curve is None or not curve.points
        self._note.update(visible=is_empty, text=NOTHING_YET[self.comes])
        if curve is not None and curve.knob:
            self._here.location = getattr(self.state, curve.knob)


def _columns(line: list[Any], title: str) -> dict[str, list[Any]]:
    costs = [summary.cost for _, summary in line]
    errors = [np.nan_to_num(summary.standard_error) for _, summary in line]
    return {
        "x": [value for value, _ in line],
        "cost": costs,
        "low": [max(0.0, c - e) for c, e in zip(costs, errors, strict=True)],
        "high": [c + e for c, e in zip(costs, errors, strict=True)],
        "title": [title] * len(line),
        "accuracy": [summary.accuracy for _, summary in line],
        "stuck": [summary.stuck_share for _, summary in line],
        "n": [summary.n_results for _, summary in line],
    }


def cheapest_text(state: StructuredState, *, comes: bool = False) -> str:
    """Return which method pays least where, in words; `comes`: it is being traced."""
    curve = state.curve
    if state.curve_knob is None:
        return "There is no curve: data of one's own have no setting to vary."
    if curve is None or not curve.points:
        if not comes:
            return "The curve has not been traced yet; its button traces it."
        return (
            f"Every method is trained at each {knob_title(state.curve_knob)}: a mark "
            "each, as it comes. Then it says here which pays least where."
        )
    earlier = "" if curve.key == state.curve_key() else "Of an earlier setting. "
    lines = {name: dict(curve.line(name)) for name in state.computed}
    won: dict[str, list[str]] = {}
    for value in sorted({value for value, _ in curve.points}):
        found = {name: line[value] for name, line in lines.items() if value in line}
        if found:
            least = min(found, key=lambda name: found[name].cost)
            won.setdefault(least, []).append(f"{value:g}")
    n = max((s.n_results for line in lines.values() for s in line.values()), default=0)
    said = "; ".join(
        f"{state.title(name)} at {', '.join(at)}" for name, at in won.items()
    )
    return (
        f"{earlier}Lowest mean cost over {knob_title(curve.knob)}: {said}. Up to {n} "
        "test results a mark. Bars are one standard error; a difference below two of "
        "them is noise."
    )


class CurveTable(StateTable):
    """The table behind the curve."""

    state = param.ClassSelector(class_=StructuredState)
    caption, columns, height = "Costs over the knob", COLUMN_TITLES, 260
    numbers = (True, False, True, True, True, True, True)
    follows = ("curve", "methods", "scene")

    def _fill(self) -> None:
        curve = self.state.curve
        if curve is None or self.state.curve_knob is None:
            self._table.rows = []
            return
        self._table.rows = [
            [
                value,
                self.state.title(name),
                round(found.cost, 1),
                round(float(np.nan_to_num(found.standard_error)), 2),
                round(100 * found.accuracy, 1),
                round(100 * found.stuck_share),
                found.n_results,
            ]
            for name in self.state.computed
            for value, found in curve.line(name)
        ]
