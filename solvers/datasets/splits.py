"""Training, validation and test rows: by chance, by group, by time, or as given."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import (
    StratifiedGroupKFold,
    StratifiedKFold,
    train_test_split,
)

from ..checks import check_count
from ..costs.hypergraph import FeatureHypergraph
from ..errors import DataError, counted, listed, shown
from ..numerics.arrays import Floats, Integers, Mask
from .base import Dataset
from .columns import TableEncoder
from .columns.encoder import unseen_values
from .freed_memory import LARGE, give_back_memory
from .rows import PARTS, RowRoles, placed_moments

# Rows cut by what is known of them: groups, times, given parts.


_PIECES = 20  # groups are dealt into so many pieces, which then make up the parts


def rows_by_role(
    y: NDArray,
    roles: RowRoles,
    fractions: tuple[float, float, float],
    random_state: int | None,
) -> dict[str, Integers] | None:
    """Return the rows of each part; None where nothing says how to cut."""
    if roles.part is not None:
        rows = _by_part(y, roles, fractions, random_state)
    elif roles.time is not None:
        rows = _by_time(roles.time, fractions)
    elif roles.group is not None:
        rows = _by_group(y, roles.group, fractions, random_state)
    else:
        return None
    _refuse_parts_without_a_class(y, rows)
    return rows


def _by_part(
    y: NDArray,
    roles: RowRoles,
    fractions: tuple[float, float, float],
    random_state: int | None,
) -> dict[str, Integers]:
    """Return the rows as given; where none validates, some that train are drawn."""
    rows = {part: np.flatnonzero(roles.part == part) for part in PARTS}
    if not len(rows["validation"]):
        given = rows["train"]
        group = None if roles.group is None else roles.group[given]
        train, held = _held_back(y[given], group, fractions, random_state)
        rows |= {"train": given[train], "validation": given[held]}
    return rows


def _held_back(
    y: NDArray,
    group: Integers | None,
    fractions: tuple[float, float, float],
    random_state: int | None,
) -> tuple[Integers, Integers]:
    """Return which rows train and which validate; no group is on both sides."""
    n_folds = max(2, round(sum(fractions[:2]) / fractions[1]))
    n_least = int(np.unique(y, return_counts=True)[1].min())
    n_units = n_least if group is None else min(n_least, len(np.unique(group)))
    if n_units < n_folds:
        what = counted(n_units, "row" if n_units == n_least else "group")
        what += " of the rarest class" * (n_units == n_least)
        raise DataError(
            f"No row is given for validation, and only {what} train; write "
            f"validation in some rows, or give at least {n_folds} to draw from."
        )
    folds: StratifiedKFold | StratifiedGroupKFold = (
        StratifiedKFold(n_folds, shuffle=True, random_state=random_state)
        if group is None
        else StratifiedGroupKFold(n_folds, shuffle=True, random_state=random_state)
    )
    return next(folds.split(y, y, group))


def _by_time(
    time: Floats, fractions: tuple[float, float, float]
) -> dict[str, Integers]:
    """Return rows in order of time; rows of one moment stay together."""
    n_moments = len(np.unique(time))
    if n_moments < len(PARTS):
        raise DataError(
            f"The column of times holds {counted(n_moments, 'distinct time')}; "
            "training, validation and test need one each."
        )
    # The middle of a moment's rows says on which side of a cut they fall.
    part = np.searchsorted(np.cumsum(fractions)[:2], placed_moments(time))
    return {name: np.flatnonzero(part == k) for k, name in enumerate(PARTS)}


def _by_group(
    y: NDArray,
    group: Integers,
    fractions: tuple[float, float, float],
    random_state: int | None,
) -> dict[str, Integers]:
    n_groups = len(np.unique(group))
    if n_groups < len(PARTS):
        raise DataError(
            f"The column of groups holds {counted(n_groups, 'group')}; training, "
            "validation and test need one each."
        )
    n_pieces = min(_PIECES, n_groups)
    dealt = StratifiedGroupKFold(n_pieces, shuffle=True, random_state=random_state)
    pieces = [test for _, test in dealt.split(y, y, group)]
    # Each part gets one piece; then the part that lacks most rows gets the next.
    wanted = np.array(fractions) * len(y)
    parts: list[list[Integers]] = [[], [], []]
    for piece in sorted(pieces, key=len, reverse=True):
        held = np.array([sum(map(len, part)) for part in parts])
        empty = [k for k in range(3) if not parts[k]]
        lacking = empty[0] if empty else int(np.argmax(wanted - held))
        parts[lacking].append(piece)
    return {
        name: np.sort(np.concatenate(part))
        for name, part in zip(PARTS, parts, strict=True)
    }


def folds_by_role(
    y: NDArray,
    roles: RowRoles | None,
    fractions: tuple[float, float, float],
    n_folds: int,
    random_state: int | None,
) -> Iterator[dict[str, Integers]] | None:
    """Return folds that keep groups together; None where rows may be dealt freely."""
    if roles is None:
        return None
    if roles.time is None and roles.part is None and roles.group is None:
        return None
    if roles.group is None or roles.part is not None:
        raise DataError(
            "Rows that are split by time or by a given column make one split, not "
            f"{n_folds} folds; leave folds out."
        )
    return _group_folds(y, roles.group, fractions, n_folds, random_state)


def _group_folds(
    y: NDArray,
    group: Integers,
    fractions: tuple[float, float, float],
    n_folds: int,
    random_state: int | None,
) -> Iterator[dict[str, Integers]]:
    n_groups = len(np.unique(group))
    few = DataError(
        f"The column of groups holds {counted(n_groups, 'group')}, too few "
        f"for {n_folds} folds that train, validate and test on others each; ask for "
        "fewer folds, or give more groups."
    )
    if n_groups < n_folds:
        raise few
    folds = StratifiedGroupKFold(n_folds, shuffle=True, random_state=random_state)
    n_pieces = max(2, round(1 + fractions[0] / fractions[1]))
    for rest, test in folds.split(y, y, group):
        n_inner = min(n_pieces, len(np.unique(group[rest])))
        if n_inner < 2:
            raise few
        inner = StratifiedGroupKFold(n_inner, shuffle=True, random_state=random_state)
        train, validation = next(inner.split(y[rest], y[rest], group[rest]))
        rows = {"train": rest[train], "validation": rest[validation], "test": test}
        _refuse_parts_without_a_class(y, rows)
        yield rows


def _refuse_parts_without_a_class(y: NDArray, rows: Mapping[str, Integers]) -> None:
    classes = np.unique(y)
    for part, taken in rows.items():
        absent = [label for label in classes.tolist() if label not in y[taken]]
        if absent:
            raise DataError(
                f"The {part} rows hold no row of class {listed(absent)}; split by "
                "another column, or at random."
            )


# Data sets cut into rows to train on, to choose on and to report on.


_UNSEEN = "Values that no training row holds, taken as rare ones"
_FAR_DATES = "Dates further outside those of training rows than these span,"


@dataclass(frozen=True, eq=False)
class Split:
    """A data set cut into rows for training, validation and test.

    Where the data set has a schema, its rows are encoded by what the training rows
    alone tell; features are then columns of the table, `hypergraph` prices the encoded
    ones.
    """

    dataset: Dataset  # Where the rows come from
    rows: Mapping[str, Integers]  # Indices of the rows of each part

    def X(self, part: str) -> Floats:  # noqa: N802 - the field's name
        """Return the rows of a part, as methods take them.

        Shape: (n_rows, n_encoded); n_encoded is n_features without a schema.
        """
        return self._encoded[1][part]

    def y(self, part: str) -> NDArray:
        """Return the labels of a part.

        Shape: (n_rows,).
        """
        return self._labels[part]

    def weight(self, part: str) -> Floats | None:
        """Return the weights of the rows of a part; None where all count the same.

        Shape: (n_rows,).
        """
        roles = self.dataset.roles
        if roles is None or roles.weight is None:
            return None
        return roles.weight[self.rows[part]]

    def groups(self, part: str) -> Integers | None:
        """Return which rows of a part no fold within training may part.

        Shape: (n_rows,).
        None where they may be dealt freely; see `RowRoles.together`.
        """
        roles = self.dataset.roles
        return None if roles is None else roles.together(self.rows[part])

    @property
    def training(self) -> dict[str, Any]:
        """What a method's ``fit`` and ``path`` are given of the training rows."""
        return {
            "X": self.X("train"),
            "y": self.y("train"),
            "sample_weight": self.weight("train"),
            "groups": self.groups("train"),
        }

    @cached_property
    def scale(self) -> tuple[Floats, Floats]:
        """Mean and spread of the columns of training rows; 1 where nothing varies.

        Shapes: (n_encoded,).
        """
        X, weight = self.X("train"), self.weight("train")
        centre = np.average(X, axis=0, weights=weight)
        spread = np.sqrt(np.average((X - centre) ** 2, axis=0, weights=weight))
        return centre, np.where(spread > 0, spread, 1.0)

    def scaled(self, part: str) -> Floats:
        """Return the rows of a part, centred and scaled by training rows.

        Shape: (n_rows, n_encoded).
        """
        centre, spread = self.scale
        return (self.X(part) - centre) / spread

    @property
    def encoder(self) -> TableEncoder | None:
        """What encodes raw rows, fitted on training rows; None without a schema."""
        return self._encoded[0]

    @cached_property
    def hypergraph(self) -> FeatureHypergraph:
        """What the columns of `X` need: the hypergraph that methods are given."""
        if self.encoder is None:
            return self.dataset.hypergraph
        return self.encoder.encoded_hypergraph(self.dataset.hypergraph)

    def features_of(self, columns: Mask) -> Mask:
        """Return which features of the data set some columns of `X` come from.

        Shapes: (..., n_encoded) -> (..., n_features).
        """
        return columns if self.encoder is None else self.encoder.columns_of(columns)

    @cached_property
    def plain(self) -> Dataset:
        """The data set as methods see it: encoded columns are its features."""
        if self.encoder is None:
            return self.dataset
        table = self.encoder.encode(self.dataset.X)
        table[self.rows["train"]] = self.X("train")
        return dataclasses.replace(
            self.dataset, X=table, hypergraph=self.hypergraph, schema=None
        )

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What is to be told of the rows on either side, a sentence each."""
        schema, X = self.dataset.schema, self.dataset.X
        if schema is None:
            return ()
        others = np.concatenate([self.rows["validation"], self.rows["test"]])
        unseen = unseen_values(schema, X, self.rows["train"], others)
        dates = {column.name for column in schema if column.kind == "date"}
        told = {
            _UNSEEN: [name for name in unseen if name not in dates],
            _FAR_DATES: [name for name in unseen if name in dates],
        }
        return tuple(
            f"{what} in rows of validation and test: "
            f"{listed(names, told=lambda name: f'{shown(name)} ({unseen[name]})')}."
            for what, names in told.items()
            if names
        )

    @cached_property
    def _encoded(self) -> tuple[TableEncoder | None, dict[str, Floats]]:
        X = self.dataset.X
        if self.dataset.schema is None:
            return None, {part: X[rows] for part, rows in self.rows.items()}
        encoder = TableEncoder(self.dataset.schema)
        # Training rows are not transformed as others are: cross-fitted means.
        train = encoder.fit_codes(
            X[self.rows["train"]],
            self.y("train"),
            self.weight("train"),
            groups=self.groups("train"),
        )
        rest = {
            part: encoder.encode(X[rows])
            for part, rows in self.rows.items()
            if part != "train"
        }
        if X.size > LARGE:
            give_back_memory()  # of columns on their way
        return encoder, {"train": train, **rest}

    @cached_property
    def _labels(self) -> dict[str, NDArray]:
        return {part: self.dataset.y[rows] for part, rows in self.rows.items()}


def split_dataset(dataset: Dataset, random_state: int | None = 0) -> Split:
    """Cut a data set into parts, by its own fractions.

    At random and stratified, unless the data set knows of its rows that they belong to
    groups (never on both sides), to times (earlier ones train) or to given parts.

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
    if dataset.roles is not None:
        rows = rows_by_role(dataset.y, dataset.roles, dataset.fractions, random_state)
        if rows is not None:
            return Split(dataset, rows)
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


def encoded(dataset: Dataset, random_state: int | None = 0) -> Dataset:
    """Return a data set whose features are the encoded columns of another.

    Encoded by what the training rows of ``split_dataset(dataset, random_state)`` tell:
    the same cut of what is returned has seen nothing of its other rows.
    """
    if dataset.schema is None:
        return dataset
    return split_dataset(dataset, random_state).plain


def split_folds(
    dataset: Dataset, n_folds: int = 5, random_state: int | None = 0
) -> tuple[Split, ...]:
    """Cut a data set into folds, each the test rows of one split.

    What is not tested on is cut into training and validation rows in the proportion of
    the data set's own fractions.
    """
    counts = np.unique(dataset.y, return_counts=True)[1]
    check_count("n_folds", n_folds, 2, error=DataError)
    if counts.min() < 2 * n_folds:
        raise DataError(
            f"The smallest class has {counts.min()} rows; {n_folds} folds need at "
            f"least {2 * n_folds}."
        )
    return tuple(_folds(dataset, n_folds, random_state))


def _folds(dataset: Dataset, n_folds: int, random_state: int | None) -> Iterator[Split]:
    by_role = folds_by_role(
        dataset.y, dataset.roles, dataset.fractions, n_folds, random_state
    )
    if by_role is not None:
        yield from (Split(dataset, rows) for rows in by_role)
        return
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
