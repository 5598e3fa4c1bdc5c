"""Tables: one that sorts and is picked from, one to read, and the bill of one row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeAlias

import panel as pn
import param
from panel.custom import JSComponent

from solvers.deploy import ItemisedBill
from solvers.values.rounding import rounded

from .assets import asset
from .markup import explained, markup
from .text import cost_text, plain
from .theme import STYLES, palette


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


_STYLE = """
.table { overflow: auto; height: 100%; outline-offset: -2px; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th, td { padding: 4px 10px; text-align: left; white-space: nowrap; }
th { white-space: normal; font-weight: 600; }
td { border-top: 1px solid rgba(128, 128, 128, 0.3); }
.number { text-align: right; font-variant-numeric: tabular-nums; }
"""


def plain_table(height: int | None) -> pn.pane.HTML:
    """Return a pane for `table_markup`, as high however many rows there are.

    `height`: in pixels; None: as the rows need.
    """
    return markup("", height=height, stylesheets=[STYLES, _STYLE])


def table_markup(
    caption: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    numbers: Sequence[bool],
    names: Sequence[str] = (),
) -> str:
    """Return a table as markup; cells are shown as text, whatever they hold.

    `names`: of features among columns and cells, which are no terms of ours.
    """
    kinds = [' class="number"' if one else "" for one in numbers]
    head = "".join(
        f'<th scope="col"{kind}>{explained(str(name), names=names)}</th>'
        for kind, name in zip(kinds, columns, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(
            f"<td{kind}>{explained(str(cell), names=names)}</td>"
            for kind, cell in zip(kinds, row, strict=True)
        )
        + "</tr>"
        for row in rows
    )
    return (
        f'<div class="table" role="region" tabindex="0" aria-label="{plain(caption)}">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


_Said: TypeAlias = float | tuple[float, ...] | None
_HEADS = [
    "Bought, in this order",
    "Added",
    "Already paid",
    "Score then",
    "Changed by",
]
_NUMBERS = [False, True, False, True, True]


def bill_markup(bill: ItemisedBill, unit: str, classes: Sequence[Any]) -> str:
    """Return the bill as markup: a line a purchase, and why it ended.

    `classes`: of several the one that leads is named with its score.
    """
    rows: list[list[Any]] = []
    before: _Said = None
    for line in bill.lines:
        rows.append(
            [
                line.feature,
                cost_text(line.cost, unit),
                ", ".join(line.already_paid) or "-",
                _scores(line.score, classes),
                _change(before, line.score),
            ]
        )
        before = before if line.score is None else line.score
    names = [name for line in bill.lines for name in (line.feature, *line.already_paid)]
    table = table_markup("The bill of the row", _HEADS, rows, _NUMBERS, names)
    total = cost_text(sum(line.cost for line in bill.lines), unit)
    return f"{table}<p>{plain(f'{total} in all. {bill.why}')}</p>"


def _scores(said: _Said, classes: Sequence[Any]) -> str:
    """Return the score; a dash where nothing was said before the next purchase."""
    if said is None:
        return "-"
    if isinstance(said, tuple):
        best = max(said)
        return f"{classes[said.index(best)]} {rounded(best):g}"
    return f"{rounded(said):g}"


def _change(before: _Said, said: _Said) -> str:
    """Return by how much one score moved; a dash where there is no other to compare."""
    if not isinstance(before, float) or not isinstance(said, float):
        return "-"
    return f"{rounded(said - before):+g}"
