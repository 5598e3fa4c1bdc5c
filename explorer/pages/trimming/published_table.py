"""What the paper says of its examples, beside what its printed tables give."""

from __future__ import annotations

from typing import Any

import panel as pn
import param
from panel.viewable import Viewer

from ...widgets.plain_table import plain_table, table_markup
from .state import TrimmingState

__all__ = ["PublishedTable"]

HEIGHT = 190


class PublishedTable(Viewer):
    """One row a number; there is nothing to see on networks the paper says none of."""

    state = param.ClassSelector(class_=TrimmingState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._table = plain_table(HEIGHT)
        self.state.param.watch(lambda *_: self._fill(), "opened")
        self._fill()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._table

    def _fill(self) -> None:
        opened = self.state.opened
        rows = () if opened is None else opened.published
        self._table.object = table_markup(
            "As published, and from the printed tables",
            ["Of this example", "As published", "Printed tables give"],
            [[row.what, row.published, f"{row.computed:.4f}"] for row in rows],
            [False, True, True],
        )
