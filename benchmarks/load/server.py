"""A server that people are let loose on."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit

from .nginx import certified, free_port, nginx

__all__ = ["LINGER_SECONDS", "SERVE", "server", "servers_behind_nginx"]

LINGER_SECONDS = 1.0
SERVE = (
    "from explorer.commands.cli import main; import sys; sys.exit(main(sys.argv[1:]))"
)


@contextmanager
def server(
    places: int, program: str = SERVE, *options: str
) -> Iterator[tuple[str, subprocess.Popen]]:
    """Give the address of a server with so many places, and its process.

    `options`: more of the command.
    """
    port = free_port()
    command = [sys.executable, "-c", program, "serve", f"--port={port}"]
    limits = [f"--max-sessions={places}", f"--linger={LINGER_SECONDS}", "--no-browser"]
    process = subprocess.Popen(
        [*command, *limits, *options, "--", "--log-level=error", "--use-xheaders"],
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(port)
        yield f"http://127.0.0.1:{port}/app", process
    finally:
        process.terminate()
        process.wait(30)


@contextmanager
def servers_behind_nginx(
    places: int, program: str = SERVE
) -> Iterator[tuple[str, str]]:
    """Give the address of two servers with so many places each, and their certificate.

    As docs/deployment.md puts them up, on this machine.
    """
    ports = free_port(), free_port()
    with ExitStack() as all_:
        folder = Path(all_.enter_context(tempfile.TemporaryDirectory()))
        certificate, behind = certified(folder), []
        for _ in range(2):
            started = server(places, program, f"--allow-origin=localhost:{ports[0]}")
            address, _ = all_.enter_context(started)
            behind.append(int(urlsplit(address).port or 0))
        all_.enter_context(nginx(folder, ports, behind))
        yield f"https://localhost:{ports[0]}/app", str(certificate)


def _wait_for(port: int, seconds: float = 300.0) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/icons/icon.svg").read()
        except HTTPError as answer:  # a bare page has no icon
            is_there = answer.code != 503
        except OSError:
            is_there = False
        else:
            is_there = True
        if is_there:
            return
        time.sleep(0.2)
    raise SystemExit("the server did not start")
