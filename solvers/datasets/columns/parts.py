"""What a column of each kind becomes, learned from training rows.

Scikit-learn's ``SimpleImputer``, ``OneHotEncoder`` and ``TargetEncoder`` do the same
where every row counts once, and tests hold these parts to them. None of the three takes
row weights, and here a row of weight two is that row written out; which columns they
give hangs on what the training rows hold, while every split of a table has the same
columns; and a ``ColumnTransformer`` of one part a column takes 20 times as long, of
which whoever moves a slider sees all.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from ...checks import row_weights
from ...numerics.arrays import Floats, Integers, Mask
from ...numerics.cuts import weighted_median
from ...numerics.inner_folds import deal_folds, left_out, stratified
from .coding import date_part
from .schema import Column

# Single precision holds numbers whose distance from zero is no more than so many times
# what they span.
_RESOLVED = 1e4
_MOST_SINGLE = 1e30


class ColumnPart(ABC):
    """What a column becomes.

    It learns from codes that are `there`, and of how many rows each of them counts,
    shapes (n_there,). Values of fewer rows than `rare` share a column.
    """

    def __init__(self, column: Column, there: Floats, times: Floats, rare: int) -> None:
        self.column = column
        self.unseen = unseen_ranges(column, there)
        self.frequent = _value_counts(column, there, times)[:-1] >= rare
        self.fill = self._filling(there, times) if len(there) else 0.0

    def _filling(self, there: Floats, times: Floats) -> float:
        """Return what stands for a gap."""
        return weighted_median(there, times)

    @property
    def stand_in(self) -> float | None:
        """The code that a gap is taken for; None where it is no value."""
        return self.fill

    @property
    def tells_gaps(self) -> bool:
        """Whether a column tells where there is no value."""
        return self.column.has_gaps and self.column.gaps != "drop"

    @property
    def names(self) -> list[str]:
        """Names of the columns that it becomes."""
        missing = [f"{self.column.name} is missing"] if self.tells_gaps else []
        return [*self._names(), *missing]

    def encode(self, codes: Floats) -> Floats:
        """Return the columns that codes become, (n_rows,) -> (n_rows, n_names)."""
        gaps = np.isnan(codes)
        block = self._values(codes, gaps)
        return np.column_stack([block, gaps]) if self.tells_gaps else block

    def _names(self) -> list[str]:
        return [self.column.name]

    @abstractmethod
    def _values(self, codes: Floats, gaps: Mask) -> Floats: ...


class NumberPart(ColumnPart):
    """A number: where it is missing the median, or a number beneath all others."""

    def _filling(self, there: Floats, times: Floats) -> float:
        if self.column.gaps == "value":  # by a tenth of what they span
            return float(there.min() - 0.1 * (there.max() - there.min() or 1.0))
        return weighted_median(there, times)

    @property
    def tells_gaps(self) -> bool:
        """Whether a column tells where there is no value."""
        # A number beneath all others says by itself that it stands for a gap.
        return super().tells_gaps and self.column.gaps == "fill"

    def _values(self, codes: Floats, gaps: Mask) -> Floats:
        return np.where(gaps, self.fill, codes)[:, None]


class DatePart(ColumnPart):
    """Parts of a date, or of a time of day; those of the median where it is missing."""

    def __init__(self, column: Column, there: Floats, times: Floats, rare: int) -> None:
        super().__init__(column, there, times, rare)
        self.latest = float(there.max()) if len(there) else 0.0

    @property
    def stand_in(self) -> float | None:
        """None: its parts are those of the day in the middle."""
        return None

    def _names(self) -> list[str]:
        return [f"{self.column.name} ({part})" for part in self.column.parts]

    def _values(self, codes: Floats, gaps: Mask) -> Floats:
        filled = np.where(gaps, self.fill, codes)
        return np.column_stack(
            [date_part(part, filled, self.latest) for part in self.column.parts]
        )


class ListedPart(ColumnPart):
    """A value of a list as its place there: of two, or of some in an order."""

    def _filling(self, there: Floats, times: Floats) -> float:
        """Return the most frequent value, or the first one."""
        if self.column.gaps == "value":
            return 0.0
        return float(_value_counts(self.column, there, times)[:-1].argmax())

    def _names(self) -> list[str]:
        column = self.column
        is_one_of_two = column.kind != "ordered" and len(column.values) == 2
        return [f"{column.name}={column.values[1]}" if is_one_of_two else column.name]

    def _values(self, codes: Floats, gaps: Mask) -> Floats:
        # A value of none of a short list is as good as not known.
        unknown = gaps | (codes >= len(self.column.values))
        return np.where(unknown, self.fill, codes)[:, None]


class HotPart(ListedPart):
    """A column for each value of a list, and one for rare values and all others."""

    @property
    def stand_in(self) -> float | None:
        """The code that a gap is taken for, unless it is none of the values."""
        return None if self.column.gaps == "value" else self.fill

    def _names(self) -> list[str]:
        values = [*self.column.values, "other"]
        return [f"{self.column.name}={value}" for value in values]

    def _values(self, codes: Floats, gaps: Mask) -> Floats:
        own = self.column.gaps == "value"
        filled = codes if own else np.where(gaps, self.fill, codes)
        hot = filled[:, None] == np.flatnonzero(self.frequent)
        block = np.zeros((len(codes), len(self.column.values) + 1))
        block[:, :-1][:, self.frequent] = hot
        block[:, -1] = ~hot.any(axis=1) & ~np.isnan(filled)
        return block


class MeanPart(ListedPart):
    """The mean of the label over the training rows of a value; a gap is a value."""

    means: Floats  # (n_values + 2, n_outputs) the last ones of others and of gaps

    def fit(self, codes: Floats, rows: LabelledCounts, there: Mask) -> Floats:
        """Learn, and return training rows by the labels of others.

        `there`: which rows count, shape (n_rows,). Shape: (n_rows, n_outputs).
        """
        levels, n_levels = self._levels(codes), len(self.column.values) + 2
        self.means = rows.means(levels[there], n_levels)
        crossed = self.means[levels]
        crossed[there] = rows.crossed(levels[there], n_levels)
        return crossed

    @property
    def tells_gaps(self) -> bool:
        """No column does: a gap has a mean of its own."""
        return False

    @property
    def stand_in(self) -> float | None:
        """None: a gap is taken for no other value."""
        return None

    def _names(self) -> list[str]:
        return [f"{self.column.name} (mean of the label)"] * self.means.shape[1]

    def _values(self, codes: Floats, gaps: Mask) -> Floats:
        return self.means[self._levels(codes)]

    def _levels(self, codes: Floats) -> Integers:
        n_values = len(self.column.values)
        return np.where(np.isnan(codes), n_values + 1, codes).astype(int)


def part_of(column: Column, codes: Floats, counts: Floats, rare: int) -> ColumnPart:
    """Return what a column becomes, as training rows tell.

    Shapes: `codes` and `counts`, how many rows each row counts, (n_rows,). A value of
    fewer rows than `rare` is a rare one; of buckets of texts none is.
    """
    there, times = there_and_times(codes, counts)
    least = 1 if column.kind == "hashed" else rare
    return _class_of(column)(column, there, times, least)


def _class_of(column: Column) -> type[ColumnPart]:
    if column.kind == "number":
        return NumberPart
    if column.kind in ("date", "time"):
        return DatePart
    is_taken = column.kind in ("category", "code", "ordered")
    if is_taken and column.encoding == "mean of the label":
        return MeanPart
    return ListedPart if _fits_one_number(column) else HotPart


def _fits_one_number(column: Column) -> bool:
    return column.kind in ("yes/no", "ordered") or len(column.values) == 2


def there_and_times(codes: Floats, counts: Floats) -> tuple[Floats, Floats]:
    """Return the codes of a column without its gaps, and how many rows each counts."""
    is_there = ~np.isnan(codes) & (counts > 0)
    return codes[is_there], counts[is_there]


def keeps_in_single(there: Floats) -> bool:
    """Whether single precision resolves what a column's values differ by."""
    if not len(there):
        return True
    low, high = there.min() / 2, there.max() / 2  # halves: differences overflow
    return bool(max(-low, high) <= min(_RESOLVED * (high - low), _MOST_SINGLE))


def unseen_ranges(column: Column, there: Floats) -> Floats:
    """Return between which bounds lie codes such as no row held, shape (n_ranges, 2).

    `there`: codes of the rows without gaps, shape (n_there,). Of words, those of none;
    of dates whose age counts, those further outside than all of them span.
    """
    if column.kind == "date" and "age" in column.parts and len(there):
        first, last = there.min(), there.max()
        return np.array([[-np.inf, 2 * first - last], [2 * last - first, np.inf]])
    if not column.is_listed or column.kind == "hashed":
        return np.zeros((0, 2))
    is_unseen = _value_counts(column, there) == 0
    if _fits_one_number(column):  # a listed value is a number, and stays it
        is_unseen[:-1] = False
    ranges = np.flatnonzero(is_unseen)[:, None] + [-0.5, 0.5]
    ranges[ranges > len(column.values)] = np.inf  # behind the list is no word
    return ranges


def _value_counts(column: Column, there: Floats, times: Floats | None = None) -> Floats:
    """Return in how many rows each listed value stands; last, one that is not listed.

    Shape: (n_values + 1,).
    """
    if not column.is_listed:
        return np.zeros(len(column.values) + 1)
    counts = np.bincount(there.astype(int), times, len(column.values) + 1)
    return np.asarray(counts, dtype=float)


_FOLDS = 2


def counted_rows(sample_weight: Any, n_rows: int) -> Floats:
    """Return how many rows each row counts, shape (n_rows,)."""
    weights = row_weights(sample_weight, n_rows)
    # Of shares of the whole every value would be rare.
    return weights * max(1.0, 1.0 / weights[weights > 0].mean())


class LabelledCounts:
    """Labels of rows, how many rows each of them counts, and folds of them.

    Shapes: `y`, `counts`, above 0, and `groups` (n_rows,).
    `groups`: which rows belong together; no fold tears a group.
    """

    def __init__(self, y: Any, counts: Floats, groups: Integers | None) -> None:
        classes, codes = np.unique(np.asarray(y), return_inverse=True)
        # Of two classes the share of the second says all.
        outputs = np.arange(1, 2) if len(classes) <= 2 else np.arange(len(classes))
        self._targets: Floats = (codes[:, np.newaxis] == outputs).astype(float)
        self._codes, self._counts, self._groups = codes, counts, groups

    def means(self, levels: Integers, n_levels: int) -> Floats:
        """Return what each value of a column becomes, the mean of all if no row has it.

        Shapes: `levels`, the place of each row's value, (n_rows,) -> (n_levels,
        n_outputs): one output for two classes, one a class for more.
        """
        return self._means(levels, n_levels, np.arange(len(levels)))

    def crossed(self, levels: Integers, n_levels: int) -> Floats:
        """Return what rows become by the other rows' labels, (n_rows, n_outputs)."""
        folds = deal_folds(
            self._codes,
            _FOLDS,
            0,
            self._groups,
            freely=stratified,
            keep_classes=False,
        )
        encoded = np.empty((len(levels), self._targets.shape[1]))
        for learned, held in left_out(folds):
            encoded[held] = self._means(levels, n_levels, learned)[levels[held]]
        return encoded

    def _means(self, levels: Integers, n_levels: int, rows: Integers) -> Floats:
        if not len(rows):  # of one group there are no others: nothing is told
            share = self._counts @ self._targets / self._counts.sum()
            return np.tile(share, (n_levels, 1))
        at, counts = levels[rows], self._counts[rows]
        return np.column_stack(
            [_smoothed(at, n_levels, of[rows], counts) for of in self._targets.T]
        )


def _smoothed(
    levels: Integers, n_levels: int, target: Floats, counts: Floats
) -> Floats:
    """Return the mean of a target at each level, drawn towards that of all rows.

    Shapes: `levels`, `target` and `counts` (n_rows,) -> (n_levels,).
    """
    total = counts.sum()
    mean = float(counts @ target) / total
    variance = float(np.sum(counts * (target - mean) ** 2)) / total
    n_rows = np.bincount(levels, counts, n_levels)
    with np.errstate(invalid="ignore"):  # 0 / 0 where no row is, or all are alike
        means = np.bincount(levels, counts * target, n_levels) / n_rows
        squares = np.bincount(levels, counts * (target - means[levels]) ** 2, n_levels)
        # Micci-Barreca 2001, eqs. (5) and (6).
        trust = variance * n_rows / (variance * n_rows + squares / n_rows)
        smoothed = trust * means + (1 - trust) * mean
    return np.where(np.isnan(trust), mean, smoothed)
