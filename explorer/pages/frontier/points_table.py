"""The table behind the frontier: every point, to sort, to pick and to read aloud."""

from __future__ import annotations

from typing import Any

import param

from solvers import FrontierPoint, all_methods
from solvers.values.rounding import fixed, rounded

from ...widgets.figure_view import StateTable
from ...widgets.text import SCORES, params_text, score_number, unit_text
from .state import AXES, FrontierState

SCORE_DECIMALS = 3
DECIDING = ("predict: a row alone (µs)", "a row of many (µs)")


class PointsTable(StateTable):
    """The undominated points of every ticked method, cheapest first."""

    state = param.ClassSelector(class_=FrontierState)
    caption, height = "Table of points", 300
    follows = ("traces", *AXES, "methods", "dataset")

    def __init__(self, **params: Any) -> None:
        self._points: list[FrontierPoint] = []
        super().__init__(**params)
        self._table.decimals = [None, SCORE_DECIMALS, SCORE_DECIMALS]
        self._watch_state(
            self._mark,
            ["traces", "marks", *AXES, "rests", "reason", "picked", "methods"],
        )

    def _fill(self) -> None:
        state = self.state
        if any(not trace.is_complete for trace in state.traces.values()):
            return  # a table that grows under the eye cannot be read
        self._points = sorted(
            (
                point
                for name in state.methods
                if name in state.traces
                for point in state.frontier(name).undominated()
            ),
            key=state.axes().cost,
        )
        unit = unit_text(state.dataset.unit)
        score = SCORES[state.axes().score]
        headings = ["Method", f"{score} (test)", f"{score} (validation)"]
        headings += [f"Cost ({unit})", *DECIDING]
        prices = state.dataset.hypergraph.prices
        headings += [f"{one.name} ({unit_text(one.unit)})" for one in prices]
        self._table.param.update(
            columns=[*headings, "Features", "Components", "Settings"],
            numbers=[False, *[True] * (7 + len(prices)), False],
            rows=[self._row(point) for point in self._points],
        )
        self._mark()

    def _row(self, point: FrontierPoint) -> list[Any]:
        axes = self.state.axes()
        return [
            all_methods()[point.method].title,
            *(
                float(fixed(score_number(point, axes.score, part), SCORE_DECIMALS))
                for part in ("test", "validation")
            ),
            rounded(axes.cost(point), 4),
            *(_deciding(point, rows) for rows in ("one_row", "batch_row")),
            *(
                rounded(point.prices[one.name][axes.accounting], 4)
                for one in self.state.dataset.hypergraph.prices
            ),
            point.n_features,
            point.n_components,
            params_text(point, axes.unit),
        ]

    def _mark(self) -> None:
        chosen = self.state.chosen()
        point = None if chosen is None else chosen.point
        found = [i for i, one in enumerate(self._points) if one is point]
        self._table.picked = found[0] if found else -1

    def _pick(self, row: int) -> None:
        self.state.param.update(picked=self._points[row], reason="picked")


def _deciding(point: FrontierPoint, rows: str) -> float | str:
    """Return the microseconds of deciding about a row whose features are there."""
    if point.decision_seconds is None:
        return ""
    return rounded(1e6 * point.decision_seconds[rows])
