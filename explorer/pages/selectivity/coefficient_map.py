"""The coefficients: a map of channels by time, or bars of the largest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import param
from numpy.typing import NDArray

from solvers.methods.selective_ridge.problem import STATES
from solvers.values.rounding import rounded

from ...figures.live import SceneView
from ...figures.regularisation_path import BOUNDARY
from ...figures.scene import Axis, Layer, Scene, boxes, heat, line, words
from ...widgets.page_layout import TOLD
from ...widgets.theme import PLOT_HEIGHT, MethodStyle, Role
from .state import SelectivityState
from .streams import Grid
from .text import map_text

N_BARS, THICK = 16, 0.35
# Of coefficients below zero, and above.
NEGATIVE = MethodStyle("#8f4a78", "#CC79A7", "square", "solid")
POSITIVE = MethodStyle("#008060", "#2fbf98", "square", "solid")
LOOKS: dict[str, Role] = {"zero": "faded", "boundary": BOUNDARY, "ridge": "lit"}
# The response is outlined where it is at least this high.
OUTLINE = 0.3
# Where the scale stands right of the map, and its words, in shares of its width.
SCALE, WORDS, END = (1.03, 0.03), 1.07, 1.19
N_CELLS = 201
CELLS = (("time", "$x{0} ms"), ("channel", "$y{0}"), ("value", "@image"))
BARS = (("", "@name"), ("coefficient", "@coef{0.0000}"), ("", "@state"))
DASHED = (
    " Dashed: where the response was hidden; coloured cells outside of it are false "
    "finds."
)
COLOURS = " Ochre, or yellow in the dark: on the boundary; blue: ridge."


class CoefficientMap(SceneView):
    """Which features live, and where they are."""

    state = param.ClassSelector(class_=SelectivityState)

    called = "map"
    height = PLOT_HEIGHT
    style = TOLD
    legend = ""
    said_height = 62  # two lines
    explains = True
    follows = ("answer", "shown", "path")

    def __init__(self, **params: Any) -> None:
        # Largest coefficient so far of what is asked: the same scale at every μ
        self._of: Any = None
        self._top = 1.0
        super().__init__(**params)

    def scene(self) -> Scene:
        """Return the map where columns are channels by time, else bars."""
        answer = self.state.answer
        if answer is None:
            return Scene(Axis("", 0, 1), Axis("", 0, 1), [_bars([], [], [])])
        top = self._largest()
        if answer.bench.data.grid is None:
            return bars_scene(answer, top)
        return map_scene(answer, top, by_state=self.state.shown == "states")

    def _largest(self) -> float:
        """Return the largest coefficient of the path and of what was shown of it."""
        answer = self.state.answer
        if answer.bench is not self._of:
            self._of, self._top = answer.bench, 0.0
        of_path = [one for one in self.state.path if one.bench is answer.bench]
        sizes = [float(np.abs(one.fit.coef).max()) for one in (answer, *of_path)]
        self._top = max(self._top, *sizes) or 1.0
        return self._top


def map_scene(answer: Any, top: float, *, by_state: bool = False) -> Scene:
    """Return coefficients, or their states, of channels by time, and what colours mean.

    `top`: what the darkest colour stands for.
    """
    grid: Grid = answer.bench.data.grid
    wide, high = grid.milliseconds, float(grid.n_channels)
    shades: Sequence[Role] = [NEGATIVE, "background", POSITIVE]
    values, ends = answer.fit.coef, (-top, top)
    said: Mapping[float, str] = {
        float(at): f"{rounded(at):g}" for at in np.linspace(-top, top, 5)
    }
    if by_state:
        shades = ["background", BOUNDARY, "lit"]
        values, ends = _codes(answer.fit), (-0.5, 2.5)
        said = {float(k): name for k, name in enumerate(STATES)}
    cells = values.reshape(grid.n_channels, grid.n_times)
    strip = np.linspace(*ends, N_CELLS)[:, np.newaxis]
    at = [high * (value - ends[0]) / (ends[1] - ends[0]) for value in said]
    left, thick = (share * wide for share in SCALE)
    colours = {"is_stepped": by_state}
    layers = [
        heat(
            "cells", cells, (0.0, 0.0, wide, high), shades, ends, hover=CELLS, **colours
        ),
        line("response", *_outline(grid), "text", dash="dashed", width=1.5),
        heat("scale", strip, (left, 0.0, thick, high), shades, ends, **colours),
        words(
            "values", [WORDS * wide] * len(at), at, [*said.values()], text_align="left"
        ),
    ]
    step = 10.0 ** np.floor(np.log10(wide / 2))
    ticks = {float(at): f"{at:g}" for at in np.arange(0, wide + 1, step * 2)}
    return Scene(
        Axis("time after the stimulus (ms)", 0.0, END * wide, ticks),
        Axis("channel", -0.02 * high, 1.02 * high),
        layers,
        said=map_text(answer) + DASHED,
    )


def bars_scene(answer: Any, top: float) -> Scene:
    """Return the largest coefficients, the very largest on top.

    `top`: of all that are drawn at other μ.
    """
    order = np.argsort(-np.abs(answer.fit.coef), kind="stable")[:N_BARS]
    names = [answer.bench.data.names[j] for j in order]
    drawn = _bars(names, answer.fit.coef[order], answer.fit.states[order])
    what = "column" if answer.bench.data.is_encoded else "feature"
    ticks = {float(-row): name for row, name in enumerate(names)}
    return Scene(
        Axis(f"coefficient of the scaled {what}", -1.05 * top, 1.05 * top),
        Axis("", 0.6 - len(names), 0.6, ticks),
        [drawn],
        said=map_text(answer) + COLOURS,
    )


def _bars(names: Sequence[str], coef: Any, states: Sequence[str]) -> Layer:
    rows = -np.arange(float(len(names)))
    told = {
        "name": [*names],
        "coef": coef,
        "state": [*states],
        "look": [LOOKS[state] for state in states],
    }
    edges = (np.minimum(coef, 0.0), np.maximum(coef, 0.0), rows - THICK, rows + THICK)
    left, right, low, high = edges
    return boxes("bars", left, right, low, high, "look", told=told, hover=BARS)


def _codes(fit: Any) -> NDArray[np.float64]:
    """Return 0 for zero, 1 for the boundary, 2 for ridge."""
    codes = [float(k) * (fit.states == name) for k, name in enumerate(STATES)]
    return np.sum(codes, axis=0)


def _outline(grid: Grid) -> tuple[list[float], list[float]]:
    rows, columns = np.nonzero(grid.response >= OUTLINE)
    step = grid.milliseconds / grid.n_times
    left, right = columns.min() * step, (columns.max() + 1) * step
    low, high = float(rows.min()), float(rows.max() + 1)
    return [left, right, right, left, left], [low, low, high, high, low]
