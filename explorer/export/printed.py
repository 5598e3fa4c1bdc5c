"""The frontier and the lit hypergraph as pictures for a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from solvers import FeatureHypergraph, Frontier, FrontierPoint, all_methods

from ..document.hypergraph_layout import lay_out
from ..widgets.text import cost_text, unit_text
from ..widgets.theme import method_style, palette
from .canvas import Canvas, Marker

__all__ = ["frontier_picture", "hypergraph_picture"]

WIDTH, HEIGHT = 900, 560
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 44, 60
ACCOUNTS = {"mean": "mean", "p95": "95th percentile", "max": "worst case"}
DASHES = {"dashed": (7, 4), "dotted": (2, 4), "dotdash": (2, 4, 7, 4)}
MARKERS: dict[str, Marker] = {"square": "square", "diamond": "diamond", "x": "x"}
MARKERS |= {"triangle": "triangle", "inverted_triangle": "inverted"}
STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
MAX_NODE = 15.0
FLAT = 0.6  # a file is looked at whole: lines of nodes stand closer than on the page


def frontier_picture(
    frontiers: Mapping[str, Frontier],
    unit: str,
    full_cost: float,
    budget: float,
    chosen: FrontierPoint | None,
    title: str,
) -> Canvas:
    """Return F1 against cost: every point, each method's frontier, the chosen point."""
    canvas = Canvas(WIDTH, HEIGHT, title)
    points = [point for frontier in frontiers.values() for point in frontier]
    scores = [point.scores["test"]["f1"] for point in points]
    low = max(0.0, min(scores, default=0.0) - 0.05)
    accounting = next(iter(frontiers.values())).accounting if frontiers else "mean"
    axes = _Axes(canvas, full_cost or 1.0, low)
    axes.draw(
        f"prediction cost, {ACCOUNTS[accounting]} over test rows ({unit_text(unit)})",
        "F1 on test rows",
        title,
    )
    colours = palette(False)
    canvas.line([axes.at(budget, low), axes.at(budget, 1.0)], colours.budget, 2, (6, 4))
    for name, frontier in frontiers.items():
        _draw_method(canvas, axes, name, frontier)
    if chosen is not None:
        spot = axes.at(chosen.charged(accounting), chosen.scores["test"]["f1"])
        canvas.mark("circle", spot, 20, colours.ring, width=2.5)
    _draw_legend(canvas, list(frontiers))
    return canvas


class _Axes:
    """Where costs and scores stand, from 0 to the full cost and from `low` to 1."""

    def __init__(self, canvas: Canvas, end: float, low: float) -> None:
        self._canvas, self._end, self._low = canvas, end * 1.02, low

    def at(self, cost: float, score: float) -> tuple[float, float]:
        x = LEFT + (WIDTH - LEFT - RIGHT) * min(cost, self._end) / self._end
        share = (score - self._low) / (1.0 - self._low)
        return x, HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share

    def draw(self, below: str, beside: str, title: str) -> None:
        canvas, colours = self._canvas, palette(False)
        text, end = colours.text, self._end
        for cost in _ticks(0.0, end):
            x, y = self.at(cost, self._low)
            canvas.line([(x, y), (x, TOP)], colours.grid)
            canvas.words((x, y + 14), f"{cost:g}", text, 12, "middle")
        for score in _ticks(self._low, 1.0):
            x, y = self.at(0.0, score)
            canvas.line([(x, y), (WIDTH - RIGHT, y)], colours.grid)
            canvas.words((x - 8, y), f"{score:.3g}", text, 12, "end")
        corner = self.at(0.0, self._low)
        canvas.line([(LEFT, TOP), corner, (WIDTH - RIGHT, corner[1])], text)
        canvas.words((WIDTH / 2, HEIGHT - 20), below, text, 13, "middle")
        canvas.words((20, HEIGHT / 2), beside, text, 13, "middle", is_upright=True)
        canvas.words((LEFT, 20), title, text, 15)


def _ticks(low: float, high: float) -> list[float]:
    """Return five to ten round numbers of a range."""
    power = 10.0 ** np.floor(np.log10((high - low) / 5))
    step = next(power * s for s in STEPS if (high - low) / (power * s) <= 8)
    first = int(np.ceil(low / step - 1e-9))
    return [k * step for k in range(first, int(np.floor(high / step + 1e-9)) + 1)]


def _draw_method(canvas: Canvas, axes: _Axes, name: str, frontier: Frontier) -> None:
    style, account = method_style(name), frontier.accounting
    colour = style.colour(False)
    stairs: list[tuple[float, float]] = []
    for point in frontier.undominated():
        cost, score = point.charged(account), point.scores["test"]["f1"]
        before = stairs[-1][1] if stairs else score
        stairs += [(cost, before), (cost, score)]
    if stairs:
        stairs.append((float("inf"), stairs[-1][1]))
    spots = [axes.at(cost, score) for cost, score in stairs]
    canvas.line(spots, colour, 2, DASHES.get(style.dash, ()))
    for point in frontier:
        spot = axes.at(point.charged(account), point.scores["test"]["f1"])
        canvas.mark(MARKERS.get(style.marker, "circle"), spot, 7, colour)


def _draw_legend(canvas: Canvas, names: Sequence[str]) -> None:
    text = palette(False).text
    for k, name in enumerate(reversed(names)):
        style = method_style(name)
        x, y = WIDTH - 230, HEIGHT - BOTTOM - 16 - 18 * k
        colour = style.colour(False)
        canvas.line([(x, y), (x + 30, y)], colour, 2, DASHES.get(style.dash, ()))
        canvas.mark(MARKERS.get(style.marker, "circle"), (x + 15, y), 7, colour)
        canvas.words((x + 38, y), all_methods()[name].title, text, 12)


def hypergraph_picture(
    hypergraph: FeatureHypergraph, features: NDArray[np.bool_], title: str
) -> Canvas:
    """Return the hypergraph, lit where a selection computes it.

    Shapes: `features` (n_features,).
    """
    layout = lay_out(hypergraph)
    left, right, bottom, top = layout.bounds
    scale = min((WIDTH - 60) / max(right - left, 1), 70.0)
    canvas = Canvas(WIDTH, int((top - bottom) * scale * FLAT) + 130, title)
    colours = palette(False)

    def at(place: NDArray[np.float64]) -> tuple[float, float]:
        return 30 + (place[0] - left) * scale, 60 + (top - place[1]) * scale * FLAT

    paid = hypergraph.required_components(features)
    users = hypergraph.incidence.astype(int) @ features.astype(int)
    rows, columns = hypergraph.incidence.nonzero()
    for is_lit in (False, True):
        for i, j in zip(rows, columns, strict=True):
            if bool(features[j]) == is_lit:
                ends = [at(layout.components[i]), at(layout.features[j])]
                colour = colours.lit if is_lit else colours.grid
                canvas.line(ends, colour, 1.8 if is_lit else 1.0)
    size = min(MAX_NODE, 0.6 * scale)
    for i, place in enumerate(layout.components):
        lit = colours.shared if users[i] > 1 else colours.lit
        fill = lit if paid[i] else colours.background
        rim = lit if paid[i] else colours.faded
        canvas.mark("square", at(place), size, rim, fill)
    for j, place in enumerate(layout.features):
        rim = colours.lit if features[j] else colours.faded
        fill = colours.lit if features[j] else colours.background
        canvas.mark("circle", at(place), 0.8 * size, rim, fill)
    canvas.words((30, 20), title, colours.text, 15)
    together = cost_text(hypergraph.cost(features), hypergraph.unit)
    said = (
        f"{int(features.sum())} features need {int(paid.sum())} components: "
        f"{together}. Squares are components, orange where chosen features share them."
    )
    canvas.words((30, canvas.height - 22), said, colours.text, 12)
    return canvas
