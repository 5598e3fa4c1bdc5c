"""How many people one process serves; and, at a desk, that it ends when they leave."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bokeh.application.handlers.lifecycle import LifecycleHandler

from .try_later import FULL, TryLaterError


class SessionLimit(LifecycleHandler):
    """Counts the sessions, and refuses one too many before it is built."""

    def __init__(self, most: int, on_empty: Callable[[], None] | None = None) -> None:
        super().__init__()
        self._most, self._on_empty = most, on_empty
        self._open: set[Any] = set()

    def process_request(self, request: Any) -> dict[str, Any]:
        """Refuse a page where all places are taken.

        A websocket is asked whether it has a page already (`admits`).
        """
        is_connecting = request.path.endswith("/ws")
        if not is_connecting and not self.admits(None):
            raise TryLaterError(FULL)
        return {}

    def admits(self, session_id: str | None) -> bool:
        """Return whether a session is open already, or there is a place for it."""
        return self.has(session_id) or len(self._open) < self._most

    def has(self, session_id: str | None) -> bool:
        """Return whether a session is open already."""
        return session_id in self._open

    async def on_session_created(self, session_context: Any) -> None:
        """Count a session that is opened."""
        self._open.add(session_context.id)

    async def on_session_destroyed(self, session_context: Any) -> None:
        """Free the place of a session that is gone."""
        self._open.discard(session_context.id)
        if not self._open and self._on_empty is not None:
            self._on_empty()
