"""A button that puts a text into the clipboard."""

from __future__ import annotations

import param
from panel.custom import JSComponent

from .assets import asset


class CopyButton(JSComponent):
    """The browser copies by itself: it lets nobody else do so."""

    label = param.String(default="Copy", doc="On the button.")
    text = param.String(default="", doc="What is copied.")

    _esm = asset("copy_button.js")
