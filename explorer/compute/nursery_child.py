"""The other side of the nursery: a process that forks one child for each connection."""

from __future__ import annotations

import importlib
import os
import signal
import socket
from contextlib import suppress
from multiprocessing.connection import Connection

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

    It does the `work` of the module of this folder that is named with it.
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
                module = importlib.import_module(f".{name.decode()}", __package__)
                module.work(Connection(fds[0]), me)
            finally:  # whatever comes: it must not go on as its parent
                os._exit(0)
        os.close(fds[0])


def _compute_once() -> None:
    """Trace a short line: what libraries look up at a first call, no child looks up."""
    from solvers import all_datasets, trace_frontier
    from solvers.methods.acafh import ACAFHClassifier

    trace_frontier(ACAFHClassifier(n_alphas=2), all_datasets()["breast_cancer"]())
