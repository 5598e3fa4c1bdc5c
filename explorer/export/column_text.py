"""What a column that a method learned from is called when it is said aloud."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from solvers import Dataset
from solvers.datasets.columns.coding import decoded_column
from solvers.datasets.columns.encoder import TableEncoder
from solvers.datasets.columns.schema import Column
from solvers.values.rounding import number

# An ordered column of more values is not counted out.
_MOST_VALUES = 12


class ColumnText:
    """Words for the columns of a table as methods see it.

    `encoder`: what made them of the table's own columns; None where they are those.
    """

    def __init__(self, data: Dataset, encoder: TableEncoder | None = None) -> None:
        self._data, self._encoder = data, encoder
        names = data.feature_names if encoder is None else tuple(encoder.names_)
        self._names = names

    def __len__(self) -> int:
        return len(self._names)

    def name(self, j: int) -> str:
        """Return what a column is called in a sum."""
        return self._names[j]

    def labels(self) -> tuple[str, ...]:
        """Return each column as its feature and what it tells of it: "pain: dull"."""
        told = tuple(map(self._label, range(len(self))))
        return told if len(set(told)) == len(told) else self._names

    def _label(self, j: int) -> str:
        column, name = self._column(self.feature(j)), self._names[j]
        if column is None:
            return name
        told = name.removeprefix(column.name)
        parts = {f" ({part})": part for part in column.parts}
        parts |= {"": "", " is missing": "missing"}
        if told.startswith("="):
            parts[told] = _named(told, column)
        if told not in parts:
            return name
        return f"{column.name}: {parts[told]}".removesuffix(": ")

    def feature(self, j: int) -> int:
        """Return which feature a column comes from."""
        return j if self._encoder is None else int(self._encoder.column_of_[j])

    def features(self, columns: Iterable[int]) -> list[int]:
        """Return the features that some columns come from, each once, in order."""
        return sorted({self.feature(j) for j in columns})

    def value(self, feature: int, code: float) -> str:
        """Return what a data set holds of a feature, as the table has it."""
        if np.isnan(code):
            return "not known"
        column = self._column(feature)
        if column is None:
            return number(code)
        told = decoded_column(column, np.array([code]))[0]
        if isinstance(told, np.datetime64):
            return str(told.astype("datetime64[s]")).removesuffix("T00:00:00")
        return told if isinstance(told, str) else number(told)

    def condition(self, j: int) -> str | None:
        """Return when a column is 1; None where it is a number and not 0 or 1."""
        column = self._column(self.feature(j))
        if column is None:
            return None
        told = self._names[j].removeprefix(column.name)
        if told.startswith("="):
            return f"{column.name} is {_named(told, column)}"
        return f"{column.name}{told}" if told.startswith(" is missing") else None

    def readings(self, columns: Iterable[int]) -> list[str]:
        """Return how the features of some columns are read where that is not plain."""
        found = []
        for j in self.features(columns):
            column = self._column(j)
            if column is not None:
                found += [*_counted(column), *self._without_value(j, column)]
        return found

    def _column(self, feature: int) -> Column | None:
        schema = None if self._encoder is None else self._data.schema
        return None if schema is None else schema.columns[feature]

    def _without_value(self, j: int, column: Column) -> list[str]:
        assert self._encoder is not None  # a column stands in a schema
        part = self._encoder.parts_[j]
        code = part.stand_in if column.has_gaps and column.gaps != "drop" else None
        if code is None:
            return []
        taken = column.values[int(code)] if column.is_listed else f"{code:.6g}"
        return [f"Where {column.name} is missing, take {taken}."]


def _named(told: str, column: Column) -> str:
    """Return the value that a column is of, or that it is of all others."""
    value = told.removeprefix("=")
    return value if value in column.values else "another"


def _counted(column: Column) -> list[str]:
    if column.kind != "ordered" or column.encoding == "mean of the label":
        return []
    if len(column.values) > _MOST_VALUES:
        return [f"{column.name} counts from 0 in the order of its values."]
    counts = ", ".join(f"{value} {k}" for k, value in enumerate(column.values))
    return [f"{column.name} counts: {counts}."]
