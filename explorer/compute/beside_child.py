"""The other side of what is computed beside: a child that does one piece of work."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from multiprocessing.connection import Connection
from typing import Any

from solvers.numerics.threads import one_thread

#: Whoever serves goes before whoever computes, and what is short before what is long.
NICENESS = {False: 10, True: 19}


def begun(connection: Connection) -> tuple[Any, Any]:
    """Return what a child talks by."""
    text = BytesIO()
    # One for all: what items have in common is sent once.
    pickler = pickle.Pickler(text, protocol=5)

    def tell(kind: str, value: Any) -> None:
        pickler.dump((kind, value))
        connection.send_bytes(text.getvalue())
        text.seek(0)
        text.truncate()

    def asked() -> tuple[Any, Any]:
        given, *buffers = (connection.recv_bytes() for _ in range(connection.recv()))
        is_long, work, arguments = pickle.loads(given, buffers=buffers)
        os.nice(NICENESS[is_long])
        return _alone, (work, arguments)

    return tell, asked


def _alone(work: Any, arguments: Any) -> Iterator[Any]:
    with one_thread(), closing(work(*arguments)) as items:
        yield from items
