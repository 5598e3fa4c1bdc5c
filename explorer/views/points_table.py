"""The table behind the frontier: every point, to sort, to pick and to read aloud."""

from __future__ import annotations

from typing import Any

import pandas as pd
import panel as pn
import param
from panel.viewable import Viewer

from solvers import FrontierPoint, all_methods

from ..state import FrontierState
from ..text import params_text

__all__ = ["PointsTable"]

HEADINGS = {
    "method": "Method",
    "f1": "F1 (test)",
    "validation": "F1 (validation)",
    "cost": "Cost",
    "features": "Features",
    "components": "Components",
    "settings": "Settings",
}
WIDTHS = {
    "method": 170,
    "f1": 110,
    "validation": 150,
    "cost": 100,
    "features": 110,
    "components": 130,
}


class PointsTable(Viewer):
    """The undominated points of every ticked method, cheapest first."""

    state = param.ClassSelector(class_=FrontierState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._points: list[FrontierPoint] = []
        self._table = pn.widgets.Tabulator(
            pd.DataFrame({heading: [] for heading in HEADINGS}),
            disabled=True,
            selectable=1,
            show_index=False,
            titles=HEADINGS,
            widths=WIDTHS,
            height=300,
            sizing_mode="stretch_width",
            layout="fit_data_stretch",
            sorters=[],
            theme="simple",
            name="Table of points",
        )
        self._table.param.watch(self._pick, "selection")
        self.state.param.watch(
            lambda _: self._fill(), ["traces", "accounting", "methods", "dataset"]
        )
        self._fill()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._table

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
            key=lambda point: point.charged(state.accounting),
        )
        self._table.value = pd.DataFrame(
            [self._row(point) for point in self._points], columns=list(HEADINGS)
        )

    def _row(self, point: FrontierPoint) -> dict[str, Any]:
        return {
            "method": all_methods()[point.method].title,
            "f1": round(point.scores["test"]["f1"], 3),
            "validation": round(point.scores["validation"]["f1"], 3),
            "cost": float(f"{point.charged(self.state.accounting):.4g}"),
            "features": point.n_features,
            "components": point.n_components,
            "settings": params_text(point),
        }

    def _pick(self, event: param.parameterized.Event) -> None:
        if event.new:
            point = self._points[event.new[0]]
            self.state.param.update(picked=point, reason="picked")
