"""The tables behind the selectivity page: the path, and the counterexample."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import param

from ...widgets.data_table import DataTable
from ...widgets.figure_view import TableView
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


class _StateTable(TableView):
    """Rows that follow one parameter of the state."""

    state = param.ClassSelector(class_=SelectivityState)
    parameter: str
    caption: str
    columns: tuple[str, ...]
    height: int

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._table = DataTable(
            caption=self.caption, height=self.height, sizing_mode="stretch_width"
        )
        self._watch_state(self._fill, self.parameter)
        self._use_theme()
        self._fill()

    @abstractmethod
    def _row(self, item: Any) -> list[Any]:
        """Return the cells of one row."""

    def _fill(self) -> None:
        self._table.param.update(
            columns=list(self.columns),
            numbers=[column != "Algorithm" for column in self.columns],
            rows=[self._row(item) for item in getattr(self.state, self.parameter)],
        )


class PathTable(_StateTable):
    """Every answer along the selectivity."""

    parameter = "path"
    caption = "Table of the path"
    columns = PATH_COLUMNS
    height = 280

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


class CounterexampleTable(_StateTable):
    """Every iteration of both algorithms on two rows."""

    parameter = "rows"
    caption = "Iterations on the counterexample"
    columns = STEP_COLUMNS
    height = 200

    def _row(self, item: GapPoint) -> list[Any]:
        return [
            ALGORITHM_TITLES[item.algorithm],
            item.iteration,
            round(item.coef, 6),
            round(item.objective, 6),
            float(f"{item.gap:.2e}"),
        ]
