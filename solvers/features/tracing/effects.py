"""What an entry does besides returning a value: what forbids to leave a call out."""

from __future__ import annotations

import os
import random
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..fingerprint import fingerprint
from .reach import Reach

_heard = threading.local()
_is_installed = threading.Event()
_OUTSIDE = {
    "os.remove": "removes a file",
    "os.rename": "renames a file",
    "os.mkdir": "makes a folder",
    "os.system": "starts a program",
    "subprocess.Popen": "starts a program",
    "socket.connect": "opens a connection",
}


@contextmanager
def listening() -> Iterator[list[str]]:
    """Collect what this thread does to the world outside of Python."""
    if not _is_installed.is_set():
        _is_installed.set()
        sys.addaudithook(_hear)  # it stays: Python has no way to take one back
    _heard.deeds = deeds = list[str]()
    try:
        yield deeds
    finally:
        del _heard.deeds


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    deeds = getattr(_heard, "deeds", None)
    if deeds is None:
        return
    if event == "open":
        _, mode, flags = arguments
        writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR)
        if writes or set(mode or "") & set("wax+"):
            deeds.append("writes to a file")
    elif event in _OUTSIDE:
        deeds.append(_OUTSIDE[event])


class State:
    """What code could remember: random numbers, and all that it reaches.

    `reach`: of an entry; none, for random numbers alone.
    """

    def __init__(self, reach: Reach | None = None) -> None:
        self._kept: list[Any] = []
        self._random = _random_key()
        self._variables = {} if reach is None else reach.now(self._kept)

    def difference(self, later: State) -> str:
        """Return what was done from this state to a later one; empty if nothing."""
        if self._random != later._random:
            return "draws from the global random numbers"
        for name, key in self._variables.items():
            if later._variables.get(name, key) != key:
                return f"changes {name}"
        return ""


def _random_key() -> Any:
    numpys = np.random.get_state(legacy=False)
    return random.getstate(), fingerprint(numpys, [])
