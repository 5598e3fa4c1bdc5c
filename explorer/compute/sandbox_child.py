"""The other side of the sandbox: a child that reads one file within limits."""

from __future__ import annotations

import importlib
import logging
import os
import signal
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from solvers.errors import ThriftscopeError
from solvers.frontier.sweep.orphans import end_with_parent

from . import wire

logger = logging.getLogger(__name__)
#: Addresses that a child may take besides what it begins with.
MEMORY_BYTES = 3 * 2**30
#: Processor time of a child; the clock is looked at by whoever waits for it.
PROCESSOR_SECONDS = 60
# Whoever moves a slider goes before whoever has a file read.
NICENESS = 3


def work(connection: Connection, parent: int) -> None:
    """Do one piece of work within limits, and send what comes of it."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    end_with_parent(parent)
    _limit()
    with suppress(OSError, EOFError):  # nobody waits any more
        send(connection, "started", os.getpid())
        _, (module, name, arguments) = receive(connection, imports=True)
        try:
            read = getattr(importlib.import_module(module), name)
            for item in read(*arguments):
                send(connection, "item", item)
            send(connection, "done", None)
        except ThriftscopeError as error:
            send(connection, "refused", str(error))
        except MemoryError:
            send(connection, "memory", None)
        except (Exception, SystemExit):  # the boundary: whoever waits is told
            logger.exception("a file was not read")
            send(connection, "fault", None)


def _limit() -> None:
    import resource

    os.nice(NICENESS)
    with open("/proc/self/statm", encoding="ascii") as file:
        held = int(file.read().split()[0]) * resource.getpagesize()
    for limit, most in (
        (resource.RLIMIT_AS, held + MEMORY_BYTES),
        (resource.RLIMIT_CPU, PROCESSOR_SECONDS),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(limit, (most, most))


def send(connection: Connection, kind: str, value: Any) -> None:
    """Send what there is: how many parts, then each."""
    parts = wire.written([kind, value])
    connection.send_bytes(str(len(parts)).encode())
    for part in parts:
        connection.send_bytes(part)


def receive(connection: Connection, *, imports: bool = False) -> tuple[str, Any]:
    """Return of which kind it is what was sent, and what it is."""
    parts = [connection.recv_bytes() for _ in range(int(connection.recv_bytes(20)))]
    kind, value = wire.read(parts, imports=imports)
    return str(kind), value
