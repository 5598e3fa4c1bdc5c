"""The server as ``thriftscope serve`` starts it, in a process of its own."""

import os
import re
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port, process, seconds=240):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the server did not start")


@contextmanager
def serving(*flags, port=None):
    """Start a server; give its address and process, and end it."""
    port = port or free_port()
    command = [sys.executable, "-m", "explorer", "serve", f"--port={port}"]
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    process = subprocess.Popen(
        [*command, "--no-browser", *flags],
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path},
    )
    try:
        wait_for(port, process)
        yield f"http://127.0.0.1:{port}", process
    finally:
        process.terminate()
        process.wait(30)


@pytest.fixture(scope="module")
def server():
    """One server for a module, with few places and a site that may embed it."""
    embed = "--embed-in=https://school.org"
    with serving("--max-sessions=2", "--linger=60", embed) as (address, _):
        yield address


def directives(policy):
    """The sources of each directive of a content security policy."""
    parts = (part.split() for part in re.split(r"\s*;\s*", policy) if part)
    return {name: sources for name, *sources in parts}
