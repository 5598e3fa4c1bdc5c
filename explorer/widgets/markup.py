"""Panes of markup that is ours, in the app's own style."""

from __future__ import annotations

from typing import Any

import panel as pn

from .theme import STYLES

__all__ = ["markup"]


def markup(html: Any = "", **options: Any) -> pn.pane.HTML:
    """Return a pane of markup; text from people goes through `plain` before."""
    look = {"sizing_mode": "stretch_width", "margin": (2, 10), "stylesheets": [STYLES]}
    return pn.pane.HTML(html, **{**look, **options})
