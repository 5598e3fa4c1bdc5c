"""Prices of mistakes as rows of a table, and as arrays, there and back."""

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.errors import InterchangeError
from solvers.markov import own_data as cost_tables
from solvers.markov.own_data import (
    Price,
    edge_cost_array,
    edge_price_table,
    node_cost_array,
    node_price_table,
    read_edge_prices,
    read_node_prices,
)
from tests.each import each
from tests.markov.reference import random_graph

LABELS = {"dark": 0, "lit": 1}
NODES = {"n0": 0, "n1": 1, "n2": 2}
LINKS = {(0, 1): 0, (2, 1): 1}


def _text(rows):
    return io.StringIO("".join(",".join(map(str, row)) + "\n" for row in rows))


@given(st.integers(0, 999), st.integers(2, 3))
@settings(max_examples=25)
def test_costs_that_are_written_are_read_to_the_last_bit(seed, n_labels):
    graph = random_graph(seed, 4, n_labels, n_extra=1)
    labels = [f"l{k}" for k in range(n_labels)]
    names = [f"n{k}" for k in range(4)]
    index = {name: k for k, name in enumerate(names)}
    codes = {label: k for k, label in enumerate(labels)}
    links = {tuple(ends): k for k, ends in enumerate(graph.edges.tolist())}
    on_nodes = read_node_prices(_text(node_price_table(graph, names, labels)), index)
    assert (node_cost_array(on_nodes, 4, codes) == graph.node_costs).all()
    on_edges = read_edge_prices(
        _text(edge_price_table(graph, names, labels)), index, links
    )
    found = edge_cost_array(on_edges, graph.n_edges, codes)
    assert (found == graph.edge_costs).all()


def test_without_prices_every_mistake_at_a_node_costs_one():
    wanted = [[0.0, 1.0], [1.0, 0.0]]
    assert node_cost_array(None, 2, LABELS).tolist() == [wanted, wanted]


@each("turned", [False, True])
def test_a_row_for_one_place_counts_above_a_row_for_all(turned):
    prices = [Price(1, ("dark", "lit"), 9.0), Price(None, ("dark", "lit"), 2.0)]
    found = node_cost_array(prices[::-1] if turned else prices, 3, LABELS)
    assert found[:, 0, 1].tolist() == [2.0, 9.0, 2.0]
    assert found[:, 1, 0].tolist() == [0.0] * 3


def test_an_edge_is_found_in_either_direction_and_its_labels_turn_with_it():
    header = (
        "source,target,predicted_source,predicted_target,true_source,true_target,cost\n"
    )
    rows = "n1,n2,lit,dark,dark,dark,4\n,,lit,lit,dark,dark,1\n"
    turned, everywhere = read_edge_prices(io.StringIO(header + rows), NODES, LINKS)
    assert turned == Price(1, ("dark", "lit", "dark", "dark"), 4.0)
    assert everywhere.place is None
    costs = edge_cost_array([turned, everywhere], 2, LABELS)
    assert costs[1, 0, 1, 0, 0] == 4.0
    assert (costs[:, 1, 1, 0, 0] == 1.0).all()
    assert costs.sum() == 6.0


@each(
    ("row", "sentence"),
    [
        ("n9,dark,lit,1", "Line 2 of the file names the node 'n9'"),
        ("n0,,lit,1", "has nothing in column 'predicted'; name a label"),
        ("n0,dark,lit,much", "'much'"),
        ("n0,dark,lit,inf", "give a finite number"),
    ],
)
def test_rows_of_node_costs_that_say_nothing_are_refused(row, sentence):
    text = io.StringIO(f"node,predicted,true,cost\n{row}\n")
    with pytest.raises(InterchangeError) as refusal:
        read_node_prices(text, NODES)
    assert sentence in str(refusal.value)


def test_a_price_of_an_edge_that_does_not_exist_is_refused():
    text = io.StringIO(
        "source,target,predicted_source,predicted_target,true_source,true_target,cost\n"
        "n0,n2,lit,lit,dark,dark,1\n"
    )
    with pytest.raises(InterchangeError, match="from 'n0' to 'n2', which does not"):
        read_edge_prices(text, NODES, LINKS)


def test_costs_that_would_fill_the_memory_are_refused(monkeypatch):
    monkeypatch.setattr(cost_tables, "MAX_ENTRIES", 31)
    with pytest.raises(InterchangeError, match="2 x 2 x 2 x 2 x 2 numbers"):
        edge_cost_array([], 2, LABELS)
    assert np.shape(node_cost_array([], 2, LABELS)) == (2, 2, 2)
