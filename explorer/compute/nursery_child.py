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
# Names, not imports: who reads stands above. Others are imported when they are used.
READERS = (
    "explorer.compute.sandbox_child",
    *("pyarrow.csv", "pyarrow.parquet", "pyarrow.compute", "python_calamine"),
    *("solvers.costs.interchange", "solvers.bayes", "solvers.markov"),
    *("explorer.session.saved", "explorer.session.own_files"),
    *("explorer.pages.structured.scenes", "explorer.pages.trimming.sources"),
)


def serve(channel_fd: int) -> None:
    """Fork a child for every connection that comes, until there are no more.

    It does the `work` of the module of this folder that is named with it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends with who started it
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system buries children
    for name in READERS:
        with suppress(ImportError):  # of an extra that is not installed
            importlib.import_module(name)
    channel, me = socket.socket(fileno=channel_fd), os.getpid()
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
