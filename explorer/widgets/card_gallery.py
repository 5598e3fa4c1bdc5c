"""Cards to choose from, each with a title and a story: native buttons, one model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import param
from panel.custom import JSComponent

from .assets import asset
from .theme import palette


class CardGallery(JSComponent):
    """A question above cards; who presses one is told by its name."""

    question = param.String(default="", doc="Above the cards.")
    cards = param.List(default=[], doc="Name, title and story of each card.")
    picked = param.String(default="", doc="Name of the card that is open now.")
    colours = param.Dict(default={}, doc="Colours of the theme.")

    _esm = asset("card_gallery.js")

    def __init__(self, on_open: Callable[[str], None], **params: Any) -> None:
        super().__init__(**params)
        self._on_open = on_open
        self.use_theme(dark=False)

    def use_theme(self, *, dark: bool) -> None:
        """Take the colours of a theme."""
        colours = palette(dark)
        self.colours = {
            "text": colours.text,
            "background": colours.background,
            "grid": colours.quiet_text,
            "lit": colours.lit,
        }

    def _handle_msg(self, message: Any) -> None:
        name = message.get("open") if isinstance(message, dict) else None
        if name in [card[0] for card in self.cards]:
            self._on_open(name)
