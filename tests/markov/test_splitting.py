"""Parts of one graph hold every node once, and only links of their own."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.errors import DataError, KnobError
from solvers.markov import misclassification_cost, read_graph, split_graph, write_graph
from solvers.markov.growth import grow_graph
from solvers.markov.splitting import induced_graph


@given(st.integers(0, 1000), st.integers(2, 5))
@settings(max_examples=25, deadline=None)
def test_every_node_is_in_one_part(seed, n_parts):
    graph = grow_graph(40, extra_links=0.1, random_state=seed)
    parts = split_graph(graph, n_parts)
    rows = np.concatenate([part.attributes for part in parts])
    assert sorted(rows.tolist()) == sorted(graph.attributes.tolist())
    sizes = [part.n_nodes for part in parts]
    assert max(sizes) - min(sizes) <= 1


def test_an_induced_graph_keeps_prices_names_and_links_among_its_nodes(tmp_path):
    graph = read_graph(*write_graph(grow_graph(30, random_state=0), tmp_path))
    nodes = np.arange(5, 25)
    part = induced_graph(graph, nodes)
    inside = np.isin(graph.edges, nodes).all(axis=1)
    assert np.array_equal(part.edges + 5, graph.edges[inside])
    assert np.array_equal(part.edge_costs, graph.edge_costs[inside])
    assert np.array_equal(part.node_costs, graph.node_costs[nodes])
    assert part.node_names == graph.node_names[5:25]


def test_all_nodes_induce_the_graph_itself():
    graph = grow_graph(30, random_state=0)
    whole = induced_graph(graph, np.arange(30))
    wrong = 1 - graph.truth
    assert misclassification_cost(whole, wrong) == misclassification_cost(graph, wrong)


def test_most_links_stay_inside_parts():
    graph = grow_graph(60, label_agreement=0.5, extra_links=0.0, random_state=1)
    parts = split_graph(graph)
    lost = graph.n_edges - sum(part.n_edges for part in parts)
    assert lost < graph.n_edges / 2


def test_too_few_nodes_or_parts_are_refused():
    graph = grow_graph(2, random_state=0)
    with pytest.raises(DataError, match="2 nodes for 3 parts"):
        split_graph(graph)
    with pytest.raises(KnobError, match="n_parts is 1"):
        split_graph(graph, 1)
