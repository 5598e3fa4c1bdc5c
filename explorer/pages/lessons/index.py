"""Every figure and table of a paper, with links to where each is computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...widgets.data_table import DataTable
from ...widgets.viewport import TURNS_PAGE
from .course import Visit
from .paper_index import Entry, Paper

__all__ = ["PaperTable"]

COLUMNS = ["", "shows", "as published, and what we measure", "computed on"]


class PaperTable(DataTable):
    """Figures and tables of one paper."""

    def __init__(
        self, paper: Paper, visit: Callable[[Visit], None], **params: Any
    ) -> None:
        self._paper, self._visit = paper, visit
        rows = [
            [entry.number, entry.shows, entry.verdict, _link(entry)]
            for entry in paper.entries
        ]
        super().__init__(
            columns=COLUMNS, rows=rows, caption=paper.title, prose=True, **params
        )
        self.css_classes = [TURNS_PAGE]

    def _handle_msg(self, message: Any) -> None:
        place = message.get("open") if isinstance(message, dict) else None
        if not isinstance(place, int) or not 0 <= place < len(self._paper.entries):
            return
        visit = self._paper.entries[place].visit
        if visit is not None:
            self._visit(visit)


def _link(entry: Entry) -> dict[str, str] | str:
    if entry.visit is None:
        return "nowhere"
    return {"label": entry.visit.title, "query": entry.visit.query}
