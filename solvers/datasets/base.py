"""A table with labels and what its columns cost; limits on further prices."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..checks import at_least_zero, refuse_uneven_labels
from ..costs.budgets import room_of
from ..costs.hypergraph import FeatureHypergraph
from ..errors import DataError, counted, listed, reason_of, shown
from ..numerics.arrays import Floats
from ..values.notebook_table import MOST_ROWS, notebook_table
from .columns.schema import TableSchema
from .rows import RowRoles

if TYPE_CHECKING:
    from ..features.base import FeatureExtractor


@dataclass(frozen=True, eq=False)
class Dataset:
    """A table with labels, and the hypergraph that prices its columns.

    Parameters
    ----------
    name : str
        Short name.
    X : ndarray of float, shape (n_samples, n_features)
        Finite values; with a `schema` one code a column, NaN where a value is missing.
        Without a schema also a CSR array, for methods that take sparse rows. Of a frame
        of numbers the columns are taken by name.
    y : ndarray, shape (n_samples,)
        Labels of two classes or more.
    hypergraph : FeatureHypergraph
        One feature for each column, in order; it names the columns and the unit.
    positive : object, optional
        The label that counts as positive; by default the second of two in
        sorted order, and none where there are more classes than two.
    source : str, default=""
        Where the data come from, in one sentence.
    costs_note : str, default=""
        Where the costs come from, in one sentence ("measured on ...", "illustrative").
    fractions : tuple of float, default=(0.5, 0.25, 0.25)
        Shares of the rows for training, validation and test.
    pipeline : FeaturePipeline or TracedExtractor, optional
        Computes the columns from raw samples.
    samples : sequence, optional
        Raw samples for `pipeline`, at least a few.
    notes : tuple of str, default=()
        What was dropped or changed on the way, one sentence each.
    schema : TableSchema, optional
        Kinds of the columns, where they are not all numbers without gaps. Methods then
        learn from what a ``TableEncoder`` makes of the codes, see ``Split``.
    roles : RowRoles, optional
        Groups, times, parts and weights of the rows.

    Raises
    ------
    DataError
        If sizes disagree, a value is not finite, or there is only one class.
    """

    name: str
    X: Floats
    y: NDArray
    hypergraph: FeatureHypergraph
    positive: Any = None
    source: str = ""
    costs_note: str = ""
    fractions: tuple[float, float, float] = (0.5, 0.25, 0.25)
    pipeline: FeatureExtractor | None = None
    samples: Any = None
    notes: tuple[str, ...] = ()
    schema: TableSchema | None = None
    roles: RowRoles | None = None

    def __post_init__(self) -> None:
        if hasattr(self.X, "columns"):
            object.__setattr__(self, "X", self._numbers(self.X))
        if self.X.ndim != 2 or self.X.shape[1] != self.hypergraph.n_features:
            raise DataError(
                f"The table has shape {self.X.shape}, but the hypergraph describes "
                f"{self.hypergraph.n_features} features; describe every column."
            )
        refuse_uneven_labels(self.y, self.X.shape[0])
        self._refuse_values_that_are_not_finite()
        if self.schema is not None and self.schema.names != self.feature_names:
            raise DataError(
                f"The schema describes {listed(self.schema.names)}, the hypergraph "
                f"{listed(self.feature_names)}; give the same columns in one order."
            )
        self._refuse_codes_without_a_value()
        classes = self.classes
        if len(classes) < 2:
            raise DataError(
                f"Every row is labelled {listed(classes.tolist())}; give labels of two "
                "classes."
            )
        if len(classes) > 2 and self.positive is None:
            return  # scores are averages over the classes
        if self.positive is None:
            object.__setattr__(self, "positive", classes[1])
        elif self.positive not in classes:
            raise DataError(
                f"No row is labelled {shown(self.positive)}; the positive class is "
                f"one of {listed(classes.tolist())}."
            )

    def _numbers(self, frame: Any) -> Floats:
        """Return a frame's columns in the hypergraph's order."""
        try:
            return np.array(self.hypergraph.aligned(frame), dtype=float)
        except (TypeError, ValueError) as error:
            if isinstance(error, DataError):
                raise
            raise DataError(
                f"The table holds what is no number ({reason_of(error)}); read it with "
                "from_frame, which takes columns of every kind."
            ) from error

    def _refuse_values_that_are_not_finite(self) -> None:
        if sparse.issparse(self.X):
            self._refuse_sparse_rows_of_a_schema()
            return
        is_wrong = ~np.isfinite(self.X) if self.schema is None else np.isinf(self.X)
        wrong = np.argwhere(is_wrong)
        if len(wrong):
            row, column = wrong[0]
            raise DataError(
                f"Column {shown(self.feature_names[column])} holds "
                f"{self.X[row, column]} in row {row}; fill or drop such rows."
            )

    def _refuse_sparse_rows_of_a_schema(self) -> None:
        if self.schema is not None or not np.isfinite(self.X.data).all():
            raise DataError(
                "Sparse rows hold codes or values that are not finite; give X.toarray()"
                ", or numbers alone."
            )

    def _refuse_codes_without_a_value(self) -> None:
        for j, column in enumerate(self.schema or ()):
            if not column.is_listed:
                continue
            codes = self.X[~np.isnan(self.X[:, j]), j]
            is_code = (codes % 1 == 0) & (codes >= 0) & (codes <= len(column.values))
            if not is_code.all():
                raise DataError(
                    f"Column {shown(column.name)} holds the code "
                    f"{codes[~is_code][0]:g}; its {len(column.values)} values have the "
                    "codes from 0 on."
                )

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return self.hypergraph.features

    @property
    def unit(self) -> str:
        """Unit of the costs."""
        return self.hypergraph.unit

    @cached_property
    def classes(self) -> NDArray:
        """The labels that occur, sorted."""
        # Asked for at every picture of a frontier: sorting all labels costs far more.
        found = np.unique(self.y)
        found.flags.writeable = False
        return found

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return int(self.X.shape[0])

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return int(self.X.shape[1])

    def one_against_others(self) -> Any:
        """Return the positive class, or refuse a data set that has none."""
        if self.positive is None:
            raise DataError(
                f"{self.name} has {len(self.classes)} classes; choose a data set of "
                "two, or one that names a positive class."
            )
        return self.positive

    def __repr__(self) -> str:
        return (
            f"Dataset({shown(self.name)}, {counted(self.n_samples, 'row')}, "
            f"{counted(self.n_features, 'feature')}, classes "
            f"{listed(self.classes.tolist())}, total cost "
            f"{self.hypergraph.total_cost:g} {self.unit})"
        )

    def _repr_html_(self) -> str:
        labels, counts = np.unique(self.y, return_counts=True)
        said = ["positive" if label == self.positive else "" for label in labels]
        rows = zip(labels[:MOST_ROWS], counts, said, strict=False)
        names = listed(self.feature_names)
        return notebook_table(
            repr(self), ("class", "rows", ""), rows, f"Features: {names}."
        )


def charging(dataset: Dataset, name: str) -> Dataset:
    """Return a data set that charges another of its prices.

    Parameters
    ----------
    dataset : Dataset
        Whose hypergraph has the price.
    name : str
        Of the price, as for ``FeatureHypergraph.charging``.

    Returns
    -------
    Dataset

    Raises
    ------
    HypergraphError
        If there is no such price, or it does not add up.
    """
    hypergraph = dataset.hypergraph.charging(name)
    if hypergraph is dataset.hypergraph:
        return dataset
    return dataclasses.replace(dataset, hypergraph=hypergraph)


def pricing(dataset: Dataset, hypergraph: FeatureHypergraph) -> Dataset:
    """Return a data set whose columns cost what another hypergraph says.

    Parameters
    ----------
    dataset : Dataset
        Rows and labels.
    hypergraph : FeatureHypergraph
        One feature for each column, in order.

    Returns
    -------
    Dataset

    Raises
    ------
    DataError
        If the hypergraph describes another number of features.
    """
    return dataclasses.replace(dataset, hypergraph=hypergraph)


def within_limits(dataset: Dataset, limits: Mapping[str, float]) -> Dataset:
    """Return a data set without the features that no limit lets anybody buy.

    A feature that exceeds a limit by itself is in no selection within it. What several
    features cost together, a ``Frontier`` with the same limits holds against them.

    Parameters
    ----------
    dataset : Dataset
        Whose hypergraph has the prices.
    limits : mapping of str to float
        The most that may be paid, by the name of a further price.

    Returns
    -------
    Dataset
        Itself where nothing is left out; its notes say what is.

    Raises
    ------
    HypergraphError
        If there is no such price.
    DataError
        If a limit is negative or no number, or no feature stays within all of them.
    """
    hypergraph = dataset.hypergraph
    kept = np.ones(hypergraph.n_features, dtype=bool)
    notes = []
    for name, limit in limits.items():
        price = hypergraph.price(name)
        limit = at_least_zero(limit, f"The limit on {shown(name)}")
        beyond = price.of_features(hypergraph.incidence) > room_of(limit)
        if beyond.any():
            names = [hypergraph.features[j] for j in np.flatnonzero(beyond)]
            notes.append(
                f"Left out, as {name} above {limit:g} {price.unit}: {listed(names)}."
            )
        kept &= ~beyond
    if kept.all():
        return dataset
    if not kept.any():
        told = " and ".join(f"{name} {limit:g}" for name, limit in limits.items())
        raise DataError(f"No feature stays within {told}; raise a limit, or drop it.")
    columns = np.flatnonzero(kept).tolist()
    return dataclasses.replace(
        dataset,
        X=dataset.X[:, columns],
        hypergraph=hypergraph.restrict(columns),
        schema=dataset.schema and dataset.schema.take(columns),
        notes=(*dataset.notes, *notes),
    )
