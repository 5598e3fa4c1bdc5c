"""Raw rows as the numbers that methods learn from; a column stays one feature."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from ...costs.alignment import order_by_name
from ...costs.hypergraph import FeatureHypergraph
from ...numerics.arrays import Floats, Integers, Mask
from ...numerics.inner_folds import group_codes
from .coding import coded_table
from .parts import (
    ColumnPart,
    LabelledCounts,
    MeanPart,
    counted_rows,
    keeps_in_single,
    part_of,
    there_and_times,
    unseen_ranges,
)
from .schema import TableSchema

# Encoded training rows of more values (400 MB) are held in single precision, where that
# resolves every number.
_LARGE = 50_000_000


class TableEncoder(TransformerMixin, BaseEstimator):
    """Columns of any kind as numbers, several for one column where it takes them.

    How many there are for each is fixed by the schema, so that every split of a table
    has the same shape; what they hold is learned from the rows of ``fit`` alone:
    medians, which values are rare (they share a column), means of the label.

    Parameters
    ----------
    schema : TableSchema
        The columns.
    rare : int, default=5
        Values in fewer rows than this share a column; so do values unseen in ``fit``.
        A row of weight two counts as two, here as in medians and means.

    Attributes
    ----------
    column_of_ : ndarray of int, shape (n_encoded,)
        Which column of the schema each encoded one comes from.
    names_ : tuple of str
        Names of the encoded columns: ``cp=angina``, ``age``, ``age is missing``.
    parts_ : list of ColumnPart
        What each column becomes, and what the rows of ``fit`` told: its ``fill`` stands
        for a gap, ``frequent`` says which values have a column of their own.
    is_single_ : bool
        Whether encoded rows are in single precision: of a large table, whose numbers it
        resolves.

    Examples
    --------
    >>> import pandas as pd
    >>> from solvers.datasets import Column
    >>> schema = TableSchema((Column("age", has_gaps=True), Column("pain", "category",
    ...     values=("dull", "none", "sharp"))))
    >>> rows = pd.DataFrame({"age": [40, None, 60], "pain": ["none", "sharp", "dull"]})
    >>> encoder = TableEncoder(schema, rare=1).fit(rows)
    >>> encoder.transform(rows).tolist()[1]
    [50.0, 1.0, 0.0, 0.0, 1.0, 0.0]
    >>> encoder.column_of_.tolist()
    [0, 0, 1, 1, 1, 1]
    """

    def __init__(self, schema: TableSchema, rare: int = 5) -> None:
        self.schema = schema
        self.rare = rare

    def fit(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, groups: Any = None
    ) -> TableEncoder:
        """Learn from raw rows.

        Parameters
        ----------
        X : DataFrame, list of dict or rows
            Raw rows.
        y : array_like, shape (n_rows,), optional
            Labels; needed where a column becomes means of the label.
        sample_weight : array_like of float, shape (n_rows,), optional
            How many rows each counts, 0 or more: a row of weight 0 is not there.
            Weights that average to less than one are shares, and scaled to average to
            one.
        groups : array_like, shape (n_rows,), optional
            Which rows belong together, as those of one patient. Means of the label,
            where rows that are learned from become them, are those of other groups.

        Returns
        -------
        TableEncoder
            Itself.
        """
        self.fit_transform(X, y, sample_weight, groups=groups)
        return self

    def fit_transform(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, groups: Any = None
    ) -> Floats:
        """Learn from raw rows and return them encoded.

        Means of the label are those of other rows (cross-fitted, as scikit-learn's
        ``TargetEncoder`` does it), so that no row tells its own label.

        Parameters
        ----------
        X, y, sample_weight, groups
            As for `fit`.

        Returns
        -------
        ndarray of float, shape (n_rows, n_encoded)
        """
        codes = coded_table(self.schema, X)
        return self.fit_codes(codes, y, sample_weight, groups=groups)

    def transform(self, X: Any) -> Floats:
        """Return raw rows encoded.

        Parameters
        ----------
        X : DataFrame, list of dict or rows
            Raw rows.

        Returns
        -------
        ndarray of float, shape (n_rows, n_encoded)
        """
        return self.encode(coded_table(self.schema, X))

    def unseen(self, X: Any) -> dict[str, int]:
        """Return in how many raw rows each column holds a value unseen in training.

        A word counts as a rare one. Where training rows held values that are not
        listed, any other such value is taken for one of them. A date whose age counts
        is unseen where it lies further outside of those of training than these span.

        Parameters
        ----------
        X : DataFrame, list of dict or rows
            Raw rows.

        Returns
        -------
        dict of str to int
            Of columns where there are any.
        """
        check_is_fitted(self)
        codes = coded_table(self.schema, X)
        return _counted_unseen(
            self.schema, [part.unseen for part in self.parts_], codes
        )

    def guessed(self, X: Any) -> dict[str, int]:
        """Return in how many raw rows each column has no value though training had all.

        Its median or most frequent value stands for it: no row told what a gap means.

        Parameters
        ----------
        X : DataFrame, list of dict or rows
            Raw rows.

        Returns
        -------
        dict of str to int
            Of columns where there are any.
        """
        gaps = np.isnan(coded_table(self.schema, X)).sum(axis=0)
        return {
            column.name: int(count)
            for column, count in zip(self.schema, gaps, strict=True)
            if count and not column.has_gaps
        }

    def get_feature_names_out(self, input_features: Any = None) -> NDArray:
        """Return the names of the encoded columns.

        Parameters
        ----------
        input_features : object, optional
            Not used.

        Returns
        -------
        ndarray of object, shape (n_encoded,)
        """
        check_is_fitted(self)
        return np.array(self.names_, dtype=object)

    # -------------------------------------------------------------------------- codes

    def fit_codes(
        self, codes: Floats, y: Any, sample_weight: Any = None, *, groups: Any = None
    ) -> Floats:
        """Learn from coded rows and return them encoded.

        Parameters
        ----------
        codes : ndarray of float, shape (n_rows, n_columns)
            As a ``Dataset`` holds them.
        y : array_like, shape (n_rows,)
            Labels.
        sample_weight, groups : array_like, shape (n_rows,), optional
            As for `fit`.

        Returns
        -------
        ndarray of float, shape (n_rows, n_encoded)
        """
        counts = counted_rows(sample_weight, len(codes))
        self.parts_ = [
            part_of(column, codes[:, j], counts, self.rare)
            for j, column in enumerate(self.schema)
        ]
        together = group_codes(groups, len(codes))
        # Before anything is named: how many means there are hangs on the labels.
        crossed = _fitted_means(self.parts_, codes, y, counts, together)
        names = [part.names for part in self.parts_]
        self.names_ = _distinct(chain.from_iterable(names))
        self.column_of_ = np.repeat(np.arange(len(names)), list(map(len, names)))
        self.is_single_ = len(codes) * len(self.names_) > _LARGE and all(
            keeps_in_single(there_and_times(codes[:, j], counts)[0])
            for j, column in enumerate(self.schema)
            if column.kind == "number"
        )
        self.n_features_in_ = len(self.schema)
        return self._joined(codes, crossed)

    def encode(self, codes: Floats) -> Floats:
        """Return coded rows encoded.

        Parameters
        ----------
        codes : ndarray of float, shape (n_rows, n_columns)
            As a ``Dataset`` holds them.

        Returns
        -------
        ndarray of float, shape (n_rows, n_encoded)
        """
        check_is_fitted(self)
        return self._joined(codes, {})

    def encoded_hypergraph(self, hypergraph: FeatureHypergraph) -> FeatureHypergraph:
        """Return the hypergraph of the encoded columns.

        Each needs exactly the components of the column that it comes from: whoever
        buys one has the others for nothing.

        Parameters
        ----------
        hypergraph : FeatureHypergraph
            Of the columns of the schema, by name.

        Returns
        -------
        FeatureHypergraph
            With the same components.

        Raises
        ------
        DataError
            If the schema and the hypergraph name other columns.
        """
        check_is_fitted(self)
        order = order_by_name(
            hypergraph.features, self.schema.names, "The hypergraph", "the schema"
        )
        described = (
            self.column_of_ if order is None else np.array(order)[self.column_of_]
        )
        return dataclasses.replace(
            hypergraph,
            incidence=hypergraph.incidence[:, described],
            feature_names=self.names_,
        )

    def columns_of(self, encoded: Mask) -> Mask:
        """Return which columns some encoded ones come from.

        Parameters
        ----------
        encoded : ndarray of bool, shape (..., n_encoded)
            A mask, or one for each row.

        Returns
        -------
        ndarray of bool, shape (..., n_columns)
        """
        check_is_fitted(self)
        starts = np.searchsorted(self.column_of_, np.arange(len(self.schema)))
        if encoded.ndim == 2 and len(encoded) and not encoded.strides[0]:
            # One row that is seen many times, as of a method that always buys the same.
            one = np.logical_or.reduceat(encoded[0], starts)
            return np.broadcast_to(one, (len(encoded), len(one)))
        return np.logical_or.reduceat(encoded, starts, axis=-1)

    def _joined(self, codes: Floats, known: dict[int, Floats]) -> NDArray:
        """Return all encoded columns, of which some are known, without a second copy.

        Shape: (n_rows, n_encoded).
        """
        dtype = np.float32 if self.is_single_ else np.float64
        table = np.empty((len(codes), len(self.column_of_)), dtype=dtype)
        starts = np.searchsorted(self.column_of_, np.arange(len(self.schema) + 1))
        for j, part in enumerate(self.parts_):
            block = known[j] if j in known else part.encode(codes[:, j])
            table[:, starts[j] : starts[j + 1]] = block
        return table


def _counted_unseen(
    schema: TableSchema, unseen: list[Floats], codes: Floats, rows: Any = slice(None)
) -> dict[str, int]:
    counts = {}
    for j, (column, ranges) in enumerate(zip(schema, unseen, strict=True)):
        found = codes[rows, j] if len(ranges) else codes[:0, j]
        counts[column.name] = sum(
            int(np.count_nonzero((low < found) & (found < high)))
            for low, high in ranges
        )
    return {name: count for name, count in counts.items() if count}


def unseen_values(
    schema: TableSchema, codes: Floats, train: Integers, others: Integers
) -> dict[str, int]:
    """Return in how many other coded rows each column holds a value unseen in training.

    Of columns where there are any; what ``TableEncoder.unseen`` counts of raw rows.
    `train`, `others`: which rows; one column of them is copied at a time.
    """
    once = np.ones(len(train))
    unseen = [
        unseen_ranges(column, there_and_times(codes[train, j], once)[0])
        for j, column in enumerate(schema)
    ]
    return _counted_unseen(schema, unseen, codes, others)


def _fitted_means(
    parts: list[ColumnPart],
    codes: Floats,
    y: Any,
    counts: Floats,
    groups: Integers | None,
) -> dict[int, Floats]:
    """Fit the means of the label, and return those of rows by the labels of others."""
    taken = {j: part for j, part in enumerate(parts) if isinstance(part, MeanPart)}
    if not taken:
        return {}
    there = counts > 0
    together = None if groups is None else groups[there]
    rows = LabelledCounts(np.asarray(y)[there], counts[there], together)
    return {j: part.fit(codes[:, j], rows, there) for j, part in taken.items()}


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    """Return names, numbered where one stood before."""
    seen: dict[str, None] = {}
    for name in names:
        new, n = name, 2
        while new in seen:
            new, n = f"{name} ({n})", n + 1
        seen[new] = None
    return tuple(seen)
