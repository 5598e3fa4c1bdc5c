"""Rows that tell the labels of others: by their names, their groups, their twins."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from ...errors import counted, shown
from ..columns.arrow import words_of
from ..rows import PARTS, RowRoles

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["belonging_notes", "identifier_notes", "part_notes"]

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


def part_notes(roles: RowRoles | None, X: NDArray[np.float64]) -> Iterator[str]:
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


def _rows_again(X: NDArray[np.float64], trained: NDArray[np.bool_]) -> int:
    """Return how many other rows equal a training row, where rows are distinct."""
    from pandas import DataFrame
    from pandas.util import hash_pandas_object

    keys = hash_pandas_object(DataFrame(X), index=False).to_numpy()
    known = np.unique(keys[trained])
    if len(known) < _MOSTLY_DISTINCT * trained.sum():
        return 0  # few values, as of categories alone: equal rows are to be expected
    return int(np.isin(keys[~trained], known).sum())


def _order(values: pa.ChunkedArray) -> NDArray[np.float64] | None:
    """Return the last number in each name; None where one has none."""
    words, places = words_of(values)
    numbers = [_NUMBER.findall(word or "") for word in words]
    if not all(numbers) or (places < 0).any():
        return None
    return np.array([float(found[-1][:15]) for found in numbers])[places]
