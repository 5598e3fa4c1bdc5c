"""The tables behind the selectivity page: the path, and the counterexample."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import param

from ...widgets.figure_view import StateTable
from .state import SelectivityState
from .streams import PATH_POINTS, GapPoint, ScoredFit
from .text import ALGORITHM_TITLES

__all__ = ["CounterexampleTable", "PathTable"]

PATH_COLUMNS = (
    "μ",
    "μ / μ₀",
    "Zero",
    "Boundary",
    "Ridge",
    "Balanced accuracy (training)",
    "Balanced accuracy (validation)",
    "Criterion",
    "Relative gap",
)
STEP_COLUMNS = ("Algorithm", "Iteration", "a", "Criterion", "Gap")


class _RowsTable(StateTable):
    """A row for each item of the one parameter of the state that it follows."""

    state = param.ClassSelector(class_=SelectivityState)

    @abstractmethod
    def _row(self, item: Any) -> list[Any]:
        """Return the cells of one row."""

    def _fill(self) -> None:
        items = getattr(self.state, self.follows[0])
        self._table.rows = [self._row(item) for item in items]


class PathTable(_RowsTable):
    """Every answer along the selectivity."""

    caption, columns, height = "Table of the path", PATH_COLUMNS, 280
    numbers = (True,) * len(PATH_COLUMNS)
    follows = ("path",)

    def _fill(self) -> None:
        # A table that grows under the eye cannot be read.
        if len(self.state.path) in (0, PATH_POINTS):
            super()._fill()

    def _row(self, item: ScoredFit) -> list[Any]:
        counts, fit = item.counts, item.fit
        return [
            float(f"{fit.mu:.4g}"),
            float(f"{item.share:.3g}"),
            counts["zero"],
            counts["boundary"],
            counts["ridge"],
            round(item.scores["training"], 3),
            round(item.scores["validation"], 3),
            float(f"{fit.objective:.6g}"),
            float(f"{max(fit.relative_gap, 0.0):.1e}"),
        ]


class CounterexampleTable(_RowsTable):
    """Every iteration of both algorithms on two rows."""

    caption, columns = "Iterations on the counterexample", STEP_COLUMNS
    numbers = (False, True, True, True, True)
    height = 200
    follows = ("rows",)

    def _row(self, item: GapPoint) -> list[Any]:
        return [
            ALGORITHM_TITLES[item.algorithm],
            item.iteration,
            round(item.coef, 6),
            round(item.objective, 6),
            float(f"{item.gap:.2e}"),
        ]
