"""The bill of one row, as a table: what was bought, and what it changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from solvers.deploy import ItemisedBill
from solvers.values.rounding import rounded

from .plain_table import table_markup
from .text import cost_text, plain

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
