"""Naive Bayes and tree-augmented naive Bayes from a table of states."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeAlias

import networkx as nx
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import row_weights
from ..costs.alignment import generic_names, named_columns
from ..errors import DataError, NetworkError, shown
from .network import BayesianNetwork

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
