"""The labelling of smallest energy, proven by HiGHS."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, milp

from ..errors import DataError
from .pairwise import PairwiseModel


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
