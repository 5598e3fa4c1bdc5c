"""The browser's own storage, its clipboard and its shortcuts, as a part of the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import param
from panel.custom import JSComponent

from ..widgets.assets import asset


class SessionStore(JSComponent):
    """An invisible part of the page that keeps a text in the browser.

    `receive`: takes what the browser says: ``op`` is "found" (with ``text``, ``table``,
    ``same``, and whether the system is ``dark`` and ``was``), "theme" (with ``dark``),
    "kept" or "copied" (with ``done``), "undo" or "redo".
    """

    stores = param.Boolean(default=True, doc="Whether anything is kept in the browser.")

    _esm = asset("session_store.js")

    def __init__(
        self, receive: Callable[[dict[str, Any]], None], **params: Any
    ) -> None:
        self._receive = receive
        super().__init__(**params)

    def keep(self, text: str, table: str | None, *, dark: bool) -> None:
        """Keep a session instead of the one before, and the theme it is in."""
        self._send_msg({"text": text, "table": table, "dark": dark})

    def copy(self, link: str) -> None:
        """Put a link into the clipboard."""
        self._send_msg({"link": link})

    def _handle_msg(self, data: Any) -> None:
        if isinstance(data, dict) and isinstance(data.get("op"), str):
            self._receive(data)
