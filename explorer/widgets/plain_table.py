"""A table to read: plain markup, which arrives whole however often it changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import panel as pn

from .glossary import explained
from .markup import markup
from .text import plain
from .theme import STYLES

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
