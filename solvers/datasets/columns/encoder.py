"""Raw rows as the numbers that methods learn from; a column stays one feature."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from itertools import chain, starmap
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import TargetEncoder
from sklearn.utils.validation import check_is_fitted

from ...alignment import order_by_name
from ...hypergraph import FeatureHypergraph
from .coding import coded_table
from .dates import date_part
from .schema import Column, TableSchema

__all__ = ["TableEncoder", "unseen_values"]

# Encoded training rows of more values (400 MB) are held in single precision, if each
# number's distance from zero is no more than so many times what its values span.
_LARGE = 50_000_000
_RESOLVED = 1e4
_MOST_SINGLE = 1e30


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

    Attributes
    ----------
    column_of_ : ndarray of int, shape (n_encoded,)
        Which column of the schema each encoded one comes from.
    names_ : tuple of str
        Names of the encoded columns: ``cp=angina``, ``age``, ``age is missing``.
    fill_ : ndarray of float, shape (n_columns,)
        What stands for a gap: the median, or the most frequent value.
    frequent_ : list of ndarray of bool, shape (n_values,)
        Which values of each column have a column of their own.
    unseen_ : list of ndarray of float, shape (n_ranges, 2)
        Of each column, between which bounds lie the codes of values unseen in ``fit``.
    is_single_ : bool
        Whether encoded rows are in single precision: of a large table, whose numbers it
        resolves.

    Examples
    --------
    >>> import pandas as pd
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

    def fit(self, X: Any, y: Any = None) -> TableEncoder:
        """Learn from raw rows.

        Parameters
        ----------
        X : DataFrame, list of dict or rows
            Raw rows.
        y : array_like, shape (n_rows,), optional
            Labels; needed where a column becomes means of the label.

        Returns
        -------
        TableEncoder
            Itself.
        """
        self.fit_codes(coded_table(self.schema, X), y)
        return self

    def fit_transform(self, X: Any, y: Any = None, **_: Any) -> NDArray[np.float64]:
        """Learn from raw rows and return them encoded.

        Means of the label are those of other rows (cross-fitted, as scikit-learn's
        ``TargetEncoder`` does it), so that no row tells its own label.

        Parameters
        ----------
        X : DataFrame, list of dict or rows
            Raw rows.
        y : array_like, shape (n_rows,), optional
            Labels.

        Returns
        -------
        ndarray of float, shape (n_rows, n_encoded)
        """
        return self.fit_codes(coded_table(self.schema, X), y)

    def transform(self, X: Any) -> NDArray[np.float64]:
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
        return _counted_unseen(self.schema, self.unseen_, codes)

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

    def fit_codes(self, codes: NDArray[np.float64], y: Any) -> NDArray[np.float64]:
        """Learn from coded rows and return them encoded.

        Parameters
        ----------
        codes : ndarray of float, shape (n_rows, n_columns)
            As a ``Dataset`` holds them.
        y : array_like, shape (n_rows,)
            Labels.

        Returns
        -------
        ndarray of float, shape (n_rows, n_encoded)
        """
        columns, n = list(self.schema), len(self.schema)
        self.fill_, self.least_, self.latest_ = np.zeros(n), np.zeros(n), np.zeros(n)
        self.frequent_, self.unseen_ = [], []
        for j, column in enumerate(columns):
            there = _there(codes[:, j])
            counts = _counts(column, there)
            least_rows = 1 if column.kind == "hashed" else self.rare
            self.frequent_.append(counts[:-1] >= least_rows)
            self.unseen_.append(_unseen_ranges(column, there))
            if len(there):
                self.fill_[j] = _filling(column, there, counts)
                self.least_[j] = _beneath(there)
                self.latest_[j] = there.max()
        self.means_, means = _fitted_means(self.schema, codes, y)
        widths = [
            means[j].shape[1]
            if j in means
            else self._block(j, c, codes[:1, j]).shape[1]
            for j, c in enumerate(columns)
        ]
        self.is_single_ = len(codes) * sum(widths) > _LARGE and all(
            _keeps_in_single(codes[:, j])
            for j, column in enumerate(columns)
            if column.kind == "number"
        )
        self.column_of_ = np.repeat(np.arange(len(columns)), widths)
        pairs = zip(columns, widths, strict=True)
        self.names_ = _distinct(chain.from_iterable(starmap(_names, pairs)))
        self.n_features_in_ = n
        return self._joined(codes, means)

    def encode(self, codes: NDArray[np.float64]) -> NDArray[np.float64]:
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
        return self._joined(codes)

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

    def columns_of(self, encoded: NDArray[np.bool_]) -> NDArray[np.bool_]:
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

    def _joined(
        self,
        codes: NDArray[np.float64],
        known: Mapping[int, NDArray[np.float64]] = MappingProxyType({}),
    ) -> NDArray:
        """Return all encoded columns, of which some are known, without a second copy.

        Shape: (n_rows, n_encoded).
        """
        dtype = np.float32 if self.is_single_ else np.float64
        table = np.empty((len(codes), len(self.column_of_)), dtype=dtype)
        starts = np.searchsorted(self.column_of_, np.arange(len(self.schema) + 1))
        for j, column in enumerate(self.schema):
            block = known[j] if j in known else self._block(j, column, codes[:, j])
            table[:, starts[j] : starts[j + 1]] = block
        return table

    def _block(
        self, j: int, column: Column, codes: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return the encoded columns of one.

        Shape: (n_rows, width).
        """
        if j in self.means_:
            levels = _levels(column, codes)
            return np.asarray(self.means_[j].transform(levels), dtype=float)
        gaps = np.isnan(codes)
        block = self._values(j, column, codes, gaps)
        # A number beneath all others says by itself that it stands for a gap.
        is_beneath = column.gaps == "value" and column.kind == "number"
        is_told = column.has_gaps and column.gaps != "drop" and not is_beneath
        return np.column_stack([block, gaps]) if is_told else block

    def _values(
        self,
        j: int,
        column: Column,
        codes: NDArray[np.float64],
        gaps: NDArray[np.bool_],
    ) -> NDArray[np.float64]:
        own = column.gaps == "value"
        if column.kind in ("number", "date"):
            beneath = own and column.kind == "number"
            filled = np.where(gaps, self.least_[j] if beneath else self.fill_[j], codes)
            if column.kind == "number":
                return filled[:, None]
            return np.column_stack(
                [date_part(part, filled, self.latest_[j]) for part in column.parts]
            )
        # A value of none of a short list is as good as not known.
        if _is_single(column):
            unknown = gaps | (codes >= len(column.values))
            stands_in = 0.0 if own else self.fill_[j]
            return np.where(unknown, stands_in, codes)[:, None]
        filled = codes if own else np.where(gaps, self.fill_[j], codes)
        hot = filled[:, None] == np.flatnonzero(self.frequent_[j])
        block = np.zeros((len(codes), len(column.values) + 1))
        block[:, :-1][:, self.frequent_[j]] = hot
        block[:, -1] = ~hot.any(axis=1) & ~np.isnan(filled)
        return block


def _keeps_in_single(codes: NDArray[np.float64]) -> bool:
    """Whether single precision resolves what a column's values differ by."""
    there = _there(codes)
    if not len(there):
        return True
    low, high = there.min() / 2, there.max() / 2  # halves: differences overflow
    return bool(max(-low, high) <= min(_RESOLVED * (high - low), _MOST_SINGLE))


def _is_single(column: Column) -> bool:
    """Whether the values of a column fit into one number."""
    return column.kind in ("yes/no", "ordered") or len(column.values) == 2


def _takes_means(column: Column) -> bool:
    is_taken = column.kind in ("category", "code", "ordered")
    return is_taken and column.encoding == "mean of the label"


def _counts(column: Column, there: NDArray[np.float64]) -> NDArray[np.int_]:
    """Return in how many rows each listed value stands; last, one that is not listed.

    Shapes: `there`, codes without gaps, (n_there,) -> (n_values + 1,).
    """
    codes = there.astype(int) if column.is_listed else np.zeros(0, dtype=int)
    return np.bincount(codes, minlength=len(column.values) + 1)


def _filling(
    column: Column, there: NDArray[np.float64], counts: NDArray[np.int_]
) -> float:
    if column.is_listed:
        return float(counts[:-1].argmax()) if counts[:-1].any() else 0.0
    return float(np.median(there))


def _beneath(there: NDArray[np.float64]) -> float:
    """Return a number beneath all others, by a tenth of what they span."""
    return float(there.min() - 0.1 * (there.max() - there.min() or 1.0))


def _there(codes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the codes of a column without its gaps."""
    return codes[~np.isnan(codes)]


def _unseen_ranges(column: Column, there: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return between which bounds lie codes such as no row held, shape (n_ranges, 2).

    `there`: codes of the rows without gaps, shape (n_there,). Of words, those of none;
    of dates whose age counts, those further outside than all of them span.
    """
    if column.kind == "date" and "age" in column.parts and len(there):
        first, last = there.min(), there.max()
        return np.array([[-np.inf, 2 * first - last], [2 * last - first, np.inf]])
    if not column.is_listed or column.kind == "hashed":
        return np.zeros((0, 2))
    is_unseen = _counts(column, there) == 0
    if _is_single(column):  # a listed value is a number, and stays it
        is_unseen[:-1] = False
    ranges = np.flatnonzero(is_unseen)[:, None] + [-0.5, 0.5]
    ranges[ranges > len(column.values)] = np.inf  # behind the list is no word
    return ranges


def _counted_unseen(
    schema: TableSchema,
    unseen: list[NDArray[np.float64]],
    codes: NDArray[np.float64],
    rows: Any = slice(None),
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
    schema: TableSchema,
    codes: NDArray[np.float64],
    train: NDArray[np.int_],
    others: NDArray[np.int_],
) -> dict[str, int]:
    """Return in how many other coded rows each column holds a value unseen in training.

    Of columns where there are any; what ``TableEncoder.unseen`` counts of raw rows.
    `train`, `others`: which rows; one column of them is copied at a time.
    """
    unseen = [
        _unseen_ranges(column, _there(codes[train, j]))
        for j, column in enumerate(schema)
    ]
    return _counted_unseen(schema, unseen, codes, others)


def _levels(column: Column, codes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return codes for means of the label: a gap is a value like any other."""
    return np.where(np.isnan(codes), len(column.values) + 1, codes)[:, None]


def _fitted_means(
    schema: TableSchema, codes: NDArray[np.float64], y: Any
) -> tuple[dict[int, TargetEncoder], dict[int, NDArray[np.float64]]]:
    """Return what holds the means of the label, and means of other rows."""
    fitted, means = {}, {}
    for j, column in enumerate(schema):
        if _takes_means(column):
            folds = StratifiedKFold(2, shuffle=True, random_state=0)
            fitted[j] = TargetEncoder(cv=folds)
            levels = _levels(column, codes[:, j])
            means[j] = np.asarray(fitted[j].fit_transform(levels, y), dtype=float)
            # Other rows are encoded without it, and skops does not trust its class.
            fitted[j].set_params(cv=2)
    return fitted, means


def _names(column: Column, width: int) -> list[str]:
    name = column.name
    if _takes_means(column):
        return [f"{name} (mean of the label)"] * width
    if column.kind == "date":
        found = [f"{name} ({part})" for part in column.parts]
    elif column.kind == "number" or _is_single(column):
        two = column.kind != "ordered" and len(column.values) == 2
        found = [f"{name}={column.values[1]}" if two else name]
    else:
        found = [*(f"{name}={value}" for value in column.values), f"{name}=other"]
    return [*found, f"{name} is missing"][:width]


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    """Return names, numbered where one stood before."""
    seen: dict[str, None] = {}
    for name in names:
        new, n = name, 2
        while new in seen:
            new, n = f"{name} ({n})", n + 1
        seen[new] = None
    return tuple(seen)
