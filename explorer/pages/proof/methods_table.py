"""How far the best of each method is above the proven floor, within the budget."""

from __future__ import annotations

from typing import Any

import param

from solvers import all_methods

from ...widgets.data_table import DataTable
from ...widgets.figure_view import TableView
from ...widgets.text import unit_text
from .state import ProofState
from .text import best_points, percent

__all__ = ["MethodsTable"]


class MethodsTable(TableView):
    """A row a method, and one for the best selection that the search knows."""

    state = param.ClassSelector(class_=ProofState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._table = DataTable(
            caption="The best linear model of each method's columns within the budget",
            height=250,
            dark=self.param.dark,
            sizing_mode="stretch_width",
        )
        self._watch_state(self._fill, ["floors", "answer", "points", "rests"])
        self._fill()

    def _fill(self) -> None:
        state, known = self.state, self.state.known()
        if known is None:
            self._table.rows = []
            return
        unit = unit_text(state.data.hypergraph.unit)
        points = best_points(state.allowed_points(), state.budget)
        rows = [("Best selection known", known.cost, known.upper)]
        rows += [
            (all_methods()[name].title, point.cost, point.objective)
            for name, point in points.items()
        ]
        gain = known.full_gain
        self._table.param.update(
            columns=["Chosen by", f"Cost ({unit})", "Objective", "Above the floor"],
            numbers=[False, True, True, False],
            rows=[
                [
                    title,
                    float(f"{cost:.4g}"),
                    round(objective, 4),
                    f"at most {percent(max(objective - known.lower, 0) / gain)}",
                ]
                for title, cost, objective in rows
            ],
        )
