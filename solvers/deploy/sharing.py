"""Calls a function once for the same arguments; copied into what is exported."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

__all__ = ["Calls"]


class Calls:
    """Calls that are remembered while the features of one raw sample are computed."""

    def __init__(self) -> None:
        self.known: list[tuple[Any, Any, Any]] = []  # function, arguments, value

    def once(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that is called once for the same arguments."""

        @functools.wraps(function)
        def remembered(*given: Any, **named: Any) -> Any:
            for known, before, value in self.known:
                if known is function and _alike(before, (given, named)):
                    return value
            value = function(*given, **named)
            self.known.append((function, (given, named), value))
            return value

        return remembered

    def within(self, module: ModuleType, path: Sequence[str]) -> ModuleType:
        """Return a copy of a module; the function at the path's end is called once."""
        copy, (name, *rest) = ModuleType(module.__name__), path
        found = getattr(module, name)
        found = self.within(found, rest) if rest else self.once(found)
        vars(copy).update(vars(module), **{name: found})
        return copy


def _alike(one: Any, other: Any) -> bool:
    """Return whether two arguments are the same to the last bit."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_alike(one[k], other[k]) for k in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(_alike, one, other))
    if hasattr(one, "tobytes"):
        looks = ((a.shape, a.dtype, a.tobytes()) for a in (one, other))
        return next(looks) == next(looks)
    return isinstance(one, bool | int | float | str | bytes) and repr(one) == repr(
        other
    )
