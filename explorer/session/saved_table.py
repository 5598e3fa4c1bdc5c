"""A person's table as text for a session, and back to the last bit."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from solvers import Dataset, to_hif
from solvers.costs.interchange import from_hif
from solvers.datasets import TableSchema
from solvers.datasets.rows import RowRoles
from solvers.errors import InterchangeError

from ..document.reading import Reading
from .checked import demand, packed, unpacked
from .saved_reading import packed_reading, unkept_note

#: Characters that packed rows may take: the most that one message carries.
MAX_PACKED = 12_000_000
MAX_BYTES = 256 * 2**20
MAX_CLASSES = 1_000
MAX_WORDS = 2_000
_ROLES = {"group": (int,), "time": (float,), "part": (str,), "weight": (float,)}
_KEYS = {
    *("key", "name", "rows", "columns", "values", "classes", "labels", "positive"),
    *("source", "costs_note", "fractions", "notes", "hypergraph"),
}
# Of tables of more than numbers, and of those that were read from more columns.
_OPTIONAL = {"schema", "roles", "reading", "unkept"}
# Of the rows that were asked for before: hashing a large table takes a while.
_names: WeakKeyDictionary[Dataset, str] = WeakKeyDictionary()
_BROKEN = "The table of the session is damaged; save the session again."


def table_key(dataset: Dataset) -> str:
    """Return a short name for a data set: the same content, the same name."""
    if dataset not in _names:
        classes, codes = _coded(dataset)
        words = (dataset.name, dataset.source, dataset.notes, dataset.feature_names)
        taken = hashlib.sha256(np.ascontiguousarray(dataset.X, dtype="<f8").tobytes())
        taken.update(codes.tobytes())
        taken.update(repr((classes, _plain(dataset.positive), *words)).encode())
        taken.update(dataset.hypergraph.component_costs.tobytes())
        taken.update(repr((dataset.schema, _roles(dataset))).encode())
        _names[dataset] = taken.hexdigest()[:24]
    return _names[dataset]


def packed_table(
    dataset: Dataset, reading: Reading | None = None
) -> dict[str, Any] | None:
    """Return a data set in the types of JSON, and how it was read.

    None if it is too large to be kept.
    """
    classes, codes = _coded(dataset)
    if dataset.X.nbytes > MAX_BYTES or len(classes) > MAX_CLASSES:
        return None
    values = packed(np.ascontiguousarray(dataset.X, dtype="<f8").tobytes())
    labels = packed(codes.tobytes())
    if len(values) + len(labels) > MAX_PACKED:
        return None
    columns = packed_reading(reading, dataset)
    n_left = MAX_PACKED - len(values) - len(labels)
    if columns is not None and len(columns["left_out"]) > n_left:
        columns = None
    unkept = unkept_note(reading, dataset) if columns is None else None
    return {
        "key": table_key(dataset),
        "name": dataset.name,
        "rows": dataset.n_samples,
        "columns": dataset.n_features,
        "values": values,
        "classes": classes,
        "labels": labels,
        "positive": _plain(dataset.positive),
        "source": dataset.source,
        "costs_note": dataset.costs_note,
        "fractions": list(dataset.fractions),
        "notes": list(dataset.notes),
        "hypergraph": to_hif(dataset.hypergraph),
        **({"schema": dataset.schema.to_json()} if dataset.schema else {}),
        **({"roles": _roles(dataset)} if dataset.roles else {}),
        **({"reading": columns} if columns else {}),
        **({"unkept": unkept} if unkept else {}),
    }


def unpacked_table(given: Any) -> Dataset:
    """Return the data set that somebody's session holds."""
    is_whole = isinstance(given, Mapping) and set(given) - _OPTIONAL == _KEYS
    demand(is_whole, _BROKEN)
    _check_words(given)
    rows, columns = (_count(given[key]) for key in ("rows", "columns"))
    if rows * columns * 8 > MAX_BYTES:
        raise InterchangeError(
            f"The table of the session has {rows:,} rows of {columns:,} columns; at "
            f"most {MAX_BYTES // 2**20} MB are read."
        )
    classes = _classes(given["classes"])
    demand(isinstance(given["positive"], str | int | float | bool | None), _BROKEN)
    labels = _unpacked(given["labels"], rows * 2).view("<u2")
    demand(labels.max(initial=0) < len(classes), _BROKEN)
    values = _unpacked(given["values"], rows * columns * 8).view("<f8")
    return Dataset(
        name=given["name"],
        X=values.reshape(rows, columns).astype(float),
        y=np.array(classes)[labels],
        hypergraph=from_hif(given["hypergraph"]),
        positive=given["positive"],
        source=given["source"],
        costs_note=given["costs_note"],
        fractions=_fractions(given["fractions"]),
        notes=tuple(given["notes"]),
        schema=_schema(given.get("schema")),
        roles=_row_roles(given.get("roles"), rows),
    )


def _roles(dataset: Dataset) -> dict[str, list[Any]]:
    roles = dataset.roles
    found = {name: getattr(roles, name, None) for name in _ROLES}
    return {name: v.tolist() for name, v in found.items() if v is not None}


def _schema(given: Any) -> TableSchema | None:
    if given is None:
        return None
    demand(isinstance(given, str) and len(given) <= MAX_PACKED, _BROKEN)
    return TableSchema.from_json(given)


def _row_roles(given: Any, n_rows: int) -> RowRoles | None:
    if given is None:
        return None
    demand(isinstance(given, Mapping) and set(given) <= set(_ROLES), _BROKEN)
    arrays = {}
    for name, values in given.items():
        demand(isinstance(values, list) and len(values) == n_rows, _BROKEN)
        demand(all(type(value) in _ROLES[name] for value in values), _BROKEN)
        arrays[name] = np.array(values)
    return RowRoles(**arrays)


def _coded(dataset: Dataset) -> tuple[list[Any], NDArray[np.uint16]]:
    classes, codes = np.unique(dataset.y, return_inverse=True)
    return [_plain(value) for value in classes], codes.astype("<u2")


def _unpacked(text: Any, n_bytes: int) -> NDArray[np.uint8]:
    """Return so many bytes, or refuse."""
    demand(isinstance(text, str) and len(text) <= MAX_PACKED, _BROKEN)
    raw = unpacked(text, n_bytes, _BROKEN)
    demand(len(raw) == n_bytes, _BROKEN)
    return np.frombuffer(raw, dtype=np.uint8)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _count(value: Any) -> int:
    demand(type(value) is int and 0 < value < 10**9, _BROKEN)
    return value


def _classes(given: Any) -> list[Any]:
    """Return labels of one type, in order and each once."""
    demand(isinstance(given, list) and 0 < len(given) <= MAX_CLASSES, _BROKEN)
    kinds = {type(value) for value in given}
    demand(len(kinds) == 1 and kinds <= {str, int, float, bool}, _BROKEN)
    demand(kinds != {int} or all(abs(value) < 2**53 for value in given), _BROKEN)
    demand(kinds != {str} or all(map(_is_unicode, given)), _BROKEN)
    demand(given == sorted(set(given)), _BROKEN)
    return given


def _fractions(given: Any) -> tuple[float, float, float]:
    demand(isinstance(given, list) and len(given) == 3, _BROKEN)
    demand(all(type(f) is float and 0 < f < 1 for f in given), _BROKEN)
    demand(abs(sum(given) - 1) <= 1e-6, _BROKEN)
    return given[0], given[1], given[2]


def _check_words(given: Mapping[str, Any]) -> None:
    notes = given["notes"]
    demand(isinstance(notes, list) and len(notes) <= 100, _BROKEN)
    said = (given["source"], given["costs_note"], given.get("unkept", ""), *notes)
    for words in (given["name"], *said):
        demand(isinstance(words, str) and len(words) <= MAX_WORDS, _BROKEN)
        demand(_is_unicode(words), _BROKEN)


def _is_unicode(text: str) -> bool:
    """Whether a text can be written: JSON may hold halves of characters."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)
