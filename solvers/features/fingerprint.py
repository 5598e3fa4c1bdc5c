"""When two values are alike, to the last bit and to all that code can ask of them."""

from __future__ import annotations

import array
import datetime
import decimal
import enum
import fractions
import functools
import re
import struct
import types
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from hashlib import blake2b
from types import MethodType
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

# What is called in place of a function and passes for it.


class Double:
    """Is called in place of a function; code can tell them apart by `is` alone.

    It is equal to the function and as hashable, an instance of its class, and has its
    attributes: those that are read and those that are set are the function's own. It is
    copied and pickled as the function.

    `original`: the function.
    `call`: what is called.
    """

    __slots__ = ("_call", "_original")

    def __init__(self, original: Any, call: Callable[..., Any]) -> None:
        object.__setattr__(self, "_original", original)
        object.__setattr__(self, "_call", call)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        return self._call(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._original, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._original, name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self._original, name)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        is_method = instance is not None and hasattr(self._original, "__get__")
        return MethodType(self, instance) if is_method else self

    def __eq__(self, other: object) -> bool:
        return bool(self._original == original_of(other))

    def __hash__(self) -> int:
        return hash(self._original)

    def __repr__(self) -> str:
        return repr(self._original)

    def __reduce__(self) -> tuple[Any, ...]:
        return original_of, (self._original,)

    __class__ = property(lambda self: type(self._original))
    __doc__ = property(lambda self: self._original.__doc__)
    __module__ = property(lambda self: self._original.__module__)


def standing_for(original: Any) -> Callable[[Callable[..., Any]], Any]:
    """Make what is called in place of a function its double."""
    return lambda call: Double(original, call)


def original_of(function: Any) -> Any:
    """Return what a double stands for, and anything else as it is."""
    is_double = type(function) is Double
    return object.__getattribute__(function, "_original") if is_double else function


# When two values are alike, to the last bit and to all that code can ask of them.


DEPTH = 12  # containers in containers deeper than this count as opaque
# In one value. What holds more, as all that runs in a process does, counts as opaque.
MOST_OPAQUE = 1000
MOST_PARTS = 100_000
#: Whether what a class or a code does is known.
Knows: TypeAlias = Callable[[Any], bool]

_BY_VALUE = frozenset({type(None), bool, int, str, bytes, type(Ellipsis)})
# Nothing in them can be changed; most are equal to themselves alone.
_BY_THEMSELVES = frozenset(
    {
        np.ufunc,
        re.Pattern,
        types.CodeType,
        types.GenericAlias,
        type(NotImplemented),
        type(pd.NA),
        type(pd.NaT),
        type(np.mean),
    }
)
_PLAIN = _BY_VALUE | {float, complex}
_BY_WORDS = frozenset(
    {datetime.date, datetime.timedelta, decimal.Decimal, fractions.Fraction}
)
_FLAGS = 0x0100 | 0x0400  # of an array that code can ask for: aligned, writeable
_OURS = ("__getstate__", "__reduce__", "__reduce_ex__")


class Budget:
    """How many parts may be looked into yet; negative where that was not enough."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = MOST_PARTS


def fingerprint(
    value: Any,
    kept: list[Any],
    depth: int = 0,
    knows: Knows | None = None,
    budget: Budget | None = None,
) -> Any:
    """Return a hashable key that two values share if no function can tell them apart.

    What cannot be looked into is known by its identity alone: it is put into `kept`,
    which has to live as long as keys are compared.

    `knows`: which functions and classes of values may be looked into, all by default;
    with it, arrays stand in the key whole and not as a digest.
    `budget`: what several values share; each has one of its own by default.
    """
    own: list[Any] = []  # what is opaque is counted for each value
    key = _key_of(value, own, depth, knows, budget or Budget())
    kept += own
    return key


def _key_of(
    value: Any, kept: list[Any], depth: int, knows: Knows | None, budget: Budget
) -> Any:
    kind = type(value)
    if kind is np.ndarray and depth < DEPTH:
        return _of_array(value, kept, depth, knows, budget)
    if kind in _BY_VALUE:
        return kind, value
    if kind is Double:  # it is known by what it stands for
        return _key_of(original_of(value), kept, depth, knows, budget)
    if is_constant(value):
        return _of_constant(value)
    if kind is list or kind is tuple:
        key = _of_alike_items(value)
        if key is not None:
            return key
    if isinstance(value, np.void) and not value.dtype.hasobject:
        return kind, _of_dtype(value.dtype), value.tobytes()
    if depth < DEPTH and len(kept) < MOST_OPAQUE and budget.left >= 0:
        parts = parts_of(value, knows)
        if parts is not None:
            budget.left -= len(parts)
            # Functions hold functions that hold them: less deep into those.
            below = depth + (4 if kind is types.FunctionType else 1)
            return kind, *(_key_of(one, kept, below, knows, budget) for one in parts)
    kept.append(value)
    return kind, id(value)


def is_constant(value: Any) -> bool:
    """Return whether nothing in a value can be changed."""
    kind: Any = type(value)
    if kind is types.BuiltinFunctionType:
        return isinstance(value.__self__, types.ModuleType | None)
    return _is_constant_kind(kind)


@functools.lru_cache(maxsize=4096)
def _is_constant_kind(kind: Any) -> bool:
    if kind in _PLAIN or kind in _BY_THEMSELVES or kind in _BY_WORDS or kind is _Same:
        return True
    # A row of a table is a view of it.
    is_number = issubclass(kind, np.generic) and not issubclass(kind, np.void)
    return (is_number or issubclass(kind, np.dtype)) and kind.__module__ == "numpy"


def _of_constant(value: Any) -> Any:
    kind = type(value)
    if kind is float:
        return kind, struct.pack("d", value)  # tells -0.0 from 0.0
    if kind is complex:
        return kind, struct.pack("dd", value.real, value.imag)
    if isinstance(value, np.generic):
        return kind, _of_dtype(value.dtype), value.tobytes()
    if isinstance(value, np.dtype):
        return kind, _of_dtype(value)
    return kind, repr(value) if kind in _BY_WORDS else value


def _of_dtype(dtype: np.dtype[Any]) -> Any:
    # Equal types may have other numbers, or fields that are aligned otherwise.
    if dtype.isbuiltin == 1 and dtype.metadata is None:
        return dtype.num
    return dtype, dtype.num, repr(dtype), repr(dtype.metadata)


def _of_array(
    values: np.ndarray,
    kept: list[Any],
    depth: int,
    knows: Knows | None,
    budget: Budget,
) -> Any:
    kind = _of_dtype(values.dtype)
    if values.dtype.hasobject:
        content = _key_of(values.tolist(), kept, depth + 1, knows, budget)
        return kind, values.shape, values.strides, values.flags.num & _FLAGS, content
    key = bytes_of_array(values)
    if knows is None:
        return kind, *key[1:], blake2b(key[0], digest_size=16).digest()
    return kind, *key


def bytes_of_array(values: np.ndarray) -> tuple[Any, ...]:
    """Return all of an array that has numbers of a plain type."""
    # The strides are a part of it: the last bit of a sum depends on them.
    return (
        values.tobytes(),
        values.dtype.num,
        values.shape,
        values.strides,
        values.flags.num & _FLAGS,
    )


def is_flat(values: Any) -> bool:
    """Return whether a list or tuple holds plain values alone."""
    return set(map(type, values)) <= _PLAIN


def _of_alike_items(values: Any) -> Any:
    """Return the key of items of one plain kind; None for others."""
    kinds = set(map(type, values))
    if len(kinds) != 1:
        return None
    (kind,) = kinds
    if kind is float:
        return type(values), kind, array.array("d", values).tobytes()
    return (type(values), kind, tuple(values)) if kind in _BY_VALUE else None


def parts_of(value: Any, knows: Knows | None = None) -> list[Any] | None:
    """Return all that a value is made of; None for what cannot be looked into."""
    kind = type(value)
    parts = _PARTS.get(kind)
    if parts is not None:
        return parts(value)
    if kind is types.FunctionType:
        return _parts_of_function(value, knows)
    if isinstance(value, pd.Index | pd.Series | pd.DataFrame | pd.Categorical):
        return _parts_of_table(value)
    if isinstance(value, type):
        return None if knows and not knows(value) else [_Same(value)]
    if kind is types.ModuleType or (knows and not knows(kind)):
        return None
    if isinstance(value, enum.Enum):
        return [value.name, value.value]
    return _parts_of_instance(value, knows)


_PARTS: Mapping[type, Callable[[Any], list[Any] | None]] = {
    list: list,
    tuple: list,
    # In the order of a loop over them, on which the last bit of a sum depends.
    set: list,
    frozenset: list,
    dict: lambda held: [*held.keys(), *held.values()],
    Counter: lambda held: [*held.keys(), *held.values()],
    OrderedDict: lambda held: [*held.keys(), *held.values()],
    types.SimpleNamespace: lambda held: [dict(vars(held))],
    types.MappingProxyType: lambda held: [*held.keys(), *held.values()],
    defaultdict: lambda held: [held.default_factory, *held.keys(), *held.values()],
    deque: lambda held: [held.maxlen, *held],
    slice: lambda cut: [cut.start, cut.stop, cut.step],
    range: lambda steps: [steps.start, steps.stop, steps.step],
    bytearray: lambda held: [bytes(held)],
    array.array: lambda held: [held.typecode, held.tobytes()],
    functools.partial: lambda call: [call.func, call.args, call.keywords, vars(call)],
    types.MethodType: lambda method: [method.__func__, method.__self__],
}


def _parts_of_function(function: Any, knows: Knows | None) -> list[Any] | None:
    code = function.__code__
    if knows and not knows(code):
        return None
    own = {n: v for n, v in vars(function).items() if n != "__wrapped__"}
    defaults = function.__defaults__, function.__kwdefaults__
    return [code, _Same(function.__globals__), closure_of(function), *defaults, own]


class _Same:
    """Is equal to what holds the very same object."""

    def __init__(self, held: Any) -> None:
        self.held = held

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.held is self.held

    def __hash__(self) -> int:
        return id(self.held)


def closure_of(function: types.FunctionType) -> dict[str, Any]:
    """Return what a function holds of those around it, so far as it is there yet."""
    held = {}
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    for name, cell in cells:
        with suppress(ValueError):  # not filled yet
            held[name] = cell.cell_contents
    return held


def _parts_of_table(table: Any) -> list[Any] | None:
    """Return what a table of pandas, a column or an index of it is made of."""
    if type(table).__module__.partition(".")[0] != "pandas":
        return None  # a class of somebody's own may hold more
    if isinstance(table, pd.DataFrame):
        columns = [table.iloc[:, j] for j in range(table.shape[1])]
        kinds = {column.dtype for column in columns}
        is_plain = len(kinds) == 1 and isinstance(next(iter(kinds)), np.dtype)
        layout = table.to_numpy().strides if is_plain else None
        return [table.columns, table.index, layout, table.attrs, *columns]
    if isinstance(table, pd.RangeIndex):
        return [table.start, table.stop, table.step, table.name]
    if isinstance(table, pd.Categorical):
        return [table.categories, table.codes, table.ordered]
    if isinstance(table, pd.MultiIndex):
        return [list(table.names), *table.levels, *table.codes]
    is_index = isinstance(table, pd.Index)
    about = [table.name, repr(getattr(table, "freq", None))]
    about += [] if is_index else [table.index, table.attrs]
    if isinstance(table.dtype, np.dtype):
        return [*about, table.to_numpy()]
    if isinstance(table.dtype, pd.CategoricalDtype):
        return [*about, table.array]
    return [*about, repr(table.dtype), table.tolist()]


def _parts_of_instance(value: Any, knows: Knows | None) -> list[Any] | None:
    """Return what an instance holds; None where Python does not see all of it."""
    kind: Any = type(value)
    if not _shows_all(kind):
        return None
    try:
        made: Any = object.__reduce_ex__(value, 4)
        _, given, state, items, pairs = made
    except TypeError:  # it holds what only C can see
        return None
    if knows is None and isinstance(state, dict):
        # What it computed when it was first asked is no change of its own.
        state = {
            name: held
            for name, held in state.items()
            if not isinstance(getattr(kind, name, None), functools.cached_property)
        }
    return [given[1:], state, list(items or ()), list(pairs or ())]


def attributes_of(value: Any) -> dict[str, Any] | None:
    """Return the attributes of an instance of a class written in Python; else None."""
    kind: Any = type(value)
    is_own = _shows_all(kind) and kind.__module__ != "builtins"
    return getattr(value, "__dict__", None) if is_own else None


@functools.lru_cache(maxsize=4096)
def _shows_all(kind: Any) -> bool:
    """Return whether instances are looked into without a call of code of their own."""
    looks = type(kind.__getattribute__) is types.WrapperDescriptorType
    own = [name for name in _OURS if getattr(kind, name) is not getattr(object, name)]
    return looks and not own and not hasattr(kind, "__getattr__")


def alike(one: Any, other: Any) -> bool:
    """Return whether two values have the same fingerprint."""
    kept: list[Any] = []
    return bool(fingerprint(one, kept) == fingerprint(other, kept))


def is_read_once(value: Any) -> bool:
    """Return whether a value is used up by who reads it, as a generator is."""
    return isinstance(value, Iterator) and not isinstance(value, Mapping)
