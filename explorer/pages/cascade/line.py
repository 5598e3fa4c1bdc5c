"""What a threshold costs, beside the straight line that the paper claims."""

from __future__ import annotations

from typing import Any

import numpy as np
import param
from bokeh.models import Range1d

from solvers.papers.cascades import Linearity
from solvers.values.rounding import number

from ...widgets.figure_view import FigureView
from ...widgets.markup import markup
from ...widgets.still_figure import legend_below, still_figure
from ...widgets.text import plain, unit_text
from ...widgets.theme import SIDE_HEIGHT, method_style
from .state import CascadeState

POINTS = 300
# How far to the right of nine tenths of the cost the picture goes.
BEYOND = 1.35


class CascadeLine(FigureView):
    """Mean cost against threshold, on test rows."""

    state = param.ClassSelector(class_=CascadeState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.figure = still_figure(
            height=SIDE_HEIGHT,
            x_range=Range1d(0, 1),
            y_range=Range1d(0, 1),
            x_axis_label="exit threshold",
            name="line",
        )
        at = "threshold", "cost"
        self._curve = self._layer(
            "line",
            *at,
            line_color=method_style("tefe"),
            line_width=3,
            legend_label="measured",
        ).data_source
        self._straight = self._layer(
            "line",
            *at,
            line_color="quiet_text",
            line_width=2,
            line_dash="dashed",
            legend_label="straight line, as published",
        ).data_source
        self._here = self._layer(
            "scatter", *at, size=16, line_width=2.5, line_color="ring", fill_color=None
        ).data_source
        legend_below(self.figure)
        self._text = markup("", min_height=44)
        self._watch_state(self._draw, ["cascade", "confidence", "cap"])
        self._watch_state(self._move, "rests")
        self._draw()

    def _draw(self) -> None:
        picture = self.state.picture
        if picture is None:
            return
        line, curve = picture.line, picture.test.curve
        finite = curve.thresholds[np.isfinite(curve.thresholds)]
        start = float(finite[0]) if finite.size else 0.0
        start = min(0.0, start) if picture.kind != "calibrated" else start
        stop = start + BEYOND * max(line.top - start, 1e-9)
        at = np.linspace(start, stop, POINTS)
        cost = curve.cost[np.searchsorted(curve.levels, at, side="left")]
        self.figure.x_range.update(start=start, end=stop)
        self.figure.y_range.end = 1.05 * float(curve.cost[-1])
        unit = picture.cascade.dataset.unit
        self.figure.yaxis.axis_label = f"mean cost of a test row ({unit_text(unit)})"
        self._curve.data = {"threshold": at, "cost": cost}
        self._straight.data = {"threshold": at, "cost": line.cost(at)}
        self._text.object = f"<p>{plain(line_text(line))}</p>"
        self._move()

    def _move(self) -> None:
        outcome, x = self.state.threshold_result(), self.figure.x_range
        if outcome is not None:
            at = float(np.clip(outcome.threshold, float(x.start), float(x.end)))
            self._here.data = {"threshold": [at], "cost": [outcome.cost]}


def line_text(line: Linearity) -> str:
    """Return how well the straight line of the paper foresees the cost."""
    if line.r2 > 0:
        fit = f"explains {number(100 * line.r2)} % of the variation (R²)"
    else:
        fit = f"is further off than a constant would be (R² {number(line.r2)})"
    off = line.largest_deviation
    said = f"{number(100 * off)} % of" if off <= 1 else f"{number(off)} times"
    return (
        "The paper says that cost rises almost linearly. Here its line, which goes "
        f"through two points of the curve, {fit} and misses by up to {said} the full "
        f"cost. Compared up to threshold {number(line.top)}, where nine tenths of the "
        "cost are paid."
    )
