"""Values between processes: JSON and buffers, never a pickle.

What comes back from a process that has read a person's file is as good as that file:
reading it here makes arrays, columns and our own dataclasses, whose constructors check
what they are given, and nothing else. Only modules that are loaded already are looked
into.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from solvers.datasets.table.sparse_files import refuse_wild_places

if TYPE_CHECKING:
    import pyarrow as pa

# JSON of more items is read in pieces: in one piece it would hold the interpreter.
PIECE = 10_000
_SCALARS = (type(None), bool, int, float, str)
_OURS = ("solvers.", "explorer.")


def written(value: Any) -> list[Any]:
    """Return a value as a text of JSON and the buffers that it speaks of."""
    parts: list[Any] = [b""]
    parts[0] = json.dumps(_written(value, parts)).encode()
    return parts


def read(parts: Sequence[bytes], *, imports: bool = False) -> Any:
    """Return the value that was written; ValueError where it is none.

    `imports`: whether modules of ours that it speaks of are loaded: by a child alone.
    """
    return _read(json.loads(parts[0]), _Parts(parts, imports))


def _is_record(kind: type) -> bool:
    """Return whether objects are what their fields say: an estimator is not, fitted."""
    return dataclasses.is_dataclass(kind) and not hasattr(kind, "get_params")


# ---------------------------------------------------------------------------- writing


def _written(value: Any, parts: list[Any]) -> Any:
    if type(value) in _SCALARS:
        return value
    if isinstance(value, list | tuple):
        return [type(value).__name__, *_items(value, parts)]
    if isinstance(value, Mapping):
        return _mapping(value, parts)
    if isinstance(value, bytes):
        return ["bytes", _put(value, parts)]
    if isinstance(value, np.ndarray | np.generic):
        return _array(np.asarray(value), parts)
    if isinstance(value, sparse.csr_array):
        inside = (value.data, value.indices, value.indptr)
        return ["csr", list(value.shape), *(_array(part, parts) for part in inside)]
    if isinstance(value, type):
        return ["class", value.__module__, value.__qualname__]
    if _is_record(type(value)):
        fields = [field.name for field in dataclasses.fields(value) if field.init]
        given = _mapping({name: getattr(value, name) for name in fields}, parts)
        return ["object", _written(type(value), parts), given]
    raise TypeError(f"A {type(value).__name__} is not sent between processes.")


def _items(values: Sequence[Any], parts: list[Any]) -> list[Any]:
    """Return the items themselves, or the places of their pieces."""
    if len(values) <= PIECE or any(type(value) not in _SCALARS for value in values):
        return ["items", [_written(value, parts) for value in values]]
    pieces = [values[k : k + PIECE] for k in range(0, len(values), PIECE)]
    return ["pieces", [_put(json.dumps(piece).encode(), parts) for piece in pieces]]


def _mapping(value: Mapping[Any, Any], parts: list[Any]) -> list[Any]:
    import pyarrow as pa

    if value and all(isinstance(item, pa.ChunkedArray) for item in value.values()):
        return ["columns", _put(_ipc(value), parts)]
    keys, values = list(value), list(value.values())
    return ["dict", _written(keys, parts), _written(values, parts)]


def _ipc(columns: Mapping[str, pa.ChunkedArray]) -> pa.Buffer:
    import pyarrow as pa

    table = pa.Table.from_arrays(list(columns.values()), names=list(columns))
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return sink.getvalue()


def _array(array: NDArray, parts: list[Any]) -> list[Any]:
    if array.dtype.hasobject:
        raise TypeError("An array of objects is not sent between processes.")
    # The order of an array decides in which order its numbers are summed.
    order = "F" if array.flags.fnc else "C"
    place = _put(array.tobytes(order), parts)
    return ["array", array.dtype.str, list(array.shape), order, place]


def _put(buffer: Any, parts: list[Any]) -> int:
    parts.append(buffer)
    return len(parts) - 1


# ---------------------------------------------------------------------------- reading


@dataclass(frozen=True)
class _Parts:
    """What was received, the text in front."""

    buffers: Sequence[bytes]
    imports: bool


def _read(given: Any, parts: _Parts) -> Any:
    if not isinstance(given, list):
        return given
    kind, *rest = given
    return _READERS[kind](parts, *rest)


def _read_items(parts: _Parts, how: str, given: list[Any]) -> list[Any]:
    if how == "items":
        return [_read(item, parts) for item in given]
    return [item for place in given for item in json.loads(parts.buffers[place])]


def _read_tuple(*given: Any) -> tuple[Any, ...]:
    return tuple(_read_items(*given))


def _read_dict(parts: _Parts, keys: Any, values: Any) -> dict[Any, Any]:
    return dict(zip(_read(keys, parts), _read(values, parts), strict=True))


def _read_bytes(parts: _Parts, place: int) -> bytes:
    return bytes(parts.buffers[place])


def _read_array(
    parts: _Parts, dtype: str, shape: list[int], order: Any, place: int
) -> Any:
    kind = np.dtype(dtype)
    if kind.hasobject:
        raise ValueError("An array of objects was sent.")
    flat = np.frombuffer(parts.buffers[place], kind).copy()
    return flat.reshape(shape, order=order)[()]


def _read_csr(parts: _Parts, shape: list[int], *inside: Any) -> Any:
    data, indices, indptr = (_read(part, parts) for part in inside)
    found = sparse.csr_array((data, indices, indptr), shape=tuple(shape))
    refuse_wild_places(found)
    return found


def _read_columns(parts: _Parts, place: int) -> dict[str, pa.ChunkedArray]:
    import pyarrow as pa

    with pa.ipc.open_stream(pa.py_buffer(parts.buffers[place])) as stream:
        table = stream.read_all()
    table.validate(full=True)
    return dict(zip(table.column_names, table.columns, strict=True))


def _read_class(parts: _Parts, module: str, name: str) -> type:
    if parts.imports and module.startswith(_OURS):
        importlib.import_module(module)
    found = getattr(sys.modules.get(module), name, None)
    if not module.startswith(_OURS) or not isinstance(found, type):
        raise ValueError(f"{module}.{name} is none of the classes that are sent.")
    return found


def _read_object(parts: _Parts, kind: Any, given: Any) -> Any:
    found: Any = _read(kind, parts)
    if isinstance(found, type) and _is_record(found):
        return found(**_read(given, parts))
    raise ValueError(f"{found} is none of the classes that are sent.")


_READERS: Mapping[str, Callable[..., Any]] = {
    "tuple": _read_tuple,
    "list": _read_items,
    "dict": _read_dict,
    "bytes": _read_bytes,
    "array": _read_array,
    "csr": _read_csr,
    "columns": _read_columns,
    "class": _read_class,
    "object": _read_object,
}
