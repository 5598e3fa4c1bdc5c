"""Brings a heading of a page into view when the page was opened for it."""

from __future__ import annotations

from itertools import count

import param
from panel.custom import JSComponent

from .assets import asset

__all__ = ["PlaceFinder"]


class PlaceFinder(JSComponent):
    """An invisible part of the page that scrolls to headings."""

    place = param.String(default="", doc="The heading, and how often it was sought.")

    _esm = asset("places.js")

    def __init__(self, **params: object) -> None:
        super().__init__(**params)
        self._times = count()

    def find(self, heading: str) -> None:
        """Bring a heading into view once it is there."""
        self.place = f"{heading}\n{next(self._times)}"
