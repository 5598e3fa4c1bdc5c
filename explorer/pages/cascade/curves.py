"""Figures of cost: accuracy against it, a threshold's, and a prediction's in time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import panel as pn
import param

from solvers import all_methods
from solvers.papers.cascades import CascadeRows, Linearity, Series
from solvers.values.rounding import number

from ...figures.live import SceneView
from ...figures.scene import Axis, Layer, Scene, dots, line, ring
from ...widgets.page_layout import TOLD
from ...widgets.parts import wide_column
from ...widgets.text import cost_text, percent_text, unit_text
from ...widgets.theme import PLOT_HEIGHT, Role, method_style
from .state import METHODS, CascadeState
from .tefe_result import CascadePicture
from .training import RIVALS

TOOLTIPS = [
    ("method", "@title"),
    ("accuracy (test)", "@y{0.000}"),
    ("mean cost", "@x{number} @unit"),
    ("", "@note"),
]
SCORE = "accuracy on test rows"
# A curve of more points than this is thinned out: a screen shows no more.
MOST_POINTS = 600
# What costs a larger share of a cost is not told to be less.
LESS = 0.99
# Of the straight line: points, and how far beyond nine tenths of the cost it goes.
POINTS, BEYOND = 300, 1.35


class CascadeTradeoff(SceneView):
    """The curve of all thresholds, the static prefix, the rivals and where we are."""

    state = param.ClassSelector(class_=CascadeState)

    called = "tradeoff"
    height = PLOT_HEIGHT
    style = TOLD
    follows = (
        *("cascade", "confidence", "cap", "rivals", "hyper"),
        *("share", "way", "policy"),
    )

    def __init__(self, **params: Any) -> None:
        # What each line is of: where that is the same, so is the line.
        self._kept: dict[str, tuple[Any, list[Layer]]] = {}
        super().__init__(**params)

    def scene(self) -> Scene:
        """Return all lines, and a ring at what is chosen."""
        state, picture = self.state, self.state.picture
        here = state.here()
        at = ([], []) if here is None else ([here[0]], [here[1]])
        if picture is None:
            return Scene(Axis("", 0, 1), Axis(SCORE, 0, 1.01), [ring(*at)])
        cascade, test = picture.cascade, picture.test
        unit = unit_text(cascade.dataset.unit)
        named = {name: state.rivals.get(name) for name in RIVALS}
        named["hypergraph_cascade"] = state.hyper_curve()
        layers = [
            *self._line("tefe", picture, unit),
            *self._line("static_prefix", picture, unit),
            *(one for item in named.items() for one in self._line(*item, unit)),
            ring(*at),
        ]
        lowest = min(test.curve.accuracy.min(), test.prefix_accuracy.min())
        label = f"mean cost of a test row ({unit}), shared work once"
        return Scene(
            Axis(label, 0.0, 1.02 * float(cascade.full_cost)),
            Axis(SCORE, max(0.0, float(lowest) - 0.05), 1.01),
            layers,
            said=cheaper_text(layers, here, cascade.dataset.unit),
        )

    def _line(
        self, name: str, source: CascadePicture | Series | None, unit: str
    ) -> list[Layer]:
        kept = self._kept.get(name)
        if kept is None or kept[0] is not source:
            kept = self._kept[name] = source, _series(name, source, unit)
        return kept[1]


def _series(
    name: str, source: CascadePicture | Series | None, unit: str
) -> list[Layer]:
    """Return a line and its marks; rivals are grey, and told apart by these."""
    if source is None:
        return []
    if not isinstance(source, CascadePicture):
        cost, accuracy, notes = source.x, source.y, [""] * len(source.x)
    elif name == "tefe":
        cost, accuracy, notes = _curve(source.test)
    else:
        test = source.test
        cost, accuracy = test.stage_costs, test.prefix_accuracy
        notes = [f"stage {g} for every row" for g in range(1, test.n_stages + 1)]
    style, is_main = method_style(name), name == "tefe"
    role: Role = "quiet_text" if name in RIVALS else style
    title = all_methods()[name].title
    told = {"unit": [unit] * len(notes), "title": [title] * len(notes), "note": notes}
    look: dict[str, Any] = {"dash": style.dash, "width": 1.8}
    if is_main:
        look = {"dash": "solid", "width": 3.0}
    marks = {"marker": style.marker, "size": 3 if is_main else 7, "fill_alpha": 0.35}
    return [
        line(f"{name}: line", cost, accuracy, role, key=title, **look),
        dots(
            name,
            cost,
            accuracy,
            role,
            key=title,
            hover=TOOLTIPS,
            told=told,
            **marks,
        ),
    ]


def cheaper_text(
    layers: Sequence[Layer], here: tuple[float, float] | None, unit: str
) -> str:
    """Return which curve is as right as what is chosen for the least, in words.

    `here`: cost and accuracy of what is chosen.
    """
    if here is None:
        return ""
    cost, accuracy = here
    found = [
        (float(x), float(y), layer.key)
        for layer in layers
        if layer.hover  # Marks of a curve
        for x, y in zip(layer.columns["x"], layer.columns["y"], strict=True)
        if y >= accuracy and x < LESS * cost
    ]
    if not found:
        return "No curve that is drawn is as right for less, on these test rows."
    paid, right, title = min(found, key=lambda point: point[0])
    return (
        f"As right for less, on these test rows: {title}, {percent_text(right)} "
        f"for {cost_text(paid, unit)} instead of {cost_text(cost, unit)}."
    )


def _curve(test: CascadeRows) -> tuple[Any, Any, list[str]]:
    curve = test.curve
    count = min(MOST_POINTS, len(curve.cost))
    at = np.unique(np.linspace(0, len(curve.cost) - 1, count).astype(int))
    notes = [
        f"threshold {number(value)}" if np.isfinite(value) else "nobody leaves early"
        for value in curve.thresholds[at]
    ]
    return curve.cost[at], curve.accuracy[at], notes


class CascadeLine(SceneView):
    """Mean cost against threshold, beside the straight line that the paper claims."""

    state = param.ClassSelector(class_=CascadeState)

    called = "line"
    follows = ("cascade", "confidence", "cap", "rests")

    def scene(self) -> Scene:
        """Return both lines, and a ring at the threshold."""
        picture, outcome = self.state.picture, self.state.threshold_result()
        if picture is None or outcome is None:
            axes = Axis("exit threshold", 0, 1), Axis("", 0, 1)
            return Scene(*axes, [ring([], [], size=16)])
        straight, curve = picture.line, picture.test.curve
        finite = curve.thresholds[np.isfinite(curve.thresholds)]
        start = float(finite[0]) if finite.size else 0.0
        start = min(0.0, start) if picture.kind != "calibrated" else start
        stop = start + BEYOND * max(straight.top - start, 1e-9)
        at = np.linspace(start, stop, POINTS)
        cost = curve.cost[np.searchsorted(curve.levels, at, side="left")]
        here = float(np.clip(outcome.threshold, start, stop))
        published = {"key": "straight line, as published", "dash": "dashed"}
        unit = unit_text(picture.cascade.dataset.unit)
        return Scene(
            Axis("exit threshold", start, stop),
            Axis(
                f"mean cost of a test row ({unit})", 0.0, 1.05 * float(curve.cost[-1])
            ),
            [
                line(
                    "measured", at, cost, method_style("tefe"), key="measured", width=3
                ),
                line("straight", at, straight.cost(at), "quiet_text", **published),
                ring([here], [outcome.cost], size=16),
            ],
            said=line_text(straight),
        )


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


class CascadeTiming(SceneView):
    """One mark a prediction, beside the line on which both times are the same.

    Where what it is compared with is charged for as well, that has marks of its own.
    """

    state = param.ClassSelector(class_=CascadeState)
    method = param.Selector(default="tefe", objects=list(METHODS))

    called = "timing"

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.figure.name = METHODS[self.method].figures["timing"]
        # Hidden while there is no mark: an empty plot says nothing.
        self._plot = wide_column(self._pane, visible=False)
        self._watch_state(self._draw, METHODS[self.method].runs)
        self._draw()

    def __panel__(self) -> pn.viewable.Viewable:
        return wide_column(self._text, self._plot)

    def _draw(self) -> None:
        super()._draw()
        if hasattr(self, "_plot"):
            self._plot.visible = bool(self.state.runs_of(self.method))

    def scene(self) -> Scene:
        """Return every prediction that was run, measured against charged time."""
        method, runs = METHODS[self.method], self.state.runs_of(self.method)
        times = {
            "run": ([run.charged for run in runs], [run.measured for run in runs]),
            "reference": (
                [run.reference_charged for run in runs],
                [run.reference_measured for run in runs],
            ),
        }
        told = {
            "row": [run.row for run in runs],
            "stage": [method.first_stage + run.journey.stage for run in runs],
            "label": [str(run.journey.label) for run in runs],
        }
        hover = [
            ("row", "@row, @label"),
            ("left at stage", "@stage"),
            (method.charged.split()[0].rstrip(":"), "@x{number} µs"),
            ("measured", "@y{number} µs"),
        ]
        looks: list[tuple[Role, dict[str, Any]]] = [
            (method_style(method.style), {"marker": "circle"}),
            ("quiet_text", {"marker": "square", "fill_color": None}),
        ]
        marks = [
            dots(name, *at, role, key=key, size=9, hover=hover, told=told, **look)
            for (name, at), key, (role, look) in zip(
                times.items(), method.marks or ("",), looks, strict=False
            )
        ]
        # To the right of the marks nothing is cut, whichever is the longer.
        drawn = [times[layer.name] for layer in marks]
        every = [time for pair in drawn for axis in pair for time in axis]
        top = 1.15 * max(every, default=100.0)
        same = line(
            "same", [0.0, top], [0.0, top], "quiet_text", dash="dashed", width=1.5
        )
        return Scene(
            Axis(f"{method.charged} (µs)", 0.0, top),
            Axis("measured here (µs)", 0.0, top),
            [same, *marks],
            said=timing_text(self.state, self.method),
        )


def timing_text(state: CascadeState, method: str = "tefe") -> str:
    """Return what the last prediction took, in words."""
    runs, result = state.runs_of(method), state.result(method)
    if not runs or result is None:
        return METHODS[method].before_runs
    return result.timing_text(runs[-1])
