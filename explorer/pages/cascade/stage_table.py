"""Every stage in numbers: the table behind bars and curves."""

from __future__ import annotations

from typing import Any

import param

from ...widgets.data_table import DataTable
from ...widgets.figure_view import TableView
from .result import TableText
from .state import METHODS, CascadeState

__all__ = ["CascadeStageTable", "headed_table"]


class CascadeStageTable(TableView):
    """What each stage costs and who leaves there."""

    state = param.ClassSelector(class_=CascadeState)
    method = param.Selector(default="tefe", objects=list(METHODS))

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._table = headed_table(METHODS[self.method].stages, self.param.dark)
        self.state.watch_rests(self.method, self._write)
        self._write()

    def _write(self) -> None:
        result = self.state.result(self.method)
        if result is not None:
            self._table.rows = result.stage_table()


def headed_table(text: TableText, dark: Any) -> DataTable:
    """Return an empty table under its caption; `dark`: the theme, by reference."""
    return DataTable(
        caption=text.caption,
        columns=list(text.columns),
        numbers=list(text.numbers),
        height=text.height,
        dark=dark,
        sizing_mode="stretch_width",
    )
