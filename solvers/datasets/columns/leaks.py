"""Columns and rows that tell the label by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from ...decisions.scores import area_in_order
from ...errors import counted, shown
from ...numerics.arrays import Floats, Integers, Mask
from ..rows import PARTS, RowRoles
from .arrow import words_of
from .schema import Column, TableSchema

if TYPE_CHECKING:
    import pyarrow as pa

LOOKED_AT = 20_000  # rows of all classes: enough to see a leak
SUSPECT = 0.999  # area under the curve of a column alone


def leak_notes(
    schema: TableSchema, codes: Floats, y: NDArray, positive: object
) -> tuple[str, ...]:
    """Return a warning for each column that alone tells the label of nearly every row.

    Numbers and dates tell it by their order, and all values by the share of positive
    rows among the rows that hold them. Of three classes and more each has to be told.
    Of a large table some rows are looked at, as many of each class: an area under the
    curve is of each class by itself.
    """
    rows = looked_at(y)
    codes, y = codes[rows], y[rows]
    classes = np.unique(y)
    told = classes.tolist() if positive is None else [positive]
    # The second of two is told where the first is.
    sides = [y == label for label in (told if len(classes) > 2 else told[-1:])]
    if any(wanted.all() or not wanted.any() for wanted in sides):
        return ()
    notes = []
    for j, column in enumerate(schema):
        auc = min(_told(codes[:, j], wanted, column) for wanted in sides)
        if auc > SUSPECT:
            notes.append(
                f"Column {shown(column.name)} alone tells the label of nearly every "
                f"row (area under the curve {auc:.4f}): if it is only known afterwards "
                "it is a leak; leave it out then."
            )
    return tuple(notes)


def looked_at(y: NDArray) -> Integers:
    """Return rows in which a leak shows, spread evenly over each class.

    Shapes: `y` (n_rows,) -> (n_chosen,).
    """
    if len(y) <= LOOKED_AT:
        return np.arange(len(y))
    classes, places = np.unique(y, return_inverse=True)
    chosen = []
    for k in range(len(classes)):
        rows = np.flatnonzero(places == k)
        n = min(len(rows), max(1, LOOKED_AT // len(classes)))
        chosen.append(rows[np.linspace(0, len(rows) - 1, n).astype(int)])
    return np.sort(np.concatenate(chosen))


def _told(codes: Floats, wanted: Mask, column: Column) -> float:
    """Return the area of a column's values, and of its order where it has one."""
    counts, told = _counted(codes, wanted)
    by_value = _area_by_value(counts, told)
    return by_value if column.is_listed else max(by_value, _area(counts, told))


def _counted(codes: Floats, wanted: Mask) -> tuple[Integers, Integers]:
    """Return how many rows hold each value, and how many of these are wanted.

    In the order of the values; a gap comes before all. Shapes: (n_values,) each.
    """
    values, places, counts = np.unique(codes, return_inverse=True, return_counts=True)
    told = np.bincount(places[wanted], minlength=len(values))
    if np.isnan(values[-1]):  # NumPy has gaps at the end
        return np.roll(counts, 1), np.roll(told, 1)
    return counts, told


def _area_by_value(counts: Integers, told: Integers) -> float:
    """Return the area of the share of wanted rows among those of a value."""
    if len(counts) > counts.sum() / 4:  # values of few rows tell by accident
        return 0.5
    _, places = np.unique(told / counts, return_inverse=True)
    return _area(np.bincount(places, counts), np.bincount(places, told))


def _area(counts: NDArray, told: NDArray) -> float:
    """Return the area under the curve of scores that come in this order, either way.

    `counts`: rows of each score; `told`: those of them that are wanted.
    """
    area = area_in_order(told, counts - told)
    return max(area, 1.0 - area)


_NAMES_ROWS = frozenset({"id", "uuid", "guid"})
_NUMBER = re.compile(r"\d+")
_FAR = 0.1  # from .5, of an area under the curve
_DEVIATIONS = 5.0  # from .5, beyond which no area lies by accident
_MOSTLY_DISTINCT = 0.9  # share of the training rows: equal ones are no accident


def identifier_notes(name: str, values: pa.ChunkedArray, y: NDArray) -> Iterator[str]:
    """Yield a warning of a column that only names the rows, yet ranks their labels.

    Shapes: `values` and `y` (n_rows,).
    """
    order = _order(values)
    if order is None:
        return
    for label in np.unique(y):
        wanted = y == label
        area = float(roc_auc_score(wanted, order))
        n, n_wanted = len(y), int(wanted.sum())
        # Of an order that knows nothing of the labels (Mann and Whitney, 1947).
        deviation = np.sqrt((n + 1) / (12.0 * n_wanted * (n - n_wanted)))
        if abs(area - 0.5) > max(_FAR, _DEVIATIONS * deviation):
            yield (
                f"Column {shown(name)} only names the rows, yet its order tells their "
                f"labels (area under the curve {max(area, 1 - area):.3f}): rows were "
                "gathered class by class, and what else follows their order is a leak."
            )
            return


def belonging_notes(
    columns: dict[str, pa.ChunkedArray], names: Sequence[str], roles: RowRoles | None
) -> Iterator[str]:
    """Yield a warning of each feature that names what several rows belong to.

    `names`: those of the features.
    """
    is_parted = roles is not None and (
        roles.group is not None or roles.time is not None
    )
    for name in names:
        if not _NAMES_ROWS & set(re.split(r"[\W_]+", name.lower())):
            continue
        used, counts = np.unique(words_of(columns[name])[1], return_counts=True)
        shared = int((counts[used >= 0] > 1).sum())
        if shared:
            both = "" if is_parted else ", and stands on both sides of a random split"
            yield (
                f"Column {shown(name)} names what rows belong to ({shared} of its "
                f"values in several rows){both}: a method learns it by heart; give it "
                "as the group, or leave it out."
            )


def part_notes(roles: RowRoles | None, X: Floats) -> Iterator[str]:
    """Yield warnings of given parts that hold groups or rows of the training rows.

    Shape: `X` (n_rows, n_columns).
    """
    if roles is None or roles.part is None:
        return
    trained = roles.part == PARTS[0]
    if roles.group is not None:
        both = np.intersect1d(roles.group[trained], roles.group[~trained])
        if len(both):
            n = int((np.isin(roles.group, both) & ~trained).sum())
            yield (
                f"Training rows and others share {counted(len(both), 'group')} "
                f"({counted(n, 'row')} of validation and test): what is learned of a "
                "group by heart counts as right there; put each group into one part."
            )
    twins = _rows_again(X, trained)
    if twins:
        yield (
            f"Training rows stand again in {counted(twins, 'row')} of validation and "
            "test, equal in every column: a model may know them by heart; drop such "
            "rows."
        )


def _rows_again(X: Floats, trained: Mask) -> int:
    """Return how many other rows equal a training row, where rows are distinct."""
    from pandas import DataFrame
    from pandas.util import hash_pandas_object

    keys = hash_pandas_object(DataFrame(X), index=False).to_numpy()
    known = np.unique(keys[trained])
    if len(known) < _MOSTLY_DISTINCT * trained.sum():
        return 0  # few values, as of categories alone: equal rows are to be expected
    return int(np.isin(keys[~trained], known).sum())


def _order(values: pa.ChunkedArray) -> Floats | None:
    """Return the last number in each name; None where one has none."""
    words, places = words_of(values)
    numbers = [_NUMBER.findall(word or "") for word in words]
    if not all(numbers) or (places < 0).any():
        return None
    return np.array([float(found[-1][:15]) for found in numbers])[places]
