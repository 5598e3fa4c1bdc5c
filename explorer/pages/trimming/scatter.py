"""Agreement against accuracy of every affordable set, and its front (Fig. 5)."""

from __future__ import annotations

from typing import Any

import numpy as np
import param
from bokeh.models import HoverTool, Range1d

from ...figures.search_style import TREE
from ...widgets.figure_view import FigureView, live_figure
from ...widgets.markup import markup
from ...widgets.still_figure import fit_range
from ...widgets.text import charge_text, plain
from .figures import Scatter

HEIGHT = 330


class ScatterView(FigureView):
    """Every affordable set, the front, and the best in each."""

    result: Any = param.ClassSelector(class_=Scatter, allow_None=True)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.figure = live_figure(
            height=HEIGHT,
            tools="pan,wheel_zoom,box_zoom,reset",
            x_range=Range1d(0, 1),
            y_range=Range1d(0, 1),
            x_axis_label="agreement with the original (MAA)",
            y_axis_label="accuracy",
            name="scatter",
        )
        self.figure.toolbar.autohide = True
        at, told = ("eca", "accuracy"), ("features", "cost")
        ring: dict[str, Any] = {"told": told, "line_color": "ring"}
        look = {"fill_color": "quiet_text", "fill_alpha": 0.6, "line_color": None}
        dots = self._layer("scatter", *at, told=told, size=5, **look)
        front = self._layer(
            "step", *at, told=told, mode="before", line_width=2, line_color="lit"
        )
        agreeing = self._layer(
            "scatter", *at, marker="star", size=18, fill_color=TREE["improved"], **ring
        )
        accurate = self._layer(
            "scatter", *at, marker="square", size=13, fill_color="shared", **ring
        )
        layers = (dots, front, agreeing, accurate)
        self._all, self._front, self._agreeing, self._accurate = (
            layer.data_source for layer in layers
        )
        tips = [
            ("", "@features"),
            ("agreement", "@eca{0.0000}"),
            ("accuracy", "@accuracy{0.0000}"),
            ("cost", "@cost"),
        ]
        marks = [dots, agreeing, accurate]
        self.figure.add_tools(HoverTool(renderers=marks, tooltips=tips))
        self._text = markup("", min_height=72)
        self.param.watch(lambda *_: self._draw(), "result")
        self._draw()

    def _draw(self) -> None:
        found = self.result
        if found is None:
            return
        front = np.flatnonzero(found.front)
        front = front[np.argsort(found.subsets.agreements[front])]
        self._all.data = _columns(found, found.drawn())
        self._front.data = _columns(found, front)
        fit_range(self.figure.x_range, self._all.data["eca"], 0.08)
        fit_range(self.figure.y_range, self._all.data["accuracy"], 0.08)
        self._agreeing.data = _columns(found, np.array([found.subsets.best]))
        self._accurate.data = _columns(found, np.array([found.most_accurate]))
        self._text.object = plain(_text(found))


def _columns(found: Scatter, rows: Any) -> dict[str, list[Any]]:
    return {
        "eca": found.subsets.agreements[rows].tolist(),
        "accuracy": found.accuracies[rows].tolist(),
        "features": [", ".join(found.names(row)) or "no feature" for row in rows],
        "cost": [charge_text(cost, found.unit) for cost in found.subsets.costs[rows]],
    }


def _text(found: Scatter) -> str:
    best, accurate = found.subsets.best, found.most_accurate
    n_sets, n_drawn = len(found.accuracies), len(found.drawn())
    drawn = (
        f"{n_drawn} of {n_sets} sets are drawn"
        if n_drawn < n_sets
        else (f"{n_sets} affordable sets")
    )
    text = (
        f"{drawn}; accuracy: {found.judged_on}. Star: best agreement, "
        f"{found.subsets.agreements[best]:.4f} (accuracy "
        f"{found.accuracies[best]:.4f}). Square: best accuracy, "
        f"{found.accuracies[accurate]:.4f} (agreement "
        f"{found.subsets.agreements[accurate]:.4f}). Line: no set beats these "
        f"{int(found.front.sum())} in both."
    )
    if not found.tested:
        return text
    star, square = found.tested
    return (
        f"{text} On test rows: star agrees {star.agreement:.3f}, accuracy "
        f"{star.accuracy:.3f}; square agrees {square.agreement:.3f}, accuracy "
        f"{square.accuracy:.3f}."
    )
