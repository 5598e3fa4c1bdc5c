"""The coefficients: a map of channels by time, or bars of the largest."""

from __future__ import annotations

from typing import Any

import numpy as np
import panel as pn
import param
from bokeh.models import (
    ColumnDataSource,
    FactorRange,
    HoverTool,
    LinearColorMapper,
    Range1d,
)
from bokeh.plotting import figure
from numpy.typing import NDArray

from solvers.methods.selective_ridge.problem import STATES
from solvers.values.rounding import rounded

from ...figures.regularisation_path import BOUNDARY
from ...widgets.figure_view import FigureView, empty_source, figure_pane
from ...widgets.glossary import explained
from ...widgets.markup import markup
from ...widgets.parts import wide_column, wide_row
from ...widgets.still_figure import still_figure
from ...widgets.theme import PLOT_HEIGHT, palette
from .colour_scale import WIDTH, ColourScale
from .state import SelectivityState
from .text import map_text

N_BARS = 16
SHADES = 101
STATE_LABELS: dict[float, str] = {float(k): name for k, name in enumerate(STATES)}
# Negative and positive, in light and in dark.
SIGNS = {False: ("#8f4a78", "#008060"), True: ("#CC79A7", "#2fbf98")}
# The response is outlined where it is at least this high.
OUTLINE = 0.3


class CoefficientMap(FigureView):
    """Which features live, and where they are."""

    draws_colours = True
    state = param.ClassSelector(class_=SelectivityState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._mapper = LinearColorMapper(palette=["#ffffff"], low=-1, high=1)
        self.figure = self.map = still_figure(
            height=PLOT_HEIGHT,
            x_range=Range1d(0, 1),
            y_range=Range1d(0, 1),
            x_axis_label="time after the stimulus (ms)",
            y_axis_label="channel",
            name="map",
        )
        self._add_map()
        self.bars, self._bars = self._bar_figure()
        self._text = markup("", min_height=44)
        self._scale = ColourScale(self._mapper, PLOT_HEIGHT)
        strip = pn.pane.Bokeh(self._scale.figure, width=WIDTH, height=PLOT_HEIGHT)
        self._panes = {
            True: wide_row(figure_pane(self.map), strip, height=PLOT_HEIGHT),
            False: figure_pane(self.bars),
        }
        self._panes[False].visible = False
        self._slot = wide_column(*self._panes.values(), height=PLOT_HEIGHT)
        # Largest coefficient so far of what is asked: the same scale at every μ
        self._of: Any = None
        self._top = 1.0
        self._watch_state(self._draw, ["answer", "shown"])
        self._watch_state(self._rescale, "path")
        self._draw()

    def __panel__(self) -> pn.viewable.Viewable:
        return wide_column(self._slot, self._text)

    # ------------------------------------------------------------------------ building

    def _add_map(self) -> None:
        cells = self._layer(
            "image",
            told=("image", "x", "y", "w", "h"),
            image="image",
            x="x",
            y="y",
            dw="w",
            dh="h",
            color_mapper=self._mapper,
        )
        box = self._layer(
            "line", "x", "y", line_color="text", line_dash="dashed", line_width=1.5
        )
        self._image, self._box = cells.data_source, box.data_source
        self.map.grid.visible = False
        tooltips = [("time", "$x{0} ms"), ("channel", "$y{0}"), ("value", "@image")]
        self.map.add_tools(HoverTool(renderers=[cells], tooltips=tooltips))

    def _bar_figure(self) -> tuple[figure, ColumnDataSource]:
        plot = still_figure(
            height=PLOT_HEIGHT,
            y_range=FactorRange(factors=[]),
            x_range=Range1d(-1, 1),
            name="bars of coefficients",
        )
        bars = empty_source("name", "coef", "state", "colour")
        drawn = plot.hbar(
            y="name",
            right="coef",
            height=0.7,
            source=bars,
            fill_color="colour",
            line_color="colour",
        )
        plot.ygrid.visible = False
        tooltips = [("", "@name"), ("coefficient", "@coef{0.0000}"), ("", "@state")]
        plot.add_tools(HoverTool(renderers=[drawn], tooltips=tooltips))
        return plot, bars

    # ------------------------------------------------------------------------- drawing

    def _draw(self) -> None:
        answer = self.state.answer
        if answer is None:
            return
        self._fit_scale()
        has_grid = answer.bench.data.grid is not None
        if has_grid:
            self._draw_map()
        else:
            self._draw_bars()
        for is_map, pane in self._panes.items():
            pane.visible = is_map == has_grid
        self._write(has_grid)

    def _rescale(self) -> None:
        """Draw on the scale of the whole path, once that asks for another."""
        before = self._top
        if self.state.answer is not None and self._fit_scale() != before:
            self._draw()

    def _fit_scale(self) -> float:
        """Return the largest coefficient of the path and of what was shown of it."""
        answer = self.state.answer
        if answer.bench is not self._of:
            self._of, self._top = answer.bench, 0.0
        of_path = [one for one in self.state.path if one.bench is answer.bench]
        sizes = [float(np.abs(one.fit.coef).max()) for one in (answer, *of_path)]
        self._top = max(self._top, *sizes) or 1.0
        return self._top

    def _draw_map(self) -> None:
        answer, colours = self.state.answer, palette(self.dark)
        grid, fit = answer.bench.data.grid, answer.fit
        by_state, top = self.state.shown == "states", self._top
        if by_state:
            values = _codes(fit)
            edge = BOUNDARY.colour(self.dark)
            shades = [colours.background, edge, colours.lit]
            self._mapper.update(palette=shades, low=-0.5, high=2.5)
            self._scale.show(-0.5, 2.5, STATE_LABELS)
        else:
            values = fit.coef
            shades = _shades(*SIGNS[self.dark], colours.background)
            self._mapper.update(palette=shades, low=-top, high=top)
            ends = np.linspace(-top, top, 5)
            self._scale.show(-top, top, {float(at): f"{rounded(at):g}" for at in ends})
        width, height = grid.milliseconds, float(grid.n_channels)
        self.map.x_range.end, self.map.y_range.end = width, height
        self._image.data = {
            "image": [values.reshape(grid.n_channels, grid.n_times)],
            "x": [0.0],
            "y": [0.0],
            "w": [width],
            "h": [height],
        }
        self._box.data = _outline(grid)

    def _draw_bars(self) -> None:
        answer, colours = self.state.answer, palette(self.dark)
        order = np.argsort(-np.abs(answer.fit.coef), kind="stable")[:N_BARS]
        names = [answer.bench.data.names[j] for j in order]
        coef, states = answer.fit.coef[order], answer.fit.states[order]
        look = {"zero": colours.faded, "ridge": colours.lit}
        look["boundary"] = BOUNDARY.colour(self.dark)
        if list(self.bars.y_range.factors) != names[::-1]:
            self.bars.y_range.factors = names[::-1]
        top = 1.05 * self._top
        self.bars.x_range.update(start=-top, end=top)
        what = "column" if answer.bench.data.is_encoded else "feature"
        self.bars.xaxis.axis_label = f"coefficient of the scaled {what}"
        self._bars.data = {
            "name": names,
            "coef": coef,
            "state": list(states),
            "colour": [look[state] for state in states],
        }

    def _write(self, has_grid: bool) -> None:
        where = (
            " Dashed: where the response was hidden; coloured cells outside of it are "
            "false finds."
            if has_grid
            else " Ochre, or yellow in the dark: on the boundary; blue: ridge."
        )
        self._text.object = explained(map_text(self.state.answer) + where)


def _codes(fit: Any) -> NDArray[np.float64]:
    """Return 0 for zero, 1 for the boundary, 2 for ridge."""
    codes = [float(k) * (fit.states == name) for k, name in enumerate(STATES)]
    return np.sum(codes, axis=0)


def _shades(negative: str, positive: str, background: str) -> list[str]:
    """Return colours from negative over the page's background to positive."""
    ends = [_rgb(negative), _rgb(background), _rgb(positive)]
    at = np.linspace(-1.0, 1.0, SHADES)
    mixed = [
        np.interp(at, [-1.0, 0.0, 1.0], channel).round().astype(int)
        for channel in zip(*ends, strict=True)
    ]
    return [f"#{r:02x}{g:02x}{b:02x}" for r, g, b in zip(*mixed, strict=True)]


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))


def _outline(grid: Any) -> dict[str, list[float]]:
    rows, columns = np.nonzero(grid.response >= OUTLINE)
    step = grid.milliseconds / grid.n_times
    left, right = columns.min() * step, (columns.max() + 1) * step
    low, high = float(rows.min()), float(rows.max() + 1)
    return {"x": [left, right, right, left, left], "y": [low, low, high, high, low]}
