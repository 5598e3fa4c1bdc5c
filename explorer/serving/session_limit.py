"""How many people one process serves; and, at a desk, that it ends when they leave."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bokeh.application.handlers.lifecycle import LifecycleHandler
from tornado.httputil import HTTPHeaders
from tornado.web import HTTPError, OutputTransform

__all__ = ["FullPage", "SessionLimit"]

RETRY_SECONDS = 60
FULL = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Thriftscope is full</title>
<meta name="viewport" content="width=device-width"></head>
<body style="font-family: sans-serif; max-width: 34rem; margin: 4rem auto">
<h1>Thriftscope is full just now</h1>
<p>Every place on this server is taken. A place becomes free when somebody closes the
page; try again in a minute.</p></body></html>
"""


class SessionLimit(LifecycleHandler):
    """Counts the sessions, and refuses one too many before it is built."""

    def __init__(self, most: int, on_empty: Callable[[], None] | None = None) -> None:
        super().__init__()
        self._most, self._on_empty = most, on_empty
        self._open: set[Any] = set()

    def modify_document(self, doc: Any) -> None:
        """Leave the document as it is."""

    def process_request(self, request: Any) -> dict[str, Any]:
        """Refuse a page where all places are taken.

        A websocket is asked whether it has a page already (`admits`).
        """
        is_connecting = request.path.endswith("/ws")
        if not is_connecting and not self.admits(None):
            raise HTTPError(503)
        return {}

    def admits(self, session_id: str | None) -> bool:
        """Return whether a session is open already, or there is a place for it."""
        return session_id in self._open or len(self._open) < self._most

    async def on_session_created(self, session_context: Any) -> None:
        """Count a session that is opened."""
        self._open.add(session_context.id)

    async def on_session_destroyed(self, session_context: Any) -> None:
        """Free the place of a session that is gone."""
        self._open.discard(session_context.id)
        if not self._open and self._on_empty is not None:
            self._on_empty()


class FullPage(OutputTransform):
    """Says in words what status 503 means."""

    def transform_first_chunk(
        self, status_code: int, headers: HTTPHeaders, chunk: bytes, finishing: bool
    ) -> tuple[int, HTTPHeaders, bytes]:
        """Exchange the page that Tornado makes of the status."""
        if status_code == 503:
            chunk = FULL.encode()
            headers["Retry-After"] = str(RETRY_SECONDS)
            headers["Content-Type"] = "text/html; charset=utf-8"
            headers["Content-Length"] = str(len(chunk))
        return status_code, headers, chunk
