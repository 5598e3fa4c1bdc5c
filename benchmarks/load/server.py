"""A server that people are let loose on."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.error import HTTPError

__all__ = ["LINGER_SECONDS", "SERVE", "server"]

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
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-c", program, "serve", f"--port={port}"]
    limits = [f"--max-sessions={places}", f"--linger={LINGER_SECONDS}", "--no-browser"]
    process = subprocess.Popen(
        [*command, *limits, *options, "--", "--log-level=error"],
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(port)
        yield f"http://127.0.0.1:{port}/app", process
    finally:
        process.terminate()
        process.wait(30)


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
