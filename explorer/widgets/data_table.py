"""A plain table that sorts, that can be picked from and that can be read aloud."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import param
from panel.custom import JSComponent

from .assets import asset
from .theme import palette


class DataTable(JSComponent):
    """Rows of text and numbers under headings."""

    columns = param.List(default=[], doc="Headings.")
    numbers = param.List(default=[], doc="Whether each column holds numbers.")
    decimals = param.List(
        default=[], doc="Decimals of each column's numbers; None: as many as they have."
    )
    rows = param.List(default=[], doc="One list of cells a row: text, number or link.")
    prose = param.Boolean(
        default=False, doc="Read in its order: not sorted, not picked."
    )
    picked = param.Integer(default=-1, doc="Index of the picked row; -1 for none.")
    caption = param.String(default="Table", doc="What the table holds.")
    dark = param.Boolean(default=False, doc="Whether the page is dark.")
    colours = param.Dict(default={}, doc="Colours of the theme.")

    _rename: ClassVar[dict[str, str | None]] = {"dark": None}
    _esm = asset("data_table.js")

    def __init__(
        self, on_pick: Callable[[int], None] | None = None, **params: Any
    ) -> None:
        super().__init__(**params)
        self._on_pick = on_pick
        self.param.watch(lambda _: self._use_theme(), "dark")
        self._use_theme()

    def _use_theme(self) -> None:
        colours = palette(self.dark)
        self.colours = {
            "text": colours.text,
            "background": colours.background,
            "grid": colours.grid,
            "lit": colours.lit,
            "picked": colours.faded + "55",
        }

    def _handle_msg(self, message: Any) -> None:
        picked = message.get("pick") if isinstance(message, dict) else None
        if isinstance(picked, int) and 0 <= picked < len(self.rows) and self._on_pick:
            self._on_pick(picked)
