"""Invisible parts of the page: the menu on a narrow window, and a lost connection."""

from __future__ import annotations

import param
from panel.custom import JSComponent

from .assets import asset

__all__ = ["Connection", "Viewport"]


class Viewport(JSComponent):
    """An invisible part of the page that knows how wide the window is."""

    narrow = param.Integer(default=900, doc="In CSS pixels.")

    _esm = asset("viewport.js")


class Connection(JSComponent):
    """An invisible part of the page that says when the server is gone, and back."""

    _esm = asset("connection.js")
