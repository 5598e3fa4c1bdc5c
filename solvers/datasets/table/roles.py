"""Columns that say something of the rows: labels, groups, times, parts, weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...errors import DataError, counted, listed, shown
from ...numerics.arrays import Floats, Integers, Mask
from ...values import Beside, guessed_form, yes_no_form
from ..columns.arrow import distinct_values, kind_of, missing_mask, value_of, words_of
from ..columns.coding import coded_column, no_dates
from ..columns.detection import described
from ..columns.leaks import looked_at
from ..columns.schema import Kind
from ..rows import PARTS, RowRoles
from .column_reading import far_dates
from .files import TableFile

if TYPE_CHECKING:
    import pyarrow as pa

MAX_CLASSES = 50
MAX_LABEL = 1000  # characters
MAX_LABELS = 100_000_000  # characters of all rows; an array pads each label


@dataclass(frozen=True, eq=False)
class Labels:
    """The class of each row."""

    # Texts, whole numbers or booleans: the distinct labels, sorted
    classes: tuple[Any, ...]
    # (n_rows,) Which of the classes a row is of; -1 where the label is missing
    codes: Integers

    @cached_property
    def looked_at(self) -> Integers:
        """Some of the rows with a label, as many of each."""
        rows = np.flatnonzero(self.codes >= 0)
        return rows[looked_at(self.codes[rows])]

    def of(self, rows: Mask) -> NDArray:
        """Return the labels of some rows.

        Shapes: `rows` (n_rows,) -> (n_kept,).
        """
        return np.array(self.classes)[self.codes[rows]]

    def positive(self, told: Any, rows: Mask) -> Any:
        """Return which class counts as positive: as told, or the usual one of two."""
        if told is not None:
            return self.find(told)
        found = np.bincount(self.codes[rows], minlength=len(self.classes)).tolist()
        return usual_positive(
            {c: n for c, n in zip(self.classes, found, strict=True) if n}
        )

    def find(self, label: Any) -> Any:
        """Return the class that a person means: itself, or the one written like it."""
        if label is None:
            return None
        for known in self.classes:
            if str(known) == str(label):
                return known
        raise DataError(
            f"No row is labelled {shown(label)}; the positive class is one of "
            f"{listed(self.classes)}."
        )


def usual_positive(counts: Mapping[Any, int]) -> Any:
    """Return which of two labels counts as positive where nobody says so.

    The one that says yes (1 of 0 and 1 or of -1 and 1, true, ja), or else the rarer:
    what one looks for is rare. The second where both are as frequent; None of more
    labels than two.

    Parameters
    ----------
    counts : mapping of object to int
        In how many rows each label stands.

    Returns
    -------
    object
    """
    if len(counts) != 2:
        return None
    first, second = sorted(counts)
    if not isinstance(first, str) and first <= 0 < second:
        return second
    form = yes_no_form([str(first), str(second)])
    if form is not None:
        return second if form.read(str(second)) else first
    return first if counts[first] < counts[second] else second


def labels_of(name: str, column: pa.ChunkedArray) -> Labels:
    """Return the labels that a column holds."""
    kind = kind_of(column)
    if kind in ("empty", "other"):
        what = "no value" if kind == "empty" else "values of another kind"
        raise DataError(
            f"The label column {shown(name)} holds {what}; name a column with the "
            "class of each row."
        )
    words, codes = _encoded(column)
    _refuse_continuous(name, words)
    written = _in_one_type([_plain(word) for word in words])
    classes = sorted({word for word in written if word is not None})
    if len(classes) > MAX_CLASSES:
        raise DataError(
            f"The label column {shown(name)} holds {len(classes):,} distinct values, "
            f"such as {shown(classes[0])}; name a column of {MAX_CLASSES} classes at "
            "most."
        )
    _refuse_long_labels(name, classes, len(codes))
    position = {label: k for k, label in enumerate(classes)}
    class_of = np.array([position.get(word, -1) for word in written], dtype=int)
    return Labels(tuple(classes), class_of[codes])


def _encoded(column: pa.ChunkedArray) -> tuple[list[Any], Integers]:
    """Return the words of a column, None for a missing one, and where they stand."""
    distinct, places = distinct_values(column)
    used, codes = np.unique(places, return_inverse=True)
    return [None if k < 0 else value_of(distinct[int(k)]) for k in used], codes


def _refuse_continuous(name: str, words: list[Any]) -> None:
    parts = [word for word in words if isinstance(word, float) and _is_part(word)]
    if parts:
        raise DataError(
            f"The label column {shown(name)} holds {parts[0]:g}: it is continuous; "
            "name a column of classes, or cut the values into classes first."
        )


def _is_part(number: float) -> bool:
    return number == number and (number % 1 != 0 or abs(number) >= 2**53)


def _plain(word: Any) -> Any:
    """Return a label as text, a whole number or a boolean; None where it is none."""
    if isinstance(word, str):
        return word.strip() or None
    if isinstance(word, float):
        return int(word) if word == word else None
    return word if word is None or isinstance(word, bool | int) else str(word)


def _in_one_type(words: list[Any]) -> list[Any]:
    """Return whole numbers as text where one does not fit into 64 bits."""
    if all(not isinstance(word, int) or abs(word) < 2**63 for word in words):
        return words
    return [None if word is None else str(word) for word in words]


def _refuse_long_labels(name: str, classes: list[Any], n_rows: int) -> None:
    longest = max(classes, key=lambda label: len(str(label)), default="")
    length = len(str(longest))
    if length > MAX_LABEL or length * n_rows > MAX_LABELS:
        raise DataError(
            f"The label column {shown(name)} holds {shown(longest)} of {length:,} "
            f"characters, too long for {n_rows:,} rows; use shorter labels."
        )


def roles_of(uses: Mapping[str, str], file: TableFile, rows: Mask) -> RowRoles | None:
    """Return the roles of some rows, from the columns that were named; None of none."""
    if not uses:
        return None
    found = {}
    for role, name in uses.items():
        values = file.columns[name]
        gaps = np.flatnonzero(missing_mask(values) & rows)
        if gaps.size:
            raise DataError(
                f"Column {shown(name)} (the {role}) holds nothing in row "
                f"{gaps[0] + 1}; fill it, or name another column."
            )
        found[role] = _READERS[role](name, values, file.beside)[rows]
    return RowRoles(**found)


def role_notes(uses: Mapping[str, str], roles: RowRoles | None) -> Iterator[str]:
    """Yield what the columns that were named do to the rows, one sentence each."""
    names = {role: shown(name) for role, name in uses.items()}
    if roles is None:
        return
    if roles.group is not None:
        # Where parts are given, they alone say on which side a row is.
        do = "stay on one side of a split" if roles.part is None else "belong together"
        groups = counted(len(np.unique(roles.group)), "group")
        yield f"Rows that agree in {names['group']} {do}: {groups}."
    if roles.time is not None:
        yield f"Rows are split by {names['time']}: earlier ones train, later ones test."
    if roles.part is not None:
        given = [part for part in PARTS if part in roles.part]
        counts = [f"{(roles.part == part).sum()} {part}" for part in given]
        drawn = (
            "; validation rows are drawn from those that train"
            if "validation" not in given
            else ""
        )
        yield f"Rows are split as {names['part']} says: {', '.join(counts)}{drawn}."
    if roles.weight is not None:
        yield (
            f"Rows count as {names['weight']} says: from {roles.weight.min():g} to "
            f"{roles.weight.max():g}."
        )


def time_notes(uses: Mapping[str, str], file: TableFile, rows: Mask) -> Iterator[str]:
    """Yield in which of some rows the column of times holds dates hardly meant."""
    name = uses.get("time")
    if name is not None and kind_of(file.columns[name]) != "number":
        values = file.columns[name]
        yield from far_dates(name, values, _time(name, values, file.beside), rows)


def _group(name: str, values: pa.ChunkedArray, beside: Beside) -> Integers:
    return words_of(values)[1]


def _part(name: str, values: pa.ChunkedArray, beside: Beside) -> NDArray[np.str_]:
    words, places = words_of(values)
    return np.array([str(word).lower() for word in words])[places]


# By how its words are read; what is none of these is refused as no date.
_KIND_OF_TIMES: Mapping[str, Kind] = {
    "number": "number",
    "duration": "number",
    "time": "time",
}


def _time(name: str, values: pa.ChunkedArray, beside: Beside) -> Floats:
    kind: Kind = "number" if kind_of(values) == "number" else "date"
    if kind_of(values) == "text":
        words, counts = words_of(values).counted()
        form = guessed_form(words, counts, name=name, beside=beside).form
        kind = _KIND_OF_TIMES.get(form.kind if form else "", "date")
    times = coded_column(described(name, kind, values, beside=beside), values)
    if kind == "date" and np.isnan(times[~missing_mask(values)]).any():
        raise no_dates(name, values)
    return times


def _weight(name: str, values: pa.ChunkedArray, beside: Beside) -> Floats:
    weights = np.full(len(values), np.nan)
    if kind_of(values) in ("number", "boolean", "text"):
        column = described(name, "number", values, beside=beside)
        weights = coded_column(column, values)
    odd = np.flatnonzero(np.isnan(weights) & ~missing_mask(values))
    if odd.size:
        cell = shown(str(value_of(values[int(odd[0])])))
        raise DataError(
            f"Column {shown(name)} (the weight) holds {cell} in row {odd[0] + 1}; give "
            "positive numbers."
        )
    return weights


_READERS: Mapping[str, Callable[[str, pa.ChunkedArray, Beside], NDArray]] = {
    "group": _group,
    "time": _time,
    "part": _part,
    "weight": _weight,
}
