"""Data sets cut into rows to train on, to choose on and to report on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold, train_test_split

from .datasets.base import Dataset
from .errors import DataError

__all__ = ["Split", "split_dataset", "split_folds"]


@dataclass(frozen=True, eq=False)
class Split:
    """A data set cut into rows for training, validation and test."""

    dataset: Dataset  # Where the rows come from
    rows: Mapping[str, NDArray[np.int_]]  # Indices of the rows of each part

    def X(self, part: str) -> NDArray[np.float64]:  # noqa: N802 - the field's name
        """Return the rows of a part.

        Shape: (n_rows, n_features).
        """
        return self._tables[part]

    def y(self, part: str) -> NDArray:
        """Return the labels of a part.

        Shape: (n_rows,).
        """
        return self._labels[part]

    @cached_property
    def _tables(self) -> dict[str, NDArray[np.float64]]:
        return {part: self.dataset.X[rows] for part, rows in self.rows.items()}

    @cached_property
    def _labels(self) -> dict[str, NDArray]:
        return {part: self.dataset.y[rows] for part, rows in self.rows.items()}


def split_dataset(dataset: Dataset, random_state: int | None = 0) -> Split:
    """Cut a data set into stratified parts, by its own fractions.

    Parameters
    ----------
    dataset : Dataset
        What to cut.
    random_state : int or None, default=0
        Seed of the shuffle.

    Returns
    -------
    Split

    Raises
    ------
    DataError
        If there are too few rows of a class to put some in every part.
    """
    _, validation_share, test_share = dataset.fractions
    counts = np.unique(dataset.y, return_counts=True)[1]
    if counts.min() * min(dataset.fractions) < 1:
        raise DataError(
            f"The smallest class has {counts.min()} rows; training, validation and "
            f"test need at least {int(np.ceil(1 / min(dataset.fractions)))} in all."
        )
    everything = np.arange(dataset.n_samples)
    train, rest = train_test_split(
        everything,
        test_size=validation_share + test_share,
        stratify=dataset.y,
        random_state=random_state,
    )
    validation, test = train_test_split(
        rest,
        test_size=test_share / (validation_share + test_share),
        stratify=dataset.y[rest],
        random_state=random_state,
    )
    return Split(dataset, {"train": train, "validation": validation, "test": test})


def split_folds(
    dataset: Dataset, n_folds: int = 5, random_state: int | None = 0
) -> tuple[Split, ...]:
    """Cut a data set into folds, each the test rows of one split.

    What is not tested on is cut into training and validation rows in the proportion of
    the data set's own fractions.
    """
    counts = np.unique(dataset.y, return_counts=True)[1]
    if n_folds < 2:
        raise DataError(f"There are {n_folds} folds; cut into 2 or more.")
    if counts.min() < 2 * n_folds:
        raise DataError(
            f"The smallest class has {counts.min()} rows; {n_folds} folds need at "
            f"least {2 * n_folds}."
        )
    return tuple(_folds(dataset, n_folds, random_state))


def _folds(dataset: Dataset, n_folds: int, random_state: int | None) -> Iterator[Split]:
    train_share, validation_share, _ = dataset.fractions
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=random_state)
    for rest, test in folds.split(dataset.X, dataset.y):
        train, validation = train_test_split(
            rest,
            test_size=validation_share / (train_share + validation_share),
            stratify=dataset.y[rest],
            random_state=random_state,
        )
        yield Split(dataset, {"train": train, "validation": validation, "test": test})
