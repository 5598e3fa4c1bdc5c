"""What a browser sees before there is a page: its frame and its question, at once.

Imports nothing of the screen: it is served while that is imported.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Sequence
from functools import cache
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer

from ..pages import questions
from ..widgets.assets import asset
from ..widgets.theme import STYLES, palette

# For so long who has connected may be silent.
PATIENCE_SECONDS = 5.0
POLL_SECONDS = 0.05
# What the opening page looks for until the app has it; whoever else asks is told 503.
PROBE = "icons/icon.svg?starting"
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'"
)


@cache
def opening_page(waits: bool = False) -> str:
    """Return the page: it tells the server its theme, and asks for the app.

    `waits`: whether it first waits until the server has started.
    """
    grounds = {
        theme: {
            "--mui-palette-background-default": palette(dark).background,
            "--mui-palette-text-primary": palette(dark).text,
        }
        for theme, dark in (("light", False), ("dark", True))
    }
    told = {"QUESTIONS": questions(), "GROUNDS": grounds, "PROBE": PROBE}
    page = asset("opening.html").replace("STYLE", STYLES)
    for name, value in told.items():
        page = page.replace(f"const {name} = {{}}", f"const {name} = {_script(value)}")
    return page.replace("const WAITS = false", "const WAITS = true") if waits else page


def _script(value: object) -> str:
    # No sign that could end a script, or mean anything to a template.
    return json.dumps(value).replace("<", "\\u003c").replace("}}", "} }")


class Opening:
    """Answers on a port, with the opening page alone, until the server can.

    `ancestors`: origins of other sites that may show it in a frame.
    """

    def __init__(self, address: str, port: int, ancestors: Sequence[str] = ()) -> None:
        self.port = port
        self._server = _Server((address, port), _Answer, bind_and_activate=False)
        if ":" in address:
            self._server.address_family = socket.AF_INET6
            self._server.socket.close()
            self._server.socket = socket.socket(socket.AF_INET6, socket.SOCK_STREAM)
        self._server.policy = " ".join([POLICY, *ancestors])
        self._server.server_bind()
        self._server.server_activate()
        threading.Thread(
            target=self._server.serve_forever,
            args=(POLL_SECONDS,),
            name="opening",
            daemon=True,
        ).start()

    def close(self) -> None:
        """Let go of the port."""
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128
    policy = POLICY

    def handle_error(self, *_: object) -> None:
        """Say nothing of who has hung up."""


class _Answer(BaseHTTPRequestHandler):
    timeout = PATIENCE_SECONDS
    server: _Server

    def do_HEAD(self) -> None:
        """Say it without the words: what watches over servers asks so."""
        self._answer()

    def do_GET(self) -> None:
        """Say that the app is not there yet: what looks for it asks again."""
        self.wfile.write(self._answer())

    def _answer(self) -> bytes:
        """Send the head of the answer; return what follows it."""
        if self.path.endswith(f"/{PROBE}"):  # its console would list each 503
            self.send_response(204)
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            return b""
        is_browser = "text/html" in self.headers.get("Accept", "")
        kind = "html" if is_browser else "plain"
        text = opening_page(waits=True) if is_browser else "Thriftscope is starting.\n"
        body = text.encode()
        self.send_response(503)
        self.send_header("Content-Type", f"text/{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Retry-After", "1")
        self.send_header("Content-Security-Policy", self.server.policy)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        return body

    def version_string(self) -> str:
        """Name no version."""
        return "Thriftscope"

    def log_message(self, *_: object) -> None:
        """Log nothing: the server's log begins with the server."""
