"""Selections of each size stand once, of both kinds of traffic."""

from solvers.papers.figures import figure_table
from tests.each import each


@each("name", ["4", "5"])
def test_each_size_of_selection_stands_once(rows, name):
    table = figure_table(rows[name])
    assert not table.duplicated(["data", "method", "n_features"]).any()
    assert (table.n_components[table.n_features > 0] > 0).all()


def test_traffic_of_both_directions_and_of_the_total_are_compared(rows):
    table = figure_table(rows["5"])
    most = table.groupby("data").n_features.max()
    assert most["run 1, bidirectional"] > 18 >= most["run 1, unidirectional"] > 0
