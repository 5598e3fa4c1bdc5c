"""Blocks and bytes are those of the hypergraphs."""

import numpy as np

from solvers.datasets import make_gaussian
from solvers.papers.figures import figure_table
from tests.each import each


@each("name", ["6", "8", "10", "blocks"])
def test_blocks_are_those_of_the_hypergraph(rows, name):
    for row in rows[name]:
        graph = make_gaussian(row.psi, row.n_features, 100).hypergraph
        labels = graph.connected_components()[1]
        if name in ("6", "10"):  # there the table has other rows
            graph = make_gaussian(row.psi, row.n_features, 200).hypergraph
            labels = graph.connected_components()[1]
        assert row.n_blocks == len(set(labels))
        assert row.largest_block == np.bincount(labels).max()


def test_dense_memory_grows_with_the_square_and_sparse_does_not(rows):
    table = figure_table(rows["9"]).set_index(["procedure", "n_features"]).megabytes
    assert table["CAFH as published", 162] / table["CAFH as published", 54] > 8
    assert table["Sparse (ours)", 162] / table["Sparse (ours)", 54] < 3.1
