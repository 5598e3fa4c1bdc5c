"""The value of a shared computation, held while a sample is worked on.

It is given to whoever asks for the same, if nothing can have changed since: arguments
are alike to the last bit, what the code can reach besides is as it was when it was
traced, and errors and warnings are treated the same. Whoever asks gets a copy of his
own. Where any of this does not hold, or cannot be known, the value is computed again.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextvars import copy_context
from functools import partial
from types import FunctionType
from typing import Any, TypeAlias

import numpy as np

from ..fingerprint import (
    DEPTH,
    alike,
    bytes_of_array,
    fingerprint,
    is_constant,
    is_flat,
    parts_of,
)
from .calls import spelling_of
from .reach import Reach

MOST_PADDING = 4  # times the bytes of an array that it may lie apart
_PLAIN_NUMBERS = frozenset(
    np.dtype(c).num for c in np.typecodes["AllInteger"] + "?efdgFDG"
)


# Of a value: the key of the arguments, the surroundings, what makes copies of it.
Kept: TypeAlias = "tuple[Any, Surroundings, Callable[[], Any]]"
# For each place, of the sample that is worked on.
Held: TypeAlias = "list[Kept | None]"


class Place:
    """Where the value of one computation is held.

    `reach`: of the function, with all that it is handed.
    `began`: when the work on the sample did.
    `taken`: how often a value was given.
    `why`: why a value was not held, when that last happened.
    """

    def __init__(self, function: Any, reach: Reach, began: Began) -> None:
        self.reach = reach
        self._began = began
        self.taken = 0
        self.why = ""
        self._ordered = spelling_of(function).ordered
        self._state = [value for _, value in reach.state]

    def compute(self, body: Any, args: Any, kwargs: Any) -> tuple[Any, Kept | None]:
        """Return what a function gives, and what is held of it, if that is safe."""
        usual = self._began.surroundings
        is_usual, key = usual.are_here(), self._key(args, kwargs)
        state = np.random.get_state(legacy=False) if self.reach.draws else None
        value = body(*args, **kwargs)
        if key is None:
            self.why = "it is given what cannot be looked into"
        elif not is_usual:
            self.why = "errors or warnings are treated otherwise where it is called"
        elif state and not alike(state, np.random.get_state(legacy=False)):
            self.why = "it draws from the global random numbers"
        elif self._key(args, kwargs) != key:
            self.why = "it changes what it is given in place"
        elif not usual.are_here():
            self.why = "it changes how errors or warnings are treated"
        elif self.reach.has_changed():
            self.why = f"it depends on {self.reach.change()}, which changes"
        else:
            give = copier(value, (*args, *kwargs.values(), *self._state), self.reach)
            if give is not None:
                return value, (key, usual, give)
            self.why = "what it returns cannot be copied, or is part of something else"
        return value, None

    def may_give(self, kept: Kept, args: Any, kwargs: Any) -> bool:
        """Return whether a call would compute what is held."""
        key, surroundings, _ = kept
        is_same = (
            self._key(args, kwargs) == key
            and surroundings.are_here()
            and not self.reach.has_changed()
        )
        self.taken += is_same
        return is_same

    def _key(self, args: Any, kwargs: Any) -> Any:
        by_place, by_name = self._ordered(args, kwargs)
        kept: list[Any] = []
        key: list[Any] = []
        for value in by_place:
            if type(value) is np.ndarray and value.dtype.num in _PLAIN_NUMBERS:
                key.append(bytes_of_array(value))  # mostly, and in less time
            else:
                key.append(fingerprint(value, kept, 0, self.reach.knows))
        if by_name:
            key.append((dict, fingerprint(by_name, kept, 0, self.reach.knows)))
        return None if kept else key


class Began:
    """How errors and warnings were treated when the work on a sample began.

    Where a feature treats them otherwise it may count them: all is computed there.
    """

    def __init__(self) -> None:
        self.now()

    def now(self) -> None:
        """Begin with a sample."""
        self.surroundings = Surroundings()


class Surroundings:
    """What decides how errors and warnings are treated."""

    def __init__(self) -> None:
        self._filters: Any = warnings.filters
        self._copied = list(warnings.filters)
        self._context = copy_context()

    def are_here(self) -> bool:
        """Return whether they are those of now."""
        filters: Any = warnings.filters
        if filters is not self._filters or filters != self._copied:
            return False
        try:
            return self._context == copy_context()
        except (TypeError, ValueError):  # of values that cannot be compared
            return False


def copier(
    value: Any, others: tuple[Any, ...], reach: Reach
) -> Callable[[], Any] | None:
    """Return what makes copies of a value; None if there cannot be any.

    A copy is laid out as the value is, and no part of it is a part of anything else.

    `others`: what the value must not be a part of.
    """
    if is_constant(value):
        return lambda: value
    parts = value if type(value) is tuple else (value,)
    if _overlap(_all_changeable(parts, reach), _all_changeable(others, reach)):
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
    copied = values.copy("K")
    if copied.strides == values.strides:
        return copied.copy if copied.flags.c_contiguous else partial(copied.copy, "K")
    apart = _copied_apart(values)
    return None if apart is None else partial(_copied_apart, apart)


def _copied_apart(values: Any) -> np.ndarray | None:
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
    parts = _changeable(value, reach)
    if kept or any(isinstance(part, FunctionType | np.void) for part in parts):
        return None  # a function has an identity, a row is a part of its table
    copied = copy.deepcopy(value)
    is_alike = fingerprint(copied, kept, 0, reach.knows) == key
    return partial(copy.deepcopy, copied) if is_alike else None


def _all_changeable(values: Iterable[Any], reach: Reach) -> list[Any]:
    found: list[Any] = []
    for value in values:
        if type(value) is np.ndarray and not value.dtype.hasobject:
            found.append(value)
        elif not is_constant(value):
            found += _changeable(value, reach)
    return found


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
    for place, one in enumerate(mine):
        is_array = type(one) is np.ndarray
        for other in (*theirs, *mine[:place]) if place else theirs:
            if one is other or (
                is_array
                and isinstance(other, np.ndarray)
                and np.may_share_memory(one, other)
            ):
                return True
    return False
