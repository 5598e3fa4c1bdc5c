"""``panel serve`` of the app, with our headers, addresses and limits."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bokeh.server.server import Server
from bokeh.server.tornado import BokehTornado
from bokeh.settings import settings
from panel.command.serve import Serve
from panel.io.server import AutoloadJsHandler, WSHandler
from tornado.ioloop import IOLoop
from tornado.routing import Rule
from tornado.web import OutputTransform

from solvers.errors import DataError

from ..pages import all_pages
from ..widgets.assets import asset_folder
from .first_theme import AskingPage
from .gate import Gate, Origins, Refusal
from .headers import security_headers
from .memory import MemoryTrim, return_freed_memory
from .opening import Opening
from .page_handlers import PageHandler, ScriptHandler
from .routes import routes
from .secret import session_secret
from .sockets import PageSocket
from .turns import PageTurns, SessionLimit
from .warmup import Warmup

APP = Path(__file__).parents[1] / "app.py"
# An upload arrives in chunks of 10 MB; one message may not be larger than this.
MAX_MESSAGE_BYTES = 24 * 1024 * 1024
# Nobody sends anything over HTTP but a request, and a password where one is asked for.
HTTP_LIMITS = {
    "idle_connection_timeout": 20.0,  # seconds, for all headers of a request
    "body_timeout": 20.0,  # seconds
    "max_body_size": 64 * 1024,  # bytes
}


@dataclass(frozen=True)
class Limits:
    """What one process allows."""

    sessions: int = 100  # How many pages may be open at once
    # For how long a session is kept after its page has gone: who lost the connection
    # for a moment finds everything as it was
    linger_seconds: float = 60.0
    check_seconds: float = 10.0  # How often sessions without a page are looked for
    # Origins of other sites that may show the app in a frame
    ancestors: Sequence[str] = ()
    # Whether the server ends when its last page is closed
    ends_when_empty: bool = False


def serve(flags: Sequence[str], limits: Limits, opening: Opening | None = None) -> None:
    """Serve the app until it is interrupted.

    `opening`: what answers on the port until then.
    """
    all_pages()
    parser = argparse.ArgumentParser(prog="thriftscope serve --")
    command = _Serve(parser, limits, security_headers(limits.ancestors), opening)
    options = parser.parse_args([str(APP), *_session_flags(limits), *flags])
    if options.num_procs != 1:
        raise DataError(
            f"--num-procs is {options.num_procs}; leave it out: a page's session is in "
            "one process. For more, start several on ports of their own, behind nginx."
        )
    return_freed_memory()
    command.invoke(options)


def _session_flags(limits: Limits) -> list[str]:
    return [
        f"--unused-session-lifetime={limits.linger_seconds * 1000:.0f}",
        f"--check-unused-sessions={limits.check_seconds * 1000:.0f}",
        f"--websocket-max-message-size={MAX_MESSAGE_BYTES}",
        f"--ico-path={asset_folder() / 'icons' / 'favicon.ico'}",
    ]


class _Serve(Serve):
    def __init__(
        self,
        parser: argparse.ArgumentParser,
        limits: Limits,
        headers: type[OutputTransform],
        opening: Opening | None,
    ) -> None:
        super().__init__(parser)
        self._opening = opening
        self._limits, self._headers = limits, headers
        self._limit = SessionLimit(
            limits.sessions, _stop if limits.ends_when_empty else None
        )

    def customize_applications(
        self, args: argparse.Namespace, applications: dict[str, Any]
    ) -> dict[str, Any]:
        applications = super().customize_applications(args, applications)
        for application in applications.values():
            application.add(self._limit)
            application.add(Warmup())
            application.add(MemoryTrim())
        return applications

    def customize_kwargs(
        self, args: argparse.Namespace, server_kwargs: dict[str, Any]
    ) -> dict[str, Any]:
        # Ours come first, so that they win over Panel's of the same address.
        server_kwargs = {**server_kwargs, "extra_patterns": routes()}
        kwargs: dict[str, Any] = super().customize_kwargs(args, server_kwargs)
        kwargs["transforms"] = [self._headers]
        kwargs["http_server_kwargs"] = HTTP_LIMITS
        signing = _signing(args)
        if self._opening is not None:  # the port is the server's from now on
            self._opening.close()
        return {**kwargs, **signing}

    def customize_server(self, server: Server) -> Server:
        server = super().customize_server(server)
        _protect(server._tornado, self._limit, self._limits.ancestors)
        return server


def _stop() -> None:
    IOLoop.current().stop()


def _signing(args: argparse.Namespace) -> dict[str, Any]:
    if args.session_ids not in (None, "signed"):
        raise DataError(
            f"--session-ids is {args.session_ids!r}; leave it out: this server makes "
            "and signs the names of its sessions."
        )
    return {
        "sign_sessions": True,
        "secret_key": session_secret(),
        "generate_session_ids": True,
    }


def _protect(app: BokehTornado, limit: SessionLimit, ancestors: Sequence[str]) -> None:
    """Have every request pass the gate, and pages and websockets keep to the limits."""
    hosts = {*app.websocket_origins, *settings.allowed_ws_origin()}
    turns = PageTurns()
    pages = {"turns": turns, "origins": Origins(hosts, ancestors)}
    sockets = {"limit": limit, "turns": turns}
    ours: dict[Any, tuple[Any, dict[str, Any]]] = {
        AskingPage: (PageHandler, pages),
        AutoloadJsHandler: (ScriptHandler, pages),
        WSHandler: (PageSocket, sockets),
    }
    for rule in app.wildcard_router.rules:
        if rule.target in ours:
            rule.target, given = ours[rule.target]
            rule.target_kwargs.update(given)
    app.default_router.rules.insert(0, Rule(Gate(hosts), Refusal))
