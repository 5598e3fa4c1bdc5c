"""Finding a labelling of smallest energy: min-sum, then single-node descent."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from .belief_propagation import max_product
from .pairwise import PairwiseModel

__all__ = ["descend", "minimise_energy"]

# Improvements below this are rounding, and would let descent go round in circles.
SLACK = 1e-12


def minimise_energy(
    energies: PairwiseModel, starts: Iterable[NDArray[np.intp]] = ()
) -> NDArray[np.intp]:
    """Return a labelling of low energy; of the lowest on forests.

    Damped min-sum proposes one labelling and every node by itself another; each, and
    each of `starts`, is improved by changing nodes while that lowers the energy. The
    best one is returned.

    Parameters
    ----------
    energies : PairwiseModel
        What to minimise.
    starts : iterable of ndarray of int, shape (n,), optional
        Other labellings to improve.

    Returns
    -------
    ndarray of int, shape (n,)

    See Also
    --------
    solvers.markov.exact_minimum : The optimum, by integer programming.
    """
    proposals = [
        max_product(energies.negated()),
        np.argmin(energies.node_tables, axis=1),
        *starts,
    ]
    improved = [descend(energies, labels) for labels in proposals]
    return min(improved, key=energies.total)


def descend(energies: PairwiseModel, labels: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return a labelling that no change of one node improves; energy never rises.

    Each round changes every node that gains more by it than any of its neighbours,
    so no two that are linked change at once.

    Parameters
    ----------
    energies : PairwiseModel
        What to minimise.
    labels : ndarray of int, shape (n,)
        Where to start.

    Returns
    -------
    ndarray of int, shape (n,)
    """
    labels = np.array(labels, dtype=np.intp)
    nodes = np.arange(len(labels))
    while True:
        local = _local_energies(energies, labels)
        best = np.argmin(local, axis=1)
        gains = local[nodes, labels] - local[nodes, best]
        if not (gains > SLACK).any():
            return labels
        moving = _local_maxima(gains, energies.edges)
        labels[moving] = best[moving]


def _local_energies(
    energies: PairwiseModel, labels: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Return, (n, L), the energy at each node for each label, others held."""
    i, j = energies.edges.T
    every = np.arange(len(i))
    from_first = energies.edge_tables[every, labels[i], :]
    from_second = energies.edge_tables[every, :, labels[j]]
    columns = [
        np.bincount(i, from_second[:, label], len(labels))
        + np.bincount(j, from_first[:, label], len(labels))
        for label in range(energies.n_labels)
    ]
    return energies.node_tables + np.stack(columns, axis=1)


def _local_maxima(
    gains: NDArray[np.float64], edges: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Return the nodes that gain most among their neighbours; ties go to the first."""
    moving = gains > SLACK
    i, j = edges.T
    first = (gains[i] > gains[j]) | ((gains[i] == gains[j]) & (i < j))
    moving[j[first]] = False
    moving[i[~first]] = False
    return moving
