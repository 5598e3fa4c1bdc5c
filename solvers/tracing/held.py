"""The value of a shared computation, held while a sample is worked on.

It is given to whoever asks for the same, if nothing can have changed since: the
arguments are alike to the last bit, what the code can reach besides is as it was when it
was traced, and errors and warnings are treated the same. Whoever asks gets a copy of his
own. Where any of this does not hold, or cannot be known, the value is computed again.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Iterator
from contextvars import copy_context
from functools import partial
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from .fingerprint import DEPTH, fingerprint, is_constant, is_flat, parts_of
from .reach import Reach
from .spelling import spelling_of

__all__ = ["Held", "Kept", "Place"]

MOST_PADDING = 4  # times the bytes of an array that it may lie apart


class Kept(NamedTuple):
    """A value that was computed."""

    key: Any  # Of the arguments
    surroundings: Any
    give: Callable[[], Any]  # Makes a copy of it


Held = list[Kept | None]  # For each place, of the sample that is worked on


class Place:
    """Where the value of one computation is held.

    `reach`: of the function, with all that it is handed.
    `taken`: how often a value was given.
    `why`: why a value was not held, when that last happened.
    """

    def __init__(self, function: Any, reach: Reach) -> None:
        self.reach = reach
        self.taken = 0
        self.why = ""
        self._spelling = spelling_of(function)

    def compute(self, body: Any, args: Any, kwargs: Any) -> tuple[Any, Kept | None]:
        """Return what a function gives, and what is held of it, if that is safe."""
        before, key = surroundings(), self._key(args, kwargs)
        value = body(*args, **kwargs)
        if key is None:
            self.why = "it is given what cannot be looked into"
        elif self._key(args, kwargs) != key:
            self.why = "it changes what it is given in place"
        elif not _are_same(before, surroundings()):
            self.why = "it changes how errors or warnings are treated"
        elif change := self.reach.change():
            self.why = f"it depends on {change}, which changes"
        else:
            give = copier(value, (args, kwargs, self.reach.state), self.reach)
            if give is not None:
                return value, Kept(key, before, give)
            self.why = "what it returns cannot be copied, or is part of something else"
        return value, None

    def may_give(self, kept: Kept, args: Any, kwargs: Any) -> bool:
        """Return whether a call would compute what is held."""
        is_same = (
            _are_same(kept.surroundings, surroundings())
            and self._key(args, kwargs) == kept.key
            and not self.reach.change()
        )
        self.taken += is_same
        return is_same

    def _key(self, args: Any, kwargs: Any) -> Any:
        kept: list[Any] = []
        key = self._spelling.key(
            args, kwargs, lambda given: fingerprint(given, kept, 0, self.reach.knows)
        )
        return None if kept else key


def surroundings() -> Any:
    """Return what decides how errors and warnings are treated, for `_are_same`."""
    filters = warnings.filters
    return filters, tuple(filters), copy_context()


def _are_same(before: Any, now: Any) -> bool:
    if before[0] is not now[0] or before[1] != now[1]:
        return False
    try:
        return bool(before[2] == now[2])
    except (TypeError, ValueError):  # of values that cannot be compared
        return False


def copier(value: Any, others: Any, reach: Reach) -> Callable[[], Any] | None:
    """Return what makes copies of a value; None if there cannot be any.

    A copy is laid out as the value is, and no part of it is a part of anything else.

    `others`: what the value must not be a part of.
    """
    mine = list(_changeable(value, reach))
    if mine and _overlap(mine, list(_changeable(others, reach))):
        return None
    return _copier(value, reach)


def _copier(value: Any, reach: Reach) -> Callable[[], Any] | None:
    if is_constant(value):
        return lambda: value
    if type(value) is np.ndarray and not value.dtype.hasobject:
        return _array_copier(value)
    if type(value) is not tuple:
        return _deep_copier(value, reach)
    makers = [_copier(part, reach) for part in value]
    if None in makers:
        return None
    return lambda: tuple([make() for make in makers if make])


def _array_copier(values: np.ndarray) -> Callable[[], Any] | None:
    if not values.flags.writeable:
        return None  # a copy would not be
    make = _copied if values.flags.forc else _copied_apart
    copied = make(values)
    if copied is None or copied.strides != values.strides:
        return None
    copied.flags.writeable = False
    return partial(make, copied)


def _copied(values: np.ndarray) -> np.ndarray:
    return values.copy("K")


def _copied_apart(values: np.ndarray) -> np.ndarray | None:
    """Return a copy whose numbers lie as far apart as they do in an array."""
    low, high = np.lib.array_utils.byte_bounds(values)
    if high - low > MOST_PADDING * values.nbytes:
        return None
    start = values.__array_interface__["data"][0] - low
    copied = np.ndarray(
        values.shape, values.dtype, bytearray(high - low), start, values.strides
    )
    copied[...] = values
    return copied


def _deep_copier(value: Any, reach: Reach) -> Callable[[], Any] | None:
    kept: list[Any] = []
    key = fingerprint(value, kept, 0, reach.knows)
    if kept or any(
        isinstance(part, FunctionType) for part in _changeable(value, reach)
    ):
        return None
    copied = copy.deepcopy(value)
    is_alike = fingerprint(copied, kept, 0, reach.knows) == key
    return partial(copy.deepcopy, copied) if is_alike else None


def _changeable(value: Any, reach: Reach, depth: int = 0) -> Iterator[Any]:
    """Yield what could be changed in a value: arrays, containers, instances."""
    if is_constant(value) or depth > DEPTH:
        return
    kind = type(value)
    if kind is not tuple and kind is not frozenset:
        yield value
    if kind is np.ndarray and not value.dtype.hasobject:
        return
    if kind is list and is_flat(value):
        return
    for part in parts_of(value, reach.knows) or ():
        yield from _changeable(part, reach, depth + 1)


def _overlap(mine: list[Any], theirs: list[Any]) -> bool:
    """Return whether a part stands twice in the first list, or in the second too."""
    taken = set(map(id, theirs))
    arrays = [one for one in theirs if isinstance(one, np.ndarray)]
    for one in mine:
        if id(one) in taken:
            return True
        taken.add(id(one))
        if isinstance(one, np.ndarray):
            if any(np.may_share_memory(one, other) for other in arrays):
                return True
            arrays.append(one)
    return False
