"""Random graphs that grow link by link, with labels that agree across links.

>>> from solvers.markov import grow_graphs
>>> grow_graphs(1, 300, label_agreement=0.85, extra_links=0.25, random_state=0)
[CostGraph(300 nodes, 390 edges, 2 labels, 9 attributes)]
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from ..checks import RandomState, as_generator, check_choice, check_count, check_number
from .graph import CostGraph

Attachment: TypeAlias = Literal["in", "out"]

MAX_NODES = 200_000
MAX_EXTRA_LINKS = 0.95
MAX_STRENGTH = 0.5

# The paper names no probabilities. Eight attributes at different levels, some of which
# tell more than others; half speak for each label. Gaps are in units of the strength.
LEVELS = np.linspace(0.35, 0.65, 8)[[3, 0, 6, 1, 7, 4, 2, 5]]
GAPS = np.linspace(0.6, 1.6, 8) * np.tile([1.0, -1.0], 4)


def grow_graphs(
    n_graphs: int = 3,
    n_nodes: int = 300,
    *,
    label_agreement: float = 0.85,
    extra_links: float = 0.25,
    attribute_strength: float = 0.25,
    attachment: Attachment = "in",
    random_state: int | None = None,
) -> list[CostGraph]:
    """Return graphs grown as in Algorithm 1 of [1]_, with random costs.

    Each step links a node to one that is there: mostly a new node, sometimes an old
    one. Costs are uniform: up to 2 on nodes, up to half the number of wrong ends on
    edges, drawn anew for each node, edge and mistake.

    Parameters
    ----------
    n_graphs : int, default=3
        How many, each from a seed of its own.
    n_nodes : int, default=300
        Number of nodes of each.
    label_agreement : float, default=0.85
        ρ: chance that a link seeks a node of the same label, from 0 to 1.
    extra_links : float, default=0.25
        α: chance that a step links two old nodes, from 0 to 0.95; there are about
        ``n_nodes / (1 - extra_links)`` edges.
    attribute_strength : float, default=0.25
        δ: how far attributes differ between labels, from 0 to 0.5.
    attachment : {"in", "out"}, default="in"
        Which links make a node likely to be linked to: those it received ("in", gives
        hubs) or those it made ("out", the paper's letter, which gives none).
    random_state : int or None, default=None
        Seed of them all.

    Returns
    -------
    list of CostGraph
        With two labels, eight attributes of 0 and 1, and a last column of ones.

    Raises
    ------
    KnobError
        If an argument is out of range.

    Notes
    -----
    The paper leaves open how a graph starts. Here every node counts one link more than
    it has, the first node makes no link, and a link that finds no node of its kind, or
    that is there already, is left out.

    References
    ----------
    .. [1] Sen and Getoor (2006), Algorithms 1 and 2.
    """
    check_count("n_graphs", n_graphs, 1)
    return [
        grow_graph(
            n_nodes,
            label_agreement=label_agreement,
            extra_links=extra_links,
            attribute_strength=attribute_strength,
            attachment=attachment,
            random_state=rng,
        )
        for rng in as_generator(random_state).spawn(n_graphs)
    ]


def grow_graph(
    n_nodes: int = 300,
    *,
    label_agreement: float = 0.85,
    extra_links: float = 0.25,
    attribute_strength: float = 0.25,
    attachment: Attachment = "in",
    random_state: RandomState = None,
) -> CostGraph:
    """Return one graph, as `grow_graphs` returns several."""
    check_growth(n_nodes, label_agreement, extra_links, attribute_strength, attachment)
    rng = as_generator(random_state)
    labels = rng.integers(0, 2, n_nodes)
    edges = _grow(labels.tolist(), label_agreement, extra_links, attachment, rng)
    chances = attribute_probabilities(attribute_strength)[labels]
    attributes = (rng.random(chances.shape) < chances).astype(float)
    return CostGraph(
        np.column_stack([attributes, np.ones(n_nodes)]),
        edges,
        labels,
        *random_costs(n_nodes, len(edges), rng),
    )


def check_growth(
    n_nodes: int = 300,
    label_agreement: float = 0.85,
    extra_links: float = 0.25,
    attribute_strength: float = 0.25,
    attachment: Attachment = "in",
) -> None:
    """Refuse arguments of `grow_graph` that are out of range."""
    check_count("n_nodes", n_nodes, 2, MAX_NODES)
    check_number("label_agreement", label_agreement, 0.0, 1.0)
    check_number("extra_links", extra_links, 0.0, MAX_EXTRA_LINKS)
    check_number("attribute_strength", attribute_strength, 0.0, MAX_STRENGTH)
    check_choice("attachment", attachment, get_args(Attachment))


def attribute_probabilities(attribute_strength: float) -> NDArray[np.float64]:
    """Return the chance that each attribute is 1, for each label.

    Shape: (2, 8).
    """
    half = attribute_strength * GAPS / 2
    return np.stack([LEVELS - half, LEVELS + half])


def attribute_accuracy(attribute_strength: float) -> float:
    """Return the best accuracy that attributes alone allow.

    Parameters
    ----------
    attribute_strength : float
        δ, from 0 to 0.5.

    Returns
    -------
    float
        0.806 at the default strength of 0.25.
    """
    check_number("attribute_strength", attribute_strength, 0.0, MAX_STRENGTH)
    chances = attribute_probabilities(attribute_strength)
    rows = np.array(list(product([False, True], repeat=chances.shape[1])))
    # Bayes accuracy under equal priors: the larger likelihood of each pattern.
    likelihoods = [np.where(rows, p, 1 - p).prod(axis=1) for p in chances]
    return float(np.maximum(*likelihoods).sum() / 2)


def random_costs(
    n_nodes: int, n_edges: int, rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return costs that differ from node to node and edge to edge, for two labels.

    Shape: `node_costs` (n_nodes, 2, 2), `edge_costs` (n_edges, 2, 2, 2, 2).
    """
    wrong = 1.0 - np.eye(2)
    hamming = wrong[:, None, :, None] + wrong[None, :, None, :]
    return (
        2 * wrong * rng.random((n_nodes, 2, 2)),
        hamming / 2 * rng.random((n_edges, 2, 2, 2, 2)),
    )


def _grow(
    labels: list[int],
    label_agreement: float,
    extra_links: float,
    attachment: Attachment,
    rng: np.random.Generator,
) -> NDArray[np.intp]:
    """Return the edges, (E, 2), from the node that made the link to the other."""
    # Each node stands in its label's urn once, and once more for each link that counts.
    urns: tuple[list[int], list[int]] = ([], [])
    edges: dict[tuple[int, int], None] = {}
    draw = _uniform(rng)
    added = 0
    while added < len(labels):
        # Algorithm 1: with chance α an old node makes a link, else a new one.
        is_old = added > 0 and next(draw) <= extra_links
        maker = int(next(draw) * added) if is_old else added
        same = next(draw) <= label_agreement
        taker = _pick(urns[labels[maker] if same else 1 - labels[maker]], maker, draw)
        if taker is not None:
            if (taker, maker) not in edges:
                edges[maker, taker] = None
            # Preferential attachment: an urn draw is by 1 + links that count.
            counted = taker if attachment == "in" else maker
            urns[labels[counted]].append(counted)
        if not is_old:
            urns[labels[maker]].append(maker)
            added += 1
    return np.array(list(edges), dtype=np.intp).reshape(-1, 2)


def _uniform(rng: np.random.Generator) -> Iterator[float]:
    """Yield uniform numbers, drawn in blocks."""
    while True:
        yield from rng.random(1024).tolist()


def _pick(urn: list[int], maker: int, draw: Iterator[float]) -> int | None:
    """Return a node of the urn other than the maker; None if there is none."""
    if not urn or (urn[0] == maker and all(node == maker for node in urn)):
        return None
    while True:
        node = urn[int(next(draw) * len(urn))]
        if node != maker:
            return node
