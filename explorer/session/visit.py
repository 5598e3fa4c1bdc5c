"""A way to another page, with its state set."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Visit:
    """Another page, with its state."""

    page: str  # Name of the page
    title: str  # What the page is called
    link: str = ""  # The part of a link that sets its state: ``name=value&...``
    place: str = ""  # Heading on that page to go to; its top where empty

    @property
    def query(self) -> str:
        """The whole link: begins with ``?``."""
        return f"?page={self.page}" + (f"&{self.link}" if self.link else "")
