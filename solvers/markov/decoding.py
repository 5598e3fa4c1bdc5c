"""Finding a labelling of smallest energy: exactly where cheap, else by min-sum."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, milp

from ..errors import DataError
from .belief_propagation import max_product
from .engines import exact_maximum
from .forests import peel
from .pairwise import PairwiseModel

# Improvements below this are rounding, and would let descent go round in circles.
SLACK = 1e-12
# Numbers of nodes up to which elimination is tried first, or second: it takes
# milliseconds for hundreds of nodes.
SMALL, MEDIUM = 60, 1000


def minimise_energy(
    energies: PairwiseModel, starts: Iterable[NDArray[np.intp]] = ()
) -> NDArray[np.intp]:
    """Return a labelling of low energy; of the lowest on forests.

    Forests of any size and small graphs are solved exactly, by elimination. On others
    damped min-sum proposes one labelling and every node by itself another; each, and
    each of `starts`, is improved by changing nodes while that lowers the energy, and
    the best is returned.
    Where min-sum does not come to rest, elimination is tried all the same.

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
    return decode(energies, starts).labels


class Decoded(NamedTuple):
    """Labels of low energy, and whether there is no sign of lower ones.

    `settled` where elimination proved them lowest, or min-sum came to rest at labels
    that nothing improved.
    """

    labels: NDArray[np.intp]
    settled: bool


def decode(energies: PairwiseModel, starts: Iterable[NDArray[np.intp]] = ()) -> Decoded:
    """Return what `minimise_energy` finds, and how far it can be trusted."""
    n = energies.n_nodes
    forest = peel(n, energies.edges)
    if forest is not None:
        return Decoded(forest.maximum(energies.negated()), True)
    exact = _by_elimination(energies) if n <= SMALL else None
    if exact is not None:
        return Decoded(exact, True)
    preferred, converged = max_product(energies.negated())
    exact = _by_elimination(energies) if not converged and SMALL < n <= MEDIUM else None
    if exact is not None:
        return Decoded(exact, True)
    proposals = [preferred, np.argmin(energies.node_tables, axis=1), *starts]
    improved = [descend(energies, labels) for labels in proposals]
    best = min(improved, key=energies.total)
    lowest = energies.total(best)
    slack = SLACK * max(1.0, abs(lowest))
    return Decoded(best, converged and energies.total(preferred) <= lowest + slack)


def _by_elimination(energies: PairwiseModel) -> NDArray[np.intp] | None:
    """Return a labelling of smallest energy; None where that takes too large tables."""
    try:
        return exact_maximum(energies.negated())
    except DataError:
        return None


def descend(energies: PairwiseModel, labels: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return a labelling that no change of one node improves; energy never rises.

    Each round changes every node that gains more by it than any of its neighbours,
    so no two that are linked change at once.

    Shapes: `labels` (n,) -> (n,).
    `labels`: where to start.
    """
    labels = np.array(labels, dtype=np.intp)
    nodes = np.arange(len(labels))
    while True:
        local = _local_energies(energies, labels)
        best = np.argmin(local, axis=1)
        gains = local[nodes, labels] - local[nodes, best]
        if not (gains > SLACK).any():
            return labels
        # Of two linked nodes one moves: each one's gain holds while the other stays.
        moving = _local_maxima(gains, energies.edges)
        labels[moving] = best[moving]


def _local_energies(
    energies: PairwiseModel, labels: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Return, (n, L), the energy at each node for each label, others held."""
    i, j = energies.edges.T
    every = np.arange(len(i))
    # Rows of each edge's table: energy of the one end's labels given the other's.
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


def exact_minimum(
    energies: PairwiseModel, *, time_limit: float = 60.0
) -> NDArray[np.intp]:
    """Return a labelling of smallest energy, by integer programming.

    One variable for each label of each node, whole, and one for each pair of labels
    of each edge, which is whole once the nodes are.

    Parameters
    ----------
    energies : PairwiseModel
        What to minimise.
    time_limit : float, default=60.0
        Seconds after which to give up.

    Returns
    -------
    ndarray of int, shape (n,)

    Raises
    ------
    DataError
        If no optimum was proven within the time.
    """
    n, n_labels = energies.node_tables.shape
    n_node_variables = n * n_labels
    objective = np.concatenate(
        [energies.node_tables.ravel(), energies.edge_tables.ravel()]
    )
    matrix, values = _constraints(energies)
    result = milp(
        objective,
        integrality=(np.arange(len(objective)) < n_node_variables).astype(int),
        bounds=Bounds(0.0, 1.0),
        constraints=LinearConstraint(matrix, values, values),
        options={"time_limit": time_limit, "mip_rel_gap": 0.0},
    )
    if result.status != 0:
        raise DataError(
            f"No optimum was proven within {time_limit:g} seconds for {n} nodes; give "
            "more time or a smaller graph."
        )
    return np.argmax(result.x[:n_node_variables].reshape(n, n_labels), axis=1)


def _constraints(
    energies: PairwiseModel,
) -> tuple[sparse.csr_array, NDArray[np.float64]]:
    """Return rows and right-hand sides: one label a node; edges agree with nodes."""
    n, n_labels = energies.node_tables.shape
    n_edges = len(energies.edges)
    # sum_l x_i(l) = 1; sum_b x_e(a, b) = x_i(a) and sum_a x_e(a, b) = x_j(b).
    one = np.ones((1, n_labels))
    identity = sparse.eye_array(n_labels)
    normal = sparse.kron(sparse.eye_array(n), one)
    blocks = [[normal, None]] if n_edges else [[normal]]
    for end, sums in enumerate(
        (sparse.kron(identity, one), sparse.kron(one, identity))
    ):
        if n_edges:
            picks = sparse.csr_array(
                (np.ones(n_edges), (np.arange(n_edges), energies.edges[:, end])),
                shape=(n_edges, n),
            )
            pairs = sparse.kron(sparse.eye_array(n_edges), sums)
            blocks.append([-sparse.kron(picks, identity), pairs])
    values = np.concatenate(
        [np.ones(n), np.zeros((len(blocks) - 1) * n_edges * n_labels)]
    )
    return sparse.csr_array(sparse.block_array(blocks)), values
