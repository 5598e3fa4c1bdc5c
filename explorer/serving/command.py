"""``panel serve`` of the app, with our headers, addresses and limits."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from panel.command.serve import Serve
from tornado.ioloop import IOLoop
from tornado.web import OutputTransform

from ..pages.frontier.warmup import warm_frontier
from ..widgets.assets import asset_folder
from .headers import security_headers
from .memory import MemoryTrim, return_freed_memory
from .routes import routes
from .session_limit import FullPage, SessionLimit
from .warmup import Warmup

__all__ = ["Limits", "serve"]

APP = Path(__file__).parents[1] / "app.py"
# An upload arrives in chunks of 10 MB; one message may not be larger than this.
MAX_MESSAGE_BYTES = 24 * 1024 * 1024


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


def serve(flags: Sequence[str], limits: Limits) -> None:
    """Serve the app until it is interrupted."""
    parser = argparse.ArgumentParser(prog="thriftscope serve --")
    command = _Serve(parser, limits, security_headers(limits.ancestors))
    options = parser.parse_args([str(APP), *_session_flags(limits), *flags])
    # Before the processes part, so that all of them have it.
    warm_frontier()
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
    ) -> None:
        super().__init__(parser)
        self._limits, self._headers = limits, headers

    def customize_applications(
        self, args: argparse.Namespace, applications: dict[str, Any]
    ) -> dict[str, Any]:
        applications = super().customize_applications(args, applications)
        for application in applications.values():
            application.add(SessionLimit(self._limits.sessions, self._on_empty()))
            application.add(Warmup())
            application.add(MemoryTrim())
        return applications

    def customize_kwargs(
        self, args: argparse.Namespace, server_kwargs: dict[str, Any]
    ) -> dict[str, Any]:
        # Ours come first, so that they win over Panel's of the same address.
        server_kwargs = {**server_kwargs, "extra_patterns": routes()}
        kwargs: dict[str, Any] = super().customize_kwargs(args, server_kwargs)
        kwargs["transforms"] = [self._headers, FullPage]
        return kwargs

    def _on_empty(self) -> Callable[[], None] | None:
        if not self._limits.ends_when_empty:
            return None
        return lambda: IOLoop.current().stop()
