"""When two values are alike, to the last bit: as keys, and side by side."""

from __future__ import annotations

import dataclasses
import functools
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from hashlib import blake2b
from typing import Any

import numpy as np

__all__ = [
    "alike",
    "closure_of",
    "fingerprint",
    "is_read_once",
    "original_of",
    "standing_for",
]

DEPTH = 12  # containers in containers deeper than this count as opaque
_ORIGINAL = "stands_for"
_BY_VALUE = (type(None), bool, int, str, bytes, range, type(Ellipsis))


def standing_for(original: Any) -> Callable[[Any], Any]:
    """Make a function a stand-in: it looks like the original, and is known by it.

    A mark of our own beside `functools.wraps`: what a person has decorated is wrapped,
    too, and is another function than the one inside it.
    """

    def mark(stand_in: Any) -> Any:
        functools.update_wrapper(stand_in, original)
        stand_in.__dict__[_ORIGINAL] = original
        return stand_in

    return mark


def original_of(function: Any) -> Any:
    """Return what a stand-in stands for, and any other function as it is."""
    return getattr(function, _ORIGINAL, function)


def fingerprint(value: Any, kept: list[Any], depth: int = 0) -> Any:
    """Return a hashable key that two values share if no function can tell them apart.

    What cannot be looked into is known by its identity alone: it is put into `kept`,
    which has to live as long as keys are compared.
    """
    kind = type(value)
    if kind in _BY_VALUE:
        return kind, value
    if kind in (float, complex):
        return kind, np.asarray(value).tobytes()  # tells -0.0 from 0.0
    if isinstance(value, np.generic) and value.dtype.kind != "O":
        return kind, value.dtype.str, value.tobytes()
    if depth < DEPTH:
        if kind is np.ndarray:
            return _of_array(value, kept, depth)
        parts = _parts(value)
        if parts is not None:
            # Functions hold functions that hold them: less deep into those.
            below = depth + (4 if kind is types.FunctionType else 1)
            return kind, *(fingerprint(part, kept, below) for part in parts)
    kept.append(value)
    return kind, id(value)


def _of_array(array: np.ndarray, kept: list[Any], depth: int) -> Any:
    # The strides are a part of it: the last bit of a sum depends on them.
    layout = (np.ndarray, array.shape, array.dtype.str, array.strides)
    if array.dtype.hasobject:
        return *layout, fingerprint(array.tolist(), kept, depth + 1)
    return *layout, blake2b(array.tobytes(), digest_size=16).digest()


def _parts(value: Any) -> list[Any] | None:
    """Return all that a value is made of; None for what cannot be looked into."""
    kind = type(value)
    if isinstance(value, list | tuple):
        return list(value)
    if isinstance(value, set | frozenset):
        return sorted(value, key=repr)
    if kind is dict:
        return [*value.keys(), *value.values()]
    if kind is slice:
        return [value.start, value.stop, value.step]
    if kind is functools.partial:
        return [value.func, value.args, value.keywords]
    if kind is types.FunctionType:
        return _parts_of_function(value)
    if kind.__module__.split(".")[0] == "pandas" and hasattr(value, "to_numpy"):
        return _parts_of_table(value)
    if dataclasses.is_dataclass(value) and hasattr(value, "__dict__"):
        return [dict(vars(value))]
    return None


def _parts_of_function(function: types.FunctionType) -> list[Any]:
    # A stand-in is known by what it stands for.
    function = original_of(function)
    if not isinstance(function, types.FunctionType):
        return [function]
    held = closure_of(function)
    return [function.__code__, held, function.__defaults__, function.__kwdefaults__]


def closure_of(function: types.FunctionType) -> dict[str, Any]:
    """Return what a function holds of those around it, so far as it is there yet."""
    held = {}
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    for name, cell in cells:
        with suppress(ValueError):  # not filled yet
            held[name] = cell.cell_contents
    return held


def _parts_of_table(table: Any) -> list[Any]:
    if hasattr(table, "columns"):
        columns = [table[name].to_numpy() for name in table.columns]
        return [table.index.to_numpy(), table.columns.to_numpy(), *columns]
    index = getattr(table, "index", None)
    return [None if index is None else index.to_numpy(), table.to_numpy()]


def alike(one: Any, other: Any) -> bool:
    """Return whether two values have the same fingerprint, in as little time."""
    if one is other:
        return True
    kind = type(one)
    if kind is not type(other):
        return False
    if kind is np.ndarray and not one.dtype.hasobject:
        return (
            one.shape == other.shape
            and one.dtype == other.dtype
            and one.strides == other.strides
            and one.tobytes() == other.tobytes()
        )
    if kind in _BY_VALUE:
        return bool(one == other)
    kept: list[Any] = []
    return bool(fingerprint(one, kept) == fingerprint(other, kept))


def is_read_once(value: Any) -> bool:
    """Return whether a value is used up by who reads it, as a generator is."""
    return isinstance(value, Iterator) and not isinstance(value, Mapping)
