"""The plainest parts of a page: columns and rows that take all room."""

from __future__ import annotations

from typing import Any

import panel as pn

# Panel holds a row at the least width of all its parts together; a grid has none.
_WRAPS = {
    "display": "grid",
    "grid-template-columns": "repeat(auto-fit, minmax(190px, 1fr))",
}


def wide_column(*parts: Any, **options: Any) -> pn.Column:
    """Return parts below each other, as wide as there is room."""
    return pn.Column(*parts, sizing_mode="stretch_width", **options)


def wide_row(*parts: Any, **options: Any) -> pn.Row:
    """Return parts beside each other, as wide as there is room."""
    return pn.Row(*parts, sizing_mode="stretch_width", **options)


def wrapping_row(*parts: Any) -> pn.Row:
    """Return parts beside each other, those below for which there is no room.

    It is always seen: what is to hide it stands around it.
    """
    return wide_row(*parts, styles=_WRAPS)
