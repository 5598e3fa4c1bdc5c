"""Every figure and table of a paper, with links to where each is computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import param
from panel.custom import JSComponent

from ...widgets.assets import asset
from ...widgets.theme import palette
from .course import Visit
from .paper_index import Paper

__all__ = ["PaperTable"]

COLUMNS = ["", "shows", "as published, and what we measure", "computed on"]


class PaperTable(JSComponent):
    """Figures and tables of one paper."""

    columns = param.List(default=COLUMNS, doc="Headings.")
    rows = param.List(default=[], doc="Cells, label and query of each row.")
    caption = param.String(default="", doc="The paper.")
    colours = param.Dict(default={}, doc="Colours of the theme.")

    _esm = asset("link_table.js")

    def __init__(
        self, paper: Paper, visit: Callable[[Visit], None], **params: Any
    ) -> None:
        self._paper, self._visit = paper, visit
        rows = [
            {
                "cells": [entry.number, entry.shows, entry.verdict],
                "label": entry.visit.title if entry.visit else "nowhere",
                "query": entry.visit.query if entry.visit else "",
            }
            for entry in paper.entries
        ]
        super().__init__(rows=rows, caption=paper.title, **params)
        self.use_theme(dark=False)

    def use_theme(self, *, dark: bool) -> None:
        """Take the colours of a theme."""
        colours = palette(dark)
        self.colours = {
            "text": colours.text,
            "grid": colours.grid,
            "lit": colours.lit,
            "link": colours.lit,
        }

    def _handle_msg(self, message: Any) -> None:
        place = message.get("open") if isinstance(message, dict) else None
        if not isinstance(place, int) or not 0 <= place < len(self._paper.entries):
            return
        visit = self._paper.entries[place].visit
        if visit is not None:
            self._visit(visit)
