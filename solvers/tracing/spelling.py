"""Arguments in one order, however a call spells them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeAlias

from .doubles import original_of

__all__ = ["Spelling", "spelling_of"]

# For each place and each name: which of the given arguments, or a default value.
_Way: TypeAlias = tuple[list[Any], dict[str, Any]]


class Spelling:
    """The order of a function's own arguments, its default values included.

    Those of the function itself: what it wraps may have others.
    """

    def __init__(self, function: Any) -> None:
        self._signature: inspect.Signature | None = None
        if type(function) is FunctionType and not hasattr(function, "__signature__"):
            self._signature = inspect.signature(function, follow_wrapped=False)
        self._ways: dict[Any, _Way] = {}

    def ordered(self, args: Any, kwargs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return all arguments: by place, and those that are by name alone."""
        shape = len(args), tuple(kwargs)
        if shape not in self._ways:
            self._ways[shape] = self._way(*shape)
        by_place, by_name = self._ways[shape]
        given = (*args, *kwargs.values())
        return (
            tuple([w.of(given) for w in by_place]),
            {name: w.of(given) for name, w in by_name.items()},
        )

    def key(self, args: Any, kwargs: Any, key_of: Callable[[Any], Any]) -> Any:
        """Return a key of the arguments, the same for both spellings of one call."""
        by_place, by_name = self.ordered(args, kwargs)
        return key_of(by_place), key_of(by_name) if by_name else ()

    def _way(self, n_args: int, names: tuple[str, ...]) -> _Way:
        places = [_Given(i) for i in range(n_args)]
        named = {name: _Given(n_args + i) for i, name in enumerate(names)}
        if self._signature is None:
            return places, named
        try:
            bound = self._signature.bind(*places, **named)
        except TypeError:  # the call will say so itself
            return places, named
        bound.apply_defaults()
        by_name = {name: _way_to(one) for name, one in bound.kwargs.items()}
        return [_way_to(one) for one in bound.args], by_name


class _Given:
    """One of the arguments that are given."""

    def __init__(self, index: int) -> None:
        self._index = index

    def of(self, given: tuple[Any, ...]) -> Any:
        return given[self._index]


class _Default:
    def __init__(self, value: Any) -> None:
        self._value = value

    def of(self, _: tuple[Any, ...]) -> Any:
        return self._value


def _way_to(bound: Any) -> _Given | _Default:
    return bound if isinstance(bound, _Given) else _Default(bound)


@functools.lru_cache(maxsize=4096)
def _spelling_of(function: Any) -> Spelling:
    return Spelling(function)


def spelling_of(function: Any) -> Spelling:
    """Return how a function's arguments are spelled, a double's as the function's."""
    return _spelling_of(original_of(function))
