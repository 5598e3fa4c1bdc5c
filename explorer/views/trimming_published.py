"""What the paper says of its examples, beside what its printed tables give."""

from __future__ import annotations

from typing import Any

import panel as pn
import param
from panel.viewable import Viewer

from ..data_table import DataTable
from ..state.trimming import TrimmingState

__all__ = ["PublishedTable"]

HEIGHT = 190


class PublishedTable(Viewer):
    """One row a number; there is nothing to see on networks the paper says none of."""

    state = param.ClassSelector(class_=TrimmingState)
    dark = param.Boolean(default=False, doc="Whether the page is dark.")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._table = DataTable(
            caption="As published, and from the printed tables",
            columns=["Of this example", "As published", "Printed tables give"],
            numbers=[False, True, True],
            height=HEIGHT,
            sizing_mode="stretch_width",
        )
        self.state.param.watch(lambda *_: self._fill(), "opened")
        self.param.watch(lambda event: self._table.use_theme(dark=event.new), "dark")
        self._table.use_theme(dark=self.dark)
        self._fill()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._table

    def _fill(self) -> None:
        opened = self.state.opened
        rows = () if opened is None else opened.published
        self._table.rows = [
            [row.what, row.published, f"{row.computed:.4f}"] for row in rows
        ]
