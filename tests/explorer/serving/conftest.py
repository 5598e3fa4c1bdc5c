"""The server as ``thriftscope serve`` starts it, in a process of its own."""

import asyncio
import os
import re
import subprocess
import sys
import threading
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from urllib.request import urlopen as get

from tornado.web import Application

from benchmarks.load.nginx import free_port
from tests.waiting import HANGS_SECONDS, until

ROOT = Path(__file__).parents[3]
WARM = ["-m", "explorer"]
# The server without what it computes in advance and without the process that reads
# files, for those who ask for nothing of either.
COLD = [
    "-c",
    "from explorer.serving import warmup; "
    "warmup.use_processes = lambda: None; "
    "warmup.warm_slider = lambda is_free: None; "
    "warmup.warm_frontier = lambda goes_on: None; "
    "from explorer.commands.cli import main; import sys; sys.exit(main())",
]


def is_answered(port):
    """Whether the app answers, not what stands in for it until it is there."""
    try:
        get(f"http://127.0.0.1:{port}/icons/icon.svg", timeout=HANGS_SECONDS).read()
    except OSError:
        return False
    return True


@cache
def state_folder():
    """Where the servers of a test run keep what this account's would keep."""
    return mkdtemp(prefix="thriftscope-")


@contextmanager
def serving(*flags, port=None, program=WARM):
    """Start a server; give its address and process, and end it."""
    port = port or free_port()
    command = [sys.executable, *program, "serve", f"--port={port}"]
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    process = subprocess.Popen(
        [*command, "--no-browser", *flags],
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path, "XDG_STATE_HOME": state_folder()},
    )
    try:
        until(lambda: is_answered(port) or process.poll() is not None)
        assert process.poll() is None, "the server did not start"
        yield f"http://127.0.0.1:{port}", process
    finally:
        process.terminate()
        process.wait(HANGS_SECONDS)


def directives(policy):
    """The sources of each directive of a content security policy."""
    parts = (part.split() for part in re.split(r"\s*;\s*", policy) if part)
    return {name: sources for name, *sources in parts}


@contextmanager
def answering(handlers, **limits):
    """Serve addresses alone, in this process; give their root."""
    ready, ended = threading.Event(), asyncio.Event()
    port = free_port()

    async def listen():
        server = Application(handlers).listen(port, "127.0.0.1", **limits)
        ready.set()
        await ended.wait()
        server.stop()  # an open socket fails whichever test comes next
        await server.close_all_connections()

    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_until_complete, args=(listen(),))
    thread.start()
    try:
        assert ready.wait(HANGS_SECONDS)
        yield f"http://127.0.0.1:{port}"
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(HANGS_SECONDS)
        loop.close()
