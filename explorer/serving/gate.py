"""What is asked of every request before anything answers it, and of which sites."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bokeh.server.util import check_allowlist, match_host
from tornado.httputil import HTTPServerRequest
from tornado.routing import Matcher
from tornado.web import RequestHandler

LOCAL = ("localhost", "127.0.0.1", "::1")
# What Bokeh would take a session from, and anybody could have put into a link.
NAMES_SESSION = ("bokeh-session-id", "bokeh-token")
NAMES_SESSION_HEADER = "Bokeh-Session-Id"
READS = ("GET", "HEAD", "OPTIONS")


class Gate(Matcher):
    """Matches what is refused: the target of its rule is `Refusal`.

    `origins`: hosts under which people reach the app, as ``name:port``; a ``*`` stands
    for any part of a name. This machine's own names are always among them.
    """

    def __init__(self, origins: Iterable[str]) -> None:
        self._names = {_without_port(origin.lower()) for origin in origins}

    def match(self, request: HTTPServerRequest) -> dict[str, Any] | None:
        """Return what `Refusal` says to a request, or None where it may pass."""
        if not self._knows(request):
            return _refusal(
                421,
                f"This is not {request.host_name}. If people reach the app under that "
                "name, start it with --allow-origin and the name.",
            )
        if _names_session(request):
            return _refusal(
                403,
                "A session's name comes from this server alone; remove "
                f"{' and '.join(NAMES_SESSION)} from what you ask for.",
            )
        if request.method in READS and _has_body(request):
            return _refusal(400, f"A request of {request.method} has no body.")
        return None

    def _knows(self, request: HTTPServerRequest) -> bool:
        """Return whether the name asked for is ours.

        A hostile page can have its own name lead here (DNS rebinding), but cannot
        choose what the browser then says in Host.
        """
        name = request.host_name.strip("[]")
        if name in LOCAL or name == _arrived_at(request):
            return True
        return any(match_host(name, known) for known in self._names)


class Refusal(RequestHandler):
    """Says in one sentence why a request is not answered."""

    def initialize(self, status: int, sentence: str) -> None:
        self._status, self._sentence = status, sentence

    def prepare(self) -> None:
        self.set_status(self._status)
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(f"{self._sentence}\n")


def _refusal(status: int, sentence: str) -> dict[str, Any]:
    return {"target_kwargs": {"status": status, "sentence": sentence}}


def _without_port(origin: str) -> str:
    name, _, port = origin.rpartition(":")
    return name if name and (port.isdecimal() or port == "*") else origin


def _arrived_at(request: HTTPServerRequest) -> str:
    """Return the address of this machine that was asked; one of several, maybe."""
    socket = request.connection.stream.socket
    return "" if socket is None else str(socket.getsockname()[0])


def _names_session(request: HTTPServerRequest) -> bool:
    named = any(name in request.arguments for name in NAMES_SESSION)
    return named or NAMES_SESSION_HEADER in request.headers


def _has_body(request: HTTPServerRequest) -> bool:
    length = request.headers.get("Content-Length", "0")
    return length != "0" or "Transfer-Encoding" in request.headers


BY_ITSELF = ("same-origin", "none")  # The app's own pages, and what a person types
PORT_OF = {"https": "443", "http": "80"}


class Origins:
    """Those of the app itself, and of sites that may embed it.

    `hosts`: names under which people reach the app, as ``name:port``. `ancestors`:
    sites of ``--embed-in``.
    """

    def __init__(self, hosts: Iterable[str], ancestors: Sequence[str] = ()) -> None:
        self._hosts = list(hosts)
        self._ancestors = [_pattern(ancestor) for ancestor in ancestors]

    def include(self, origin: str, host: str) -> bool:
        """Return whether an origin is ours; `host` has passed the gate."""
        scheme, _, name = origin.lower().partition("://")
        if scheme not in PORT_OF or not name:
            return False
        if name == host.lower() or check_allowlist(name, self._hosts):
            return True
        full = name if ":" in name else f"{name}:{PORT_OF[scheme]}"
        return any(one.fullmatch(f"{scheme}://{full}") for one in self._ancestors)

    def may_read(self, headers: Mapping[str, str], host: str) -> bool:
        """Return whether a script may be told of a session that is made for it.

        A page of another site that loads it as a script says no origin, and reads it.
        """
        if "Origin" in headers:
            return self.include(headers["Origin"], host)
        return headers.get("Sec-Fetch-Site") in BY_ITSELF

    def may_open(self, headers: Mapping[str, str], host: str) -> bool:
        """Return whether a page may be built: not as a picture of another site's."""
        if "Origin" in headers:
            return self.include(headers["Origin"], host)
        is_theirs = headers.get("Sec-Fetch-Site", "none") not in BY_ITSELF
        return not is_theirs or headers.get("Sec-Fetch-Mode") == "navigate"


def _pattern(ancestor: str) -> re.Pattern[str]:
    """Return what matches an origin with its port, read as browsers read a policy."""
    scheme, _, rest = ancestor.lower().rpartition("://")
    host, _, port = rest.partition(":")
    name = re.escape(host).replace(r"\*\.", r"([a-z0-9-]+\.)+")
    ports = {"*": r"\d+", "": None}.get(port, port)
    schemes = [scheme] if scheme else PORT_OF
    return re.compile(
        "|".join(f"{one}://{name}:{ports or PORT_OF[one]}" for one in schemes)
    )
