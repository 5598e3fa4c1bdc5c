"""What is known of the rows of a table beside their features."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError, shown
from ..numerics.arrays import Floats, Integers

PARTS = ("train", "validation", "test")
_STRETCHES = 20  # of time, each dealt to one fold
_NEARLY_ALL = 0.9  # of the rows are groups of their own: nothing is kept together


@dataclass(frozen=True, eq=False)
class RowRoles:
    """Which rows belong together, which come first, which count more: (n_rows,)."""

    # Rows of one group, as of one patient, never stand on both sides of a split.
    group: Integers | None = None
    time: Floats | None = None  # Earlier rows train, later ones test
    # "train", "validation" or "test": where each row belongs, whatever the seed. Where
    # none validates, some of those that train are drawn for it.
    part: NDArray[np.str_] | None = None
    weight: Floats | None = None  # In learning and in scores; positive

    def __post_init__(self) -> None:
        given = self._given()
        if len({values.shape for values in given.values()}) > 1:
            shapes = {name: values.shape for name, values in given.items()}
            raise DataError(f"The roles of rows have shapes {shapes}; give equal ones.")
        ways = [name for name in given if name != "weight"]
        if "time" in ways and len(ways) > 1:
            raise DataError(
                f"Rows are to be split by {' and '.join(ways)}; choose one."
            )
        if self.weight is not None:
            wrong = np.flatnonzero(~((self.weight > 0) & np.isfinite(self.weight)))
            if wrong.size:
                raise DataError(
                    f"The weight of row {wrong[0] + 1} is {self.weight[wrong[0]]:g}; "
                    "give positive, finite weights."
                )
        if self.part is not None:
            odd = sorted(set(self.part.tolist()) - set(PARTS))
            absent = [part for part in ("train", "test") if part not in self.part]
            if odd or absent:
                what = f"{shown(odd[0])}" if odd else f"no {absent[0]}"
                raise DataError(
                    f"The column of parts holds {what}; write train, test or "
                    "validation in every row, the first two at least once."
                )

    def _given(self) -> dict[str, NDArray]:
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: values for name, values in found.items() if values is not None}

    def together(self, rows: Any = slice(None)) -> Integers | None:
        """Return which of some rows no fold within training may part.

        Those of a group; of rows in order of time those of one of twenty stretches of
        it: neighbours are alike, and a fold of scattered rows would know their answers.
        None where rows may be dealt freely.
        """
        if self.group is not None:
            return self.group[rows]
        if self.time is None:
            return None
        return (placed_moments(self.time[rows]) * _STRETCHES).astype(int)

    def arrays(self) -> tuple[NDArray, ...]:
        """Return the roles that are given."""
        return tuple(self._given().values())

    def doubts(self) -> Iterator[str]:
        """Yield why the roles may not do what they are meant to, in a sentence each."""
        if self.group is None:
            return
        n_groups, n_rows = len(np.unique(self.group)), len(self.group)
        if n_groups > _NEARLY_ALL * n_rows:
            yield (
                f"Nearly every row is a group of its own ({n_groups} groups of "
                f"{n_rows} rows): splitting by them keeps next to nothing together; "
                "name the column whose values several rows share."
            )


def placed_moments(time: Floats) -> Floats:
    """Return where each row stands between the first, 0, and the last, 1, (n_rows,).

    Rows of one moment stand together, in the middle of those that are as many.
    """
    _, places, counts = np.unique(time, return_inverse=True, return_counts=True)
    middle = (np.cumsum(counts) - counts / 2) / len(time)
    return np.asarray(middle[places])
