"""Nodes of a hypergraph never fall on each other."""

import numpy as np
from hypothesis import given, settings
from scipy import sparse

from explorer.document.drawing import MAX_NODES
from explorer.document.hypergraph_layout import lay_out, places
from solvers import FeatureHypergraph
from tests.each import each
from tests.fuzz.bounded import bounded, counted_calls
from tests.strategies import hypergraphs


@given(hypergraphs(max_features=12, max_components=14))
def test_no_two_nodes_share_a_place(hypergraph):
    layout = lay_out(hypergraph)
    nodes = np.vstack([layout.components, layout.features])
    assert len(np.unique(nodes.round(9), axis=0)) == len(nodes)


@given(hypergraphs())
def test_features_stand_below_their_components(hypergraph):
    layout = lay_out(hypergraph)
    rows, columns = hypergraph.incidence.nonzero()
    assert np.all(layout.components[rows, 1] > layout.features[columns, 1])


@given(hypergraphs())
def test_bounds_hold_every_node(hypergraph):
    layout = lay_out(hypergraph)
    left, right, bottom, top = layout.bounds
    nodes = np.vstack([layout.components, layout.features])
    assert nodes[:, 0].min() >= left
    assert nodes[:, 0].max() <= right
    assert nodes[:, 1].min() >= bottom
    assert nodes[:, 1].max() <= top


@each("shared", [1, 2])
def test_the_most_blocks_are_laid_out_while_nobody_waits(shared):
    n = MAX_NODES // 2  # a table of as many columns, each with its own price or half
    needs = sparse.hstack([sparse.eye_array(n // shared)] * shared, format="csr")
    incidence = sparse.vstack([needs] * shared, format="csr")
    hypergraph = FeatureHypergraph(incidence, np.ones(n))
    with bounded(megabytes=100), counted_calls() as calls:
        lay_out(hypergraph)
    assert calls.total() < 2 * n


@settings(max_examples=25)
@given(hypergraphs())
def test_components_stand_above_their_features(hypergraph):
    components, features = places(hypergraph)
    rows, columns = hypergraph.incidence.nonzero()
    assert (components[rows, 1] < features[columns, 1]).all()  # y grows downwards


def test_lines_of_a_block_are_as_long_as_each_other_and_seven_boxes_are_one():
    """On a line of its own one of them has links behind the boxes of the first."""
    for n, lines in ((7, 1), (11, 2)):
        shared = sparse.csr_array(np.ones((1, n)))
        incidence = sparse.vstack([shared, sparse.eye_array(n)], format="csr")
        alone = sparse.eye_array(4, format="csr")
        graph = FeatureHypergraph(
            sparse.block_diag([incidence, alone], format="csr"), np.ones(n + 5)
        )
        _, features = places(graph)
        counts = np.unique(features[:n, 1], return_counts=True)[1]
        assert len(counts) == lines
        assert counts.max() - counts.min() <= 1
