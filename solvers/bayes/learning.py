"""Cut points, states, naive Bayes and tree-augmented naive Bayes from a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, TypeAlias

import networkx as nx
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import row_weights
from ..costs.alignment import generic_names, named_columns
from ..errors import DataError, NetworkError, shown
from ..numerics.cuts import midway
from .network import BayesianNetwork

if TYPE_CHECKING:
    from ..datasets.columns.schema import Column, TableSchema


# Numbers into a few states, by cut points that are learned on training rows.


MAX_BINS = 32
# Shares of weight closer than this are the same share, summed in another order.
SHARE_TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class CutPoints:
    """Where the columns of a table are cut into states."""

    #: Ascending cut points of each column; a value up to the first is in state 0
    cuts: tuple[NDArray[np.float64], ...]

    @property
    def cardinalities(self) -> tuple[int, ...]:
        """Number of states of each column."""
        return tuple(len(points) + 1 for points in self.cuts)

    @property
    def states(self) -> tuple[tuple[str, ...], ...]:
        """Names of the states of each column, for people."""
        return tuple(_names(points) for points in self.cuts)

    def codes(self, X: ArrayLike) -> NDArray[np.intp]:
        """Return rows as positions of states.

        Parameters
        ----------
        X : array_like of float, shape (n_samples, n_columns)
            The rows.

        Returns
        -------
        ndarray of int, shape (n_samples, n_columns)
        """
        rows = np.asarray(X, dtype=float)
        if rows.ndim != 2 or rows.shape[1] != len(self.cuts):
            raise DataError(
                f"X has shape {rows.shape}; give one column for each of the "
                f"{len(self.cuts)} that the cut points were learned for."
            )
        if np.isnan(rows).any():
            raise DataError("X holds NaN; fill or drop such rows.")
        columns = [
            np.searchsorted(points, column, side="left")
            for points, column in zip(self.cuts, rows.T, strict=True)
        ]
        return np.column_stack(columns) if columns else np.zeros((len(rows), 0), int)


def learn_cut_points(
    X: ArrayLike, n_bins: int = 2, sample_weight: ArrayLike | None = None
) -> CutPoints:
    """Return cut points that share the weight of the rows out evenly.

    Parameters
    ----------
    X : array_like of float, shape (n_samples, n_columns)
        Training rows only.
    n_bins : int, default=2
        States of a column, from 2 to 32; fewer where values repeat.
    sample_weight : array_like of float, shape (n_samples,), optional
        Weights of the rows; a row of weight 2 counts as two rows.

    Returns
    -------
    CutPoints

    Examples
    --------
    >>> cuts = learn_cut_points([[1.0], [2.0], [3.0], [4.0]])
    >>> cuts.codes([[2.0], [2.5], [9.0]]).ravel().tolist(), cuts.states
    ([0, 0, 1], (('<= 2.5', '> 2.5'),))
    """
    rows = np.asarray(X, dtype=float)
    if rows.ndim != 2 or not len(rows) or not np.isfinite(rows).all():
        raise DataError(
            f"X has shape {rows.shape}; give rows of finite numbers, at least one."
        )
    if not isinstance(n_bins, int | np.integer) or not 2 <= n_bins <= MAX_BINS:
        raise DataError(f"n_bins is {shown(n_bins)}; it lies between 2 and {MAX_BINS}.")
    weights = (
        np.ones(len(rows))
        if sample_weight is None
        else np.asarray(sample_weight, dtype=float)
    )
    return CutPoints(tuple(_cuts(column, int(n_bins), weights) for column in rows.T))


def _cuts(
    column: NDArray[np.float64], n_bins: int, weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    values, place = np.unique(column[weights > 0], return_inverse=True)
    reached = np.cumsum(np.bincount(place, weights[weights > 0]))
    shares = np.arange(1, n_bins) / n_bins * reached[-1]
    # Weighted quantiles: the first value by which a share of the weight is reached.
    last = np.searchsorted(reached, shares * (1 - SHARE_TOLERANCE), side="left")
    last = np.unique(last[last < len(values) - 1])
    # Halfway to the next value, so that rounding cannot move a row across.
    return np.asarray(midway(values[last], values[last + 1], inclusive=False))


def _names(points: Sequence[float] | NDArray[np.float64]) -> tuple[str, ...]:
    if not len(points):
        return ("any",)
    for digits in range(3, 18):
        rounded = [f"{point:.{digits}g}" for point in points]
        if len(set(rounded)) == len(rounded):
            break
    return names_between(rounded)


def names_between(points: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the states below, between and above points."""
    middle = [f"{a} to {b}" for a, b in pairwise(points)]
    return (f"<= {points[0]}", *middle, f"> {points[-1]}")


# Columns of any kind as states: numbers between cut points, words as they are.


# Of a category: its most frequent values; all others are one state.
MOST_VALUES = 5
OTHER, MISSING = "other", "missing"


def column_states(
    codes: NDArray[np.float64],
    train: NDArray[np.intp],
    n_bins: int,
    schema: TableSchema | None,
    weights: NDArray[np.float64],
) -> tuple[NDArray[np.intp], list[tuple[str, ...]]]:
    """Return rows as positions of states, and the names of each column's states.

    Shapes: `codes` (n_rows, n_columns), `train` (n_train,), `weights` (n_rows,) ->
    (n_rows, n_columns).
    `codes`: as a ``Dataset`` holds them; without a schema finite numbers.
    """
    if schema is None:
        cuts = learn_cut_points(codes[train], n_bins, weights[train])
        return cuts.codes(codes), list(cuts.states)
    found = [
        _listed(column, codes[:, j], train, weights)
        if column.is_listed
        else _cut(column, codes[:, j], train, weights, n_bins)
        for j, column in enumerate(schema)
    ]
    return np.column_stack([places for places, _ in found]), [of for _, of in found]


def _listed(
    column: Column,
    codes: NDArray[np.float64],
    train: NDArray[np.intp],
    weights: NDArray[np.float64],
) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Return the frequent values of a column as states, then another, then a gap."""
    gaps = np.isnan(codes)
    there = train[~gaps[train]]
    # One place more: values that the column does not list share the last code.
    counts = np.bincount(
        codes[there].astype(int), weights[there], len(column.values) + 1
    )
    frequent = np.argsort(-counts[:-1], kind="stable")[:MOST_VALUES]
    kept = np.sort(frequent[counts[frequent] > 0])
    moved = np.full(len(counts), len(kept))
    moved[kept] = np.arange(len(kept))
    states = [column.values[k] for k in kept]
    if counts.sum() > counts[kept].sum():
        states.append(_free(OTHER, states))
    else:  # unseen in training: as good as the most frequent value
        moved[moved == len(kept)] = moved[np.argmax(counts)]
    places = moved[np.where(gaps, 0, codes).astype(int)]
    return _with_gaps(places, states, gaps, train, weights)


def _cut(
    column: Column,
    codes: NDArray[np.float64],
    train: NDArray[np.intp],
    weights: NDArray[np.float64],
    n_bins: int,
) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Return a column of numbers or days between cut points, then a gap."""
    gaps = np.isnan(codes)
    there = train[~gaps[train]]
    known = codes[there] if len(there) else np.zeros(1)
    counts = weights[there] if len(there) else None
    filled = np.where(gaps, known.max(), codes)[:, np.newaxis]
    cuts = learn_cut_points(known[:, np.newaxis], n_bins, counts)
    (states,) = cuts.states
    if "month" in column.parts and len(cuts.cuts[0]):
        states = _of_days(cuts.cuts[0])
    return _with_gaps(cuts.codes(filled)[:, 0], list(states), gaps, train, weights)


def _of_days(cuts: NDArray[np.float64]) -> tuple[str, ...]:
    """Return the names of states between days, with their times where days repeat."""
    moments = np.round(cuts * 86_400).astype("datetime64[s]")
    days = moments.astype("datetime64[D]")
    is_told = len(np.unique(days)) == len(days)
    return names_between((days if is_told else moments).astype(str).tolist())


def _with_gaps(
    places: NDArray[np.intp],
    states: list[str],
    gaps: NDArray[np.bool_],
    train: NDArray[np.intp],
    weights: NDArray[np.float64],
) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Return gaps as a state of their own; the commonest where training knows none."""
    if gaps[train].any():
        stands_in, states = len(states), [*states, _free(MISSING, states)]
    else:
        stands_in = int(np.argmax(np.bincount(places[train], weights[train])))
    return np.where(gaps, stands_in, places), tuple(states)


def _free(word: str, states: list[str]) -> str:
    return word if word not in states else f"({word})"


Model: TypeAlias = Literal["naive_bayes", "tan"]

Counts = NDArray[np.float64]


def learn_naive_bayes(
    codes: ArrayLike,
    labels: ArrayLike,
    *,
    feature_states: Sequence[Sequence[str]] | None = None,
    feature_names: Sequence[str] | None = None,
    target: str = "class",
    laplace: float = 1.0,
    sample_weight: ArrayLike | None = None,
) -> BayesianNetwork:
    """Return naive Bayes: every feature depends on the class alone.

    Parameters
    ----------
    codes : array_like of int, shape (n_samples, n_features)
        Position of the state of each feature, as `CutPoints.codes` gives them. The
        columns of a frame are taken by name.
    labels : array_like, shape (n_samples,)
        Classes, two or more; they become the states of the target, sorted.
    feature_states : sequence of sequence of str, optional
        Names of the states of each feature; 0, 1, ... by default.
    feature_names : sequence of str, optional
        Names of the features; by default those of the columns, or x0, x1, ...
    target : str, default="class"
        Name of the class variable.
    laplace : float, default=1.0
        Rows of each state that are imagined, 0 or more.
    sample_weight : array_like of float, shape (n_samples,), optional
        Weights of the rows, 0 or more.

    Returns
    -------
    BayesianNetwork

    Raises
    ------
    DataError
        If the table, its labels, names or weights do not fit together.
    """
    table = _CountedTable(
        codes, labels, feature_states, feature_names, target, laplace, sample_weight
    )
    parents = {name: (target,) for name in table.names}
    return table.network(parents, [(-1,)] * len(table.names))


def learn_tan(
    codes: ArrayLike,
    labels: ArrayLike,
    *,
    feature_states: Sequence[Sequence[str]] | None = None,
    feature_names: Sequence[str] | None = None,
    target: str = "class",
    laplace: float = 1.0,
    sample_weight: ArrayLike | None = None,
) -> BayesianNetwork:
    """Return tree-augmented naive Bayes: each feature also has a feature as parent.

    The tree is that of most information between neighbours given the class, after
    Friedman, Geiger and Goldszmidt (1997), directed away from the first feature.

    Parameters
    ----------
    codes, labels, feature_states, feature_names, target, laplace, sample_weight
        As for `learn_naive_bayes`.

    Returns
    -------
    BayesianNetwork
    """
    table = _CountedTable(
        codes, labels, feature_states, feature_names, target, laplace, sample_weight
    )
    n_features = len(table.names)
    links = nx.Graph()
    links.add_nodes_from(range(n_features))
    links.add_weighted_edges_from(
        (i, j, table.shared_information(i, j))
        for i in range(n_features)
        for j in range(i + 1, n_features)
    )
    # Chow and Liu: of all trees this one's likelihood is highest, given the class.
    tree = nx.maximum_spanning_tree(links)
    above = {child: parent for parent, child in nx.bfs_edges(tree, 0)}
    given = [(-1, above[j]) if j in above else (-1,) for j in range(n_features)]
    parents = {
        name: (target, *(table.names[k] for k in given[j][1:]))
        for j, name in enumerate(table.names)
    }
    return table.network(parents, given)


def checked_learner(model: str) -> Callable[..., BayesianNetwork]:
    """Return what learns a model."""
    learners = {"naive_bayes": learn_naive_bayes, "tan": learn_tan}
    if model not in learners:
        raise NetworkError(f'The model is {shown(model)}; use "naive_bayes" or "tan".')
    return learners[model]


class _CountedTable:
    """A checked table; column -1 is the class."""

    def __init__(
        self,
        codes: ArrayLike,
        labels: ArrayLike,
        feature_states: Sequence[Sequence[str]] | None,
        feature_names: Sequence[str] | None,
        target: str,
        laplace: float,
        sample_weight: ArrayLike | None,
    ) -> None:
        codes, feature_names = named_columns(codes, feature_names)
        rows = np.asarray(codes)
        if rows.ndim != 2 or rows.dtype.kind not in "iu" or 0 in rows.shape:
            raise DataError(
                f"codes has shape {rows.shape} of {rows.dtype}; give positions of "
                "states, one row a sample and one column a feature."
            )
        if not laplace >= 0 or not np.isfinite(laplace):
            raise DataError(f"laplace is {shown(laplace)}; give a number, 0 or more.")
        classes, places = np.unique(np.asarray(labels), return_inverse=True)
        self.laplace = float(laplace)
        self.target = target
        self.classes = tuple(str(label) for label in classes)
        self.states = _checked_states(rows, feature_states)
        self.names = _checked_names(rows.shape[1], feature_names, target)
        self.weights = row_weights(sample_weight, len(rows))
        if len(places) != len(rows):
            raise DataError(f"There are {len(rows)} rows, but {len(places)} labels.")
        self.columns = np.column_stack([rows, places])
        self.cardinalities = [*(len(of) for of in self.states), len(classes)]

    def counts(self, columns: Sequence[int]) -> Counts:
        """Return the weight of each joint state of some columns, with imagined rows."""
        shape = tuple(self.cardinalities[j] for j in columns)
        place = np.ravel_multi_index(tuple(self.columns[:, list(columns)].T), shape)
        found = np.bincount(place, self.weights, minlength=int(np.prod(shape)))
        return np.asarray(found.reshape(shape) + self.laplace, dtype=np.float64)

    def shared_information(self, i: int, j: int) -> float:
        """Return I(feature i; feature j | class), in nats."""
        both = self.counts((-1, i, j))
        both /= both.sum()
        first, second = both.sum(axis=2, keepdims=True), both.sum(axis=1, keepdims=True)
        # I(X; Y | C) = sum p(c, x, y) log p(c, x, y) p(c) / (p(c, x) p(c, y)).
        apart = first * second / both.sum(axis=(1, 2), keepdims=True).clip(1e-300)
        seen = both > 0
        return float((both[seen] * np.log(both[seen] / apart[seen])).sum())

    def network(
        self, parents: Mapping[str, tuple[str, ...]], given: Sequence[tuple[int, ...]]
    ) -> BayesianNetwork:
        """Return the network of these parents, given as columns."""
        states = dict(zip(self.names, self.states, strict=True))
        tables = {
            name: _shares(self.counts((*given[j], j)))
            for j, name in enumerate(self.names)
        }
        return BayesianNetwork(
            {self.target: self.classes, **states},
            parents,
            {self.target: _shares(self.counts((-1,))), **tables},
        )


def _shares(counts: Counts) -> Counts:
    """Return each row as shares of it; a row of nothing is uniform."""
    sums = counts.sum(axis=-1, keepdims=True)
    uniform = np.full_like(counts, 1.0 / counts.shape[-1])
    return np.divide(counts, sums, out=uniform, where=sums > 0)


def _checked_states(
    rows: NDArray[np.integer], states: Sequence[Sequence[str]] | None
) -> tuple[tuple[str, ...], ...]:
    if rows.min() < 0:
        raise DataError(f"A code is {rows.min()}; count states from 0.")
    highest = rows.max(axis=0)
    if states is None:
        return tuple(tuple(str(k) for k in range(top + 1)) for top in highest)
    checked = tuple(tuple(str(state) for state in of) for of in states)
    if len(checked) != rows.shape[1]:
        raise DataError(
            f"There are {rows.shape[1]} features, but states of {len(checked)}; list "
            "the states of each feature."
        )
    for j, (top, of) in enumerate(zip(highest, checked, strict=True)):
        if top >= len(of):
            raise DataError(
                f"Column {j} holds the code {top}, but has {len(of)} states; name "
                "every state."
            )
    return checked


def _checked_names(
    n_features: int, names: Sequence[str] | None, target: str
) -> tuple[str, ...]:
    if names is None:
        return generic_names(n_features)
    checked = tuple(str(name) for name in names)
    if len(checked) != n_features or len({*checked, target}) != n_features + 1:
        raise DataError(
            f"There are {n_features} features and the class {shown(target)}, but the "
            f"names {', '.join(checked[:8])}; give each a name of its own."
        )
    return checked
