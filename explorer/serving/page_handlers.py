"""How a page is asked for: in turn, by somebody who is still there."""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import Any

from bokeh.server.session import ServerSession
from bokeh.server.views.session_handler import SessionHandler
from panel.io.server import AutoloadJsHandler
from tornado.httputil import HTTPServerRequest
from tornado.web import HTTPError

from .first_theme import AskingPage
from .gate import Origins
from .turns import LEFT, PageTurns, TryLaterError


class _InTurn(SessionHandler):
    """Builds a page when it is its turn, and says when to ask again.

    Before Panel's handlers: `turns` and `origins` come with the rule that leads here.
    """

    def __init__(
        self, *args: Any, turns: PageTurns, origins: Origins, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self._turns, self._origins = turns, origins

    def _is_for_us(self) -> bool:
        """Return whether it is not another site that asks, in somebody's browser."""
        return self._origins.may_open(self.request.headers, self.request.host)

    async def prepare(self) -> None:
        """Refuse other sites, and a crowd, before anything is done for them."""
        if not self._is_for_us():
            raise HTTPError(403)
        self._turns.refuse_crowd(self.request.remote_ip)
        await super().prepare()

    async def get_session(self, *args: Any, **kwargs: Any) -> Any:
        """Build the page, unless nobody is there to get it."""
        request = self.request

        def is_gone() -> bool:
            return has_gone(request)

        # Where there is no place for a session, nobody waits to be told so.
        self.application_context.application.process_request(request)
        async with self._turns.turn(request.remote_ip, is_gone):
            session: ServerSession = await super().get_session()  # type: ignore[misc]
            if is_gone():
                session.request_expiration()
                raise TryLaterError(LEFT)
            return session

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """Say in words what status 503 means."""
        _, error, _ = kwargs.get("exc_info", (None, None, None))
        if isinstance(error, TryLaterError):
            self.set_header("Retry-After", str(error.why.seconds))
            self.finish(error.page())
        else:
            super().write_error(status_code, **kwargs)


class PageHandler(_InTurn, AskingPage):
    """The app's page; a browser is asked for its theme without waiting."""


class ScriptHandler(_InTurn, AutoloadJsHandler):
    """The script that puts the app into another page, of a site that may embed it."""

    def set_default_headers(self) -> None:
        """Leave out Bokeh's, by which every site may read the token."""

    def _is_for_us(self) -> bool:
        return self._origins.may_read(self.request.headers, self.request.host)

    async def prepare(self) -> None:
        """Let who may embed the app read the script."""
        await super().prepare()
        self.set_header("Vary", "Origin")
        if "Origin" in self.request.headers:
            origin = self.request.headers["Origin"]
            self.set_header("Access-Control-Allow-Origin", origin)
            self.set_header("Access-Control-Allow-Headers", "*")
            self.set_header("Access-Control-Allow-Credentials", "true")


def has_gone(request: HTTPServerRequest) -> bool:
    """Return whether who has asked has hung up.

    Tornado does not look while more requests of the same connection wait to be read.
    """
    stream = request.connection.stream
    if stream.closed():
        return True
    with suppress(BlockingIOError):
        # Below TLS, if there is any: only whether the connection has ended matters.
        peeked = socket.socket.recv(stream.socket, 1, socket.MSG_PEEK)
        return not peeked
    return False
