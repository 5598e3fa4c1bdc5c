"""The other side of the nursery: a process that forks one child for each connection."""

from __future__ import annotations

import importlib
import logging
import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from solvers.errors import ThriftscopeError
from solvers.frontier.sweep.orphans import end_with_parent

logger = logging.getLogger(__name__)
# What a child talks by: sends of which kind it is what has come of its work, and what
# it is; and returns that work, and what it is given.
Send = Callable[[str, Any], None]
Receive = Callable[[], tuple[Callable[..., Any], Any]]

# Elsewhere all that children do is done on the threads of who asks.
CAN_FORK = hasattr(os, "fork") and os.path.exists("/proc/self/statm")
MOST_LETTERS = 64  # of the name of a module
READY = b"."  # is told once children would be there at once
# Names, not imports: who asks stands above. Others are imported when they are used.
USED = (
    *("explorer.compute.sandbox_child", "explorer.compute.beside_child"),
    *("pyarrow.csv", "pyarrow.parquet", "pyarrow.compute", "python_calamine"),
    *("solvers.costs.interchange", "solvers.bayes", "solvers.markov"),
    *("explorer.session.saved", "explorer.session.own_files"),
    *("explorer.pages.structured.scenes", "explorer.pages.trimming.sources"),
    *("explorer.pages.frontier.queries", "explorer.pages.cascade.training"),
)


def serve(channel_fd: int) -> None:
    """Fork a child for every connection that comes, until there are no more.

    With it comes the name of a module of this folder, whose `begun` says how to talk.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends with who started it
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system buries children
    for name in USED:
        with suppress(ImportError):  # of an extra that is not installed
            importlib.import_module(name)
    _compute_once()
    channel, me = socket.socket(fileno=channel_fd), os.getpid()
    channel.send(READY)
    while True:
        name, fds, _, _ = socket.recv_fds(channel, MOST_LETTERS, 1)
        if not name:
            return
        if os.fork() == 0:
            try:
                channel.close()
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                end_with_parent(me)
                module = importlib.import_module(f".{name.decode()}", __package__)
                _work(*module.begun(Connection(fds[0])))
            finally:  # whatever comes: it must not go on as its parent
                os._exit(0)
        os.close(fds[0])


def _work(send: Send, receive: Receive) -> None:
    """Do one piece of work, and send what comes of it."""
    with suppress(OSError, EOFError):  # nobody waits any more
        send("started", os.getpid())
        try:
            work, arguments = receive()
            for item in work(*arguments):
                send("item", item)
            send("done", None)
        except (ConnectionError, EOFError):
            raise  # nobody waits: nothing has failed
        except ThriftscopeError as error:
            send("refused", error)
        except MemoryError:
            send("memory", None)
        except (Exception, SystemExit):  # the boundary: whoever waits is told
            logger.exception("the work of a child failed")
            send("fault", None)


def _compute_once() -> None:
    """Trace a short line: what libraries look up at a first call, no child looks up."""
    from solvers import all_datasets, trace_frontier
    from solvers.methods.acafh import ACAFHClassifier

    trace_frontier(ACAFHClassifier(n_alphas=2), all_datasets()["breast_cancer"]())
