"""What an entry does besides returning a value: what forbids to leave a call out."""

from __future__ import annotations

import dis
import os
import random
import sys
import threading
import types
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from .clones import names_in
from .fingerprint import closure_of, fingerprint

__all__ = ["State", "listening", "stored_name"]

MOST_ITEMS = 100_000  # of a variable; a larger one is taken to be a table of constants
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
    """What functions could remember: random numbers, module variables, closures.

    `functions`: all that an entry calls.
    """

    def __init__(self, functions: Iterable[Any]) -> None:
        self._kept: list[Any] = []
        self._random = _random_key()
        self._variables = {
            name: fingerprint(value, self._kept)
            for name, value in _variables(functions)
        }

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


def _variables(functions: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    """Yield the changeable plain values that functions reach, under their names."""
    for function in functions:
        if not isinstance(function, types.FunctionType):
            continue
        held = function.__globals__
        for name in names_in(function.__code__) & held.keys():
            if _is_changeable(held[name]):
                yield f"{function.__module__}.{name}", held[name]
        for name, value in closure_of(function).items():
            if _is_changeable(value):
                yield f"{name} of {function.__qualname__}", value
        plain = {k: v for k, v in vars(function).items() if not callable(v)}
        yield f"attributes of {function.__qualname__}", plain


def _is_changeable(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.size <= MOST_ITEMS
    return isinstance(value, list | dict | set | deque) and len(value) <= MOST_ITEMS


def stored_name(function: Any) -> str | None:
    """Return a variable outside of a function that it sets, by its code."""
    if not isinstance(function, types.FunctionType):
        return None
    return next(_stored(function.__code__, set(function.__code__.co_freevars)), None)


def _stored(code: types.CodeType, outside: set[str]) -> Iterator[str]:
    for step in dis.get_instructions(code):
        if step.opname in ("STORE_GLOBAL", "DELETE_GLOBAL") or (
            step.opname in ("STORE_DEREF", "DELETE_DEREF") and step.argval in outside
        ):
            yield str(step.argval)
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from _stored(inner, outside & set(inner.co_freevars))
