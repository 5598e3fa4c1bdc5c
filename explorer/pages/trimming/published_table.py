"""What the paper says of its examples, beside what its printed tables give."""

from __future__ import annotations

import panel as pn
import param

from ...widgets.figure_view import TextView
from ...widgets.plain_table import plain_table, table_markup
from .state import TrimmingState

__all__ = ["PublishedTable"]


class PublishedTable(TextView):
    """One row a number; there is nothing to see on networks the paper says none of."""

    state = param.ClassSelector(class_=TrimmingState)
    follows = ("opened",)

    def _empty_pane(self) -> pn.pane.HTML:
        return plain_table(190)

    def _markup(self) -> str:
        opened = self.state.opened
        rows = () if opened is None else opened.published
        return table_markup(
            "As published, and from the printed tables",
            ["Of this example", "As published", "Printed tables give"],
            [[row.what, row.published, f"{row.computed:.4f}"] for row in rows],
            [False, True, True],
        )
