"""How many connections a process takes: the system lets it have so many open files."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from tornado.iostream import IOStream

log = logging.getLogger(__name__)

Handle = Callable[[IOStream, tuple[Any, ...]], Any]

# Shells give 1024, and allow more whoever asks.
WANTED = 16_384
# Left for files, readers and workers: where none is left at all, the server's loop is
# told of the same waiting connection for ever, and does nothing else.
SPARE = 128
SILENT_SECONDS = 60.0  # between two lines of the log


def raise_limit(wanted: int = WANTED) -> None:
    """Have the system allow this process more open files, as far as that goes."""
    if sys.platform == "win32":  # knows no such limit
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(ValueError, OSError):  # macOS has another limit besides
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def sparing(handle: Handle) -> Handle:
    """Return what handles connections, and ends those that take the last numbers."""
    if sys.platform == "win32":
        return handle
    import resource

    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most == resource.RLIM_INFINITY:
        return handle
    told = -SILENT_SECONDS

    def handle_or_end(stream: IOStream, address: tuple[Any, ...]) -> Any:
        nonlocal told
        # The system gives the lowest number that is free.
        if stream.socket.fileno() < most - SPARE:
            return handle(stream, address)
        stream.close()
        if time.monotonic() - told > SILENT_SECONDS:
            told = time.monotonic()
            log.warning(
                "Connections are ended: %d files are open, and this process may have "
                "%d (ulimit -n).",
                most - SPARE,
                most,
            )
        return None

    return handle_or_end
