"""Closes the menu on a narrow window, where it would cover the page."""

from __future__ import annotations

import param
from panel.custom import JSComponent

from .assets import asset

__all__ = ["Viewport"]


class Viewport(JSComponent):
    """An invisible part of the page that knows how wide the window is."""

    narrow = param.Integer(default=900, doc="In CSS pixels.")

    _esm = asset("viewport.js")
