"""Tables over nodes and edges add up as they are written."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.markov.pairwise import linear_scores
from tests.markov.reference import (
    all_labels,
    random_graph,
    random_model,
    random_weights,
)

seeds = st.integers(0, 9_999)


@given(seeds, st.integers(2, 3))
@settings(max_examples=20)
def test_a_total_is_the_sum_over_nodes_and_edges(seed, n_labels):
    model = random_model(seed, n=5, n_labels=n_labels, n_extra=2)
    for labels in all_labels(5, n_labels)[::17]:
        wanted = sum(model.node_tables[i, label] for i, label in enumerate(labels))
        for (i, j), table in zip(model.edges, model.edge_tables, strict=True):
            wanted += table[labels[i], labels[j]]
        assert model.total(labels) == pytest.approx(wanted)


@given(seeds)
@settings(max_examples=10)
def test_energies_are_scores_turned_over(seed):
    model = random_model(seed)
    labels = np.zeros(6, dtype=int)
    assert model.negated().total(labels) == -model.total(labels)
    assert (model.negated().negated().node_tables == model.node_tables).all()


@given(seeds, st.integers(2, 3))
@settings(max_examples=20)
def test_scores_of_labels_are_attributes_and_links_times_their_weights(seed, n_labels):
    graph = random_graph(seed, 5, n_labels, 2)
    nodes, edges = random_weights(seed, n_labels=n_labels)
    scores = linear_scores(graph, nodes, edges)
    labels = graph.truth
    wanted = sum(graph.attributes[i] @ nodes[:, labels[i]] for i in range(5))
    wanted += sum(edges[labels[i], labels[j]] for i, j in graph.edges)
    assert scores.total(labels) == pytest.approx(wanted)
