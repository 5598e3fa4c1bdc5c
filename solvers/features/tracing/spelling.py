"""Arguments in one order, however a call spells them."""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeAlias

from ..fingerprint import original_of

_Getter: TypeAlias = Callable[[tuple[Any, ...]], Any]
# For each place and each name: what takes it out of the arguments that are given.
_Way: TypeAlias = tuple[list[_Getter], dict[str, _Getter]]


class Spelling:
    """The order of a function's own arguments, its default values included.

    Those of the function itself: what it wraps may have others.
    """

    def __init__(self, function: Any) -> None:
        self._signature: inspect.Signature | None = None
        if type(function) is FunctionType and not hasattr(function, "__signature__"):
            self._signature = inspect.signature(function, follow_wrapped=False)
        self._ways: dict[Any, _Way | None] = {}

    def ordered(self, args: Any, kwargs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return all arguments: by place, and those that are by name alone."""
        shape = (len(args), *kwargs)
        if shape not in self._ways:
            self._ways[shape] = self._way(len(args), tuple(kwargs))
        way = self._ways[shape]
        if way is None:
            return args, kwargs
        given = (*args, *kwargs.values())
        by_place, by_name = way
        return (
            tuple([one(given) for one in by_place]),
            {name: one(given) for name, one in by_name.items()},
        )

    def _way(self, n_args: int, names: tuple[str, ...]) -> _Way | None:
        """Return how the order is made; None if it is there already."""
        if self._signature is None:
            return None
        numbers = range(n_args + len(names))
        places: list[_Getter] = [operator.itemgetter(i) for i in numbers]
        named = dict(zip(names, places[n_args:], strict=True))
        try:
            bound = self._signature.bind(*places[:n_args], **named)
        except TypeError:  # the call will say so itself
            return None
        bound.apply_defaults()
        if not names and list(bound.args) == places and not bound.kwargs:
            return None
        by_place = [_getter(one, places) for one in bound.args]
        return by_place, {n: _getter(one, places) for n, one in bound.kwargs.items()}


def _getter(bound: Any, places: list[_Getter]) -> _Getter:
    """Return what takes an argument out of those that are given, or a default value."""
    return bound if any(bound is place for place in places) else lambda _: bound


@functools.lru_cache(maxsize=4096)
def _spelling_of(function: Any) -> Spelling:
    return Spelling(function)


def spelling_of(function: Any) -> Spelling:
    """Return how a function's arguments are spelled, a double's as the function's."""
    return _spelling_of(original_of(function))
