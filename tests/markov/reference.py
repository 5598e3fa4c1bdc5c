"""Small graphs at random, and what enumerating all their labellings says."""

from itertools import product

import numpy as np
from scipy.special import logsumexp, softmax

from solvers.markov import CostGraph, PairwiseModel


def random_edges(rng, n, n_extra):
    """A random tree on n nodes, plus some more links."""
    edges = [(int(rng.integers(0, k)), k) for k in range(1, n)]
    free = [(i, j) for i in range(n) for j in range(i + 1, n) if (i, j) not in edges]
    more = rng.permutation(len(free))[:n_extra]
    edges = np.array(edges + [free[k] for k in more], dtype=int).reshape(-1, 2)
    flipped = rng.random(len(edges)) < 0.5
    edges[flipped] = edges[flipped, ::-1]
    return edges


def random_model(seed, n=6, n_labels=2, n_extra=0, strength=1.0):
    rng = np.random.default_rng(seed)
    edges = random_edges(rng, n, n_extra)
    return PairwiseModel(
        strength * rng.normal(size=(n, n_labels)),
        edges,
        strength * rng.normal(size=(len(edges), n_labels, n_labels)),
    )


def random_graph(seed, n=6, n_labels=2, n_extra=0, n_attributes=3):
    """A graph with costs of its own on every node and edge."""
    rng = np.random.default_rng(seed)
    edges = random_edges(rng, n, n_extra)
    wrong = 1.0 - np.eye(n_labels)
    hamming = wrong[:, None, :, None] + wrong[None, :, None, :]
    return CostGraph(
        rng.normal(size=(n, n_attributes)),
        edges,
        rng.integers(0, n_labels, n),
        2 * wrong * rng.random((n, n_labels, n_labels)),
        hamming / 2 * rng.random((len(edges), *(n_labels,) * 4)),
    )


def random_weights(seed, n_attributes=3, n_labels=2, scale=1.0):
    """Weights of attributes, and of unordered pairs of labels."""
    rng = np.random.default_rng([seed, 1])
    edges = rng.normal(size=(n_labels, n_labels))
    return (
        scale * rng.normal(size=(n_attributes, n_labels)),
        scale * (edges + edges.T) / 2,
    )


def all_labels(n, n_labels):
    return np.array(list(product(range(n_labels), repeat=n)))


def all_totals(model):
    """Value of every labelling."""
    labels = all_labels(model.n_nodes, model.n_labels)
    return labels, np.array([model.total(row) for row in labels])


def enumerate_beliefs(model):
    """Marginals of nodes and of edges, and log Z."""
    labels, totals = all_totals(model)
    chances = softmax(totals)
    eye = np.eye(model.n_labels)
    nodes = np.einsum("k,kil->il", chances, eye[labels])
    i, j = model.edges.T
    edges = np.einsum("k,kea,keb->eab", chances, eye[labels[:, i]], eye[labels[:, j]])
    return nodes, edges, logsumexp(totals)
