"""The other side of the sandbox: a child that reads one file within limits."""

from __future__ import annotations

import importlib
import os
from multiprocessing.connection import Connection
from typing import Any

from . import wire

#: Addresses that a child may take besides what it begins with.
MEMORY_BYTES = 3 * 2**30
#: Processor time of a child; the clock is looked at by whoever waits for it.
PROCESSOR_SECONDS = 60
# Whoever moves a slider goes before whoever has a file read.
NICENESS = 3


def begun(connection: Connection) -> tuple[Any, Any]:
    """Return what a child talks by, that is limited from now on."""
    _limit()

    def tell(kind: str, value: Any) -> None:
        send(connection, kind, str(value) if kind == "refused" else value)

    def asked() -> tuple[Any, Any]:
        _, (module, name, arguments) = receive(connection, imports=True)
        return getattr(importlib.import_module(module), name), arguments

    return tell, asked


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
