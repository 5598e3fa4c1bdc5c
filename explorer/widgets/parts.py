"""The plainest parts of a page: columns and rows that take all room."""

from __future__ import annotations

from typing import Any

import panel as pn

__all__ = ["wide_column", "wide_row", "wrapping_row"]


def wide_column(*parts: Any, **options: Any) -> pn.Column:
    """Return parts below each other, as wide as there is room."""
    return pn.Column(*parts, sizing_mode="stretch_width", **options)


def wide_row(*parts: Any, **options: Any) -> pn.Row:
    """Return parts beside each other, as wide as there is room."""
    return pn.Row(*parts, sizing_mode="stretch_width", **options)


def wrapping_row(*parts: Any, **options: Any) -> pn.Row:
    """Return parts beside each other, those below for which there is no room."""
    return wide_row(*parts, styles={"flex-wrap": "wrap"}, **options)
