"""Coefficients along the selectivity, by state: zero, on the boundary, ridge."""

from __future__ import annotations

from typing import Any

import numpy as np
import param
from bokeh.models import HoverTool, Range1d, Span
from bokeh.plotting import figure

from solvers.methods.selective_ridge.problem import STATES

from ...widgets.figure_view import FigureView, empty_source
from ...widgets.markup import markup
from ...widgets.still_figure import legend_above, still_figure
from ...widgets.text import plain
from ...widgets.theme import PLOT_HEIGHT, palette
from .state import SelectivityState
from .streams import SMALLEST
from .text import largest_coefficients

__all__ = ["CoefficientPath"]

# So many lines can still be told apart.
N_LINES = 20
LINES = {"zero": ("dotted", 1.0), "boundary": ("dashed", 2.0), "ridge": ("solid", 2.0)}
FUNNEL = (
    "The dash-dotted funnel is |a| = μ: inside it a coefficient is on the boundary, "
    "outside it is ridge."
)
PRICED = "Each has a boundary of its own, |a| = μ √cost."
TITLES = {"zero": "zero", "boundary": "on the boundary", "ridge": "ridge"}


class CoefficientPath(FigureView):
    """The largest coefficients as they grow while the selectivity falls."""

    state = param.ClassSelector(class_=SelectivityState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._pieces = {
            name: empty_source("x0", "y0", "x1", "y1", "name") for name in STATES
        }
        self._limit = empty_source("x", "up", "down")
        self._here = Span(dimension="height", line_width=2, line_dash="dotdash")
        self.figure = self._figure()
        self._text = markup("", min_height=44)
        self._watch_state(self._draw, "path")
        self._watch_state(self._draw_here, "answer")
        self._use_theme()
        self._draw()
        self._draw_here()

    def _figure(self) -> figure:
        plot = still_figure(
            height=PLOT_HEIGHT,
            x_axis_type="log",
            x_range=Range1d(SMALLEST, 1.0),
            y_range=Range1d(-1, 1),
            x_axis_label="selectivity μ",
            y_axis_label="coefficient (training rows)",
            name="path",
        )
        self._glyphs = {}
        for name, (dash, width) in LINES.items():
            self._glyphs[name] = plot.segment(
                "x0",
                "y0",
                "x1",
                "y1",
                source=self._pieces[name],
                line_dash=dash,
                line_width=width,
                legend_label=TITLES[name],
            )
        self._limits = [
            plot.line(
                "x", side, source=self._limit, line_width=1.5, line_dash="dotdash"
            )
            for side in ("up", "down")
        ]
        plot.add_layout(self._here)
        legend_above(plot, orientation="horizontal")
        tooltips = [("", "@name"), ("μ", "@x1"), ("coefficient", "@y1{0.0000}")]
        drawn = [self._glyphs["boundary"], self._glyphs["ridge"]]
        plot.add_tools(HoverTool(renderers=drawn, tooltips=tooltips))
        return plot

    def _draw(self) -> None:
        path = self.state.path
        chosen = largest_coefficients(path, N_LINES) if path else []
        if not len(chosen):
            return  # every coefficient is zero where the path begins
        bench = path[0].bench
        mu = np.array([answer.fit.mu for answer in path])
        coef = np.array([answer.fit.coef[chosen] for answer in path])
        states = np.array([answer.fit.states[chosen] for answer in path])
        names = np.array(bench.data.names, dtype=object)[chosen]
        for name, source in self._pieces.items():
            # A piece has the state of its end of less selectivity.
            i, k = np.nonzero(states[1:] == name)
            source.data = {
                "x0": mu[i],
                "y0": coef[i, k],
                "x1": mu[i + 1],
                "y1": coef[i + 1, k],
                "name": names[k],
            }
        top = 1.08 * float(np.abs(coef).max(initial=0.0)) or 1.0
        low, high = SMALLEST * bench.largest, bench.largest
        self.figure.x_range.update(start=low, end=high)
        self.figure.y_range.update(start=-top, end=top)
        grid = np.geomspace(low, high, 80)
        # Priced features have a boundary each.
        grid = grid[grid <= (-1.0 if bench.question.is_priced else 1.5 * top)]
        self._limit.data = {"x": grid, "up": grid, "down": -grid}
        self._text.object = plain(
            f"The {len(chosen)} largest of {len(bench.data.names)} coefficients. "
            + (PRICED if bench.question.is_priced else FUNNEL)
            + " The upright line is the μ chosen."
        )

    def _draw_here(self) -> None:
        if self.state.answer is not None:
            self._here.location = self.state.answer.fit.mu

    def _use_theme(self) -> None:
        colours = palette(self.dark)
        look = {"zero": colours.faded, "boundary": colours.shared, "ridge": colours.lit}
        for name, drawn in self._glyphs.items():
            drawn.glyph.line_color = look[name]
        for drawn in self._limits:
            drawn.glyph.line_color = colours.quiet_text
        self._here.line_color = colours.ring
