"""The other side of what is computed beside: a child that does one piece of work."""

from __future__ import annotations

import logging
import os
import pickle
import signal
from contextlib import closing, suppress
from io import BytesIO
from multiprocessing.connection import Connection
from typing import Any

from solvers.errors import ThriftscopeError
from solvers.frontier.sweep.orphans import end_with_parent
from solvers.numerics.threads import one_thread

logger = logging.getLogger(__name__)
#: Whoever serves goes before whoever computes, and what is short before what is long.
NICENESS = {False: 10, True: 19}


def work(connection: Connection, parent: int) -> None:
    """Do one piece of work, and send what comes of it."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    end_with_parent(parent)
    text = BytesIO()
    # One for all: what items have in common is sent once.
    pickler = pickle.Pickler(text, protocol=5)

    def send(kind: str, value: Any = None) -> None:
        pickler.dump((kind, value))
        connection.send_bytes(text.getvalue())
        text.seek(0)
        text.truncate()

    with suppress(OSError, EOFError):  # nobody waits any more
        send("started", os.getpid())
        asked, *buffers = (connection.recv_bytes() for _ in range(connection.recv()))
        is_long, compute, arguments = pickle.loads(asked, buffers=buffers)
        os.nice(NICENESS[is_long])
        try:
            with one_thread(), closing(compute(*arguments)) as items:
                for item in items:
                    send("item", item)
            send("done")
        except BrokenPipeError:
            raise  # nobody waits: nothing has failed
        except ThriftscopeError as error:
            send("refused", error)
        except MemoryError:
            send("memory")
        except (Exception, SystemExit):  # the boundary: whoever waits is told
            logger.exception("a computation failed")
            send("fault")
