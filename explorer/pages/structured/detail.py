"""One node or one link under the lens: its costs, its marginals, what it expects."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solvers.markov import CostGraph, Labelling

# More pairs of labels than this make a table that nobody reads.
MAX_PAIRS = 9


@dataclass(frozen=True, eq=False)
class Detail:
    """What there is to say of a node or a link."""

    title: str  # Which one, what it is called, what it is, and what is paid
    choices: tuple[str, ...]  # Labels, or pairs of labels
    predicted: int  # Places of the predicted and the true choice
    true: int
    # A heading and a number for each choice
    columns: tuple[tuple[str, NDArray[np.float64]], ...]
    # (k, k) Cost of calling it the choice of a row where that of a column is true; None
    # if there are too many choices
    costs: NDArray[np.float64] | None


def meaning(decision: Labelling) -> tuple[str, str]:
    """Return what marginals and energies of a decision are."""
    if decision.trace is not None:
        return "q, scaled by losses", "expected loss-scaled score (nats)"
    if decision.beliefs is None:
        return "", "minus score (nats)"
    return "probability", "expected cost"


def node_detail(
    graph: CostGraph, decision: Labelling, node: int, labels: tuple[str, ...]
) -> Detail:
    """Return what there is to say of a node."""
    predicted, true = int(decision.labels[node]), int(graph.truth[node])
    marginal, energy = meaning(decision)
    columns = []
    if decision.beliefs is not None:
        columns.append((marginal, decision.beliefs.node[node]))
    if decision.energies is not None:
        alone = decision.energies.node_tables[node]
        columns.append((f"{energy}, node alone", alone))
        linked = alone + _from_links(decision, node)
        columns.append((f"{energy}, with its links as decided", linked))
    paid = graph.node_costs[node, predicted, true]
    name = graph.node_names[node] if graph.node_names else str(node)
    return Detail(
        f"Node {name}: called {labels[predicted]}, is {labels[true]}, pays {paid:.2f}",
        labels,
        predicted,
        true,
        tuple(columns),
        graph.node_costs[node],
    )


def edge_detail(
    graph: CostGraph, decision: Labelling, edge: int, labels: tuple[str, ...]
) -> Detail:
    """Return what there is to say of a link."""
    i, j = graph.edges[edge].tolist()
    n_labels = len(labels)
    called = decision.labels[[i, j]]
    true = graph.truth[[i, j]]
    pairs = tuple(f"{one}, {other}" for one in labels for other in labels)
    marginal, energy = meaning(decision)
    columns = []
    if decision.beliefs is not None:
        columns.append((marginal, decision.beliefs.edge[edge].ravel()))
    if decision.energies is not None:
        columns.append((energy, decision.energies.edge_tables[edge].ravel()))
    costs = graph.edge_costs[edge].reshape(n_labels**2, n_labels**2)
    predicted, truth = (int(pair[0] * n_labels + pair[1]) for pair in (called, true))
    names = graph.node_names or tuple(str(k) for k in range(graph.n_nodes))
    return Detail(
        f"Link {names[i]} to {names[j]}: called {pairs[predicted]}, is {pairs[truth]}, "
        f"pays {costs[predicted, truth]:.2f}",
        pairs,
        predicted,
        truth,
        tuple(columns),
        costs if len(pairs) <= MAX_PAIRS else None,
    )


def _from_links(decision: Labelling, node: int) -> NDArray[np.float64]:
    """Return what the links of a node add for each label, other ends as decided."""
    energies, labels = decision.energies, decision.labels
    if energies is None:
        return np.zeros(0)
    i, j = energies.edges.T
    out, into = np.flatnonzero(i == node), np.flatnonzero(j == node)
    return energies.edge_tables[out, :, labels[j[out]]].sum(
        axis=0
    ) + energies.edge_tables[into, labels[i[into]], :].sum(axis=0)
