"""A person's own tables become the graph that they describe."""

import io
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.errors import DataError, InterchangeError, ThriftscopeError
from solvers.markov import (
    CostGraph,
    CostSensitiveMarkovNetwork,
    read_graph,
    write_graph,
)
from solvers.markov.growth import grow_graph
from solvers.values import AmbiguousCellError
from tests.each import each
from tests.markov.reference import random_graph

NODES = "id,label,age\nann,good,30\nbob,bad,40\ncat,good,50\n"
EDGES = "source,target\nann,bob\ncat,bob\n"
NODE_COSTS = "predicted,true,cost\ngood,bad,5\nbad,good,1\n"
EDGE_COSTS = (
    "source,target,predicted_source,predicted_target,true_source,true_target,cost\n"
)


def read(nodes=NODES, edges=EDGES, node_costs=None, edge_costs=None, **options):
    given = (node_costs, edge_costs)
    tables = [None if text is None else io.StringIO(text) for text in given]
    return read_graph(io.StringIO(nodes), io.StringIO(edges), *tables, **options)


def same(one: CostGraph, two: CostGraph) -> bool:
    parts = ("edges", "labels", "node_costs", "edge_costs")
    return all(np.array_equal(getattr(one, p), getattr(two, p)) for p in parts)


@given(st.integers(0, 1000), st.integers(2, 3))
@settings(max_examples=20)
def test_what_is_written_is_read(tmp_path_factory, seed, n_labels):
    graph = random_graph(seed, 6, n_labels, n_extra=2)
    folder = tmp_path_factory.mktemp("graph")
    again = read_graph(*write_graph(graph, folder), standardise=False)
    assert same(again, graph)
    assert np.array_equal(again.attributes[:, :-1], graph.attributes)


def test_a_column_of_ones_is_not_written_twice(tmp_path):
    graph = grow_graph(30, random_state=0)
    again = read_graph(*write_graph(graph, tmp_path), standardise=False)
    assert np.array_equal(again.attributes, graph.attributes)


def test_labels_are_numbered_in_sorted_order_and_names_kept():
    graph = read()
    assert graph.label_names == ("bad", "good")
    assert graph.labels.tolist() == [1, 0, 1]
    assert graph.node_names == ("ann", "bob", "cat")
    assert graph.edges.tolist() == [[0, 1], [2, 1]]


def test_attributes_are_scaled_and_ones_added():
    attributes = read().attributes
    assert np.allclose(attributes[:, 0], [-1.224745, 0.0, 1.224745])
    assert attributes[:, 1].tolist() == [1.0, 1.0, 1.0]
    assert read(standardise=False).attributes[:, 0].tolist() == [30.0, 40.0, 50.0]


@each(
    ("cells", "numbers"),
    [
        (['"1.234,5"', '"7,25"', "900"], [1234.5, 7.25, 900.0]),
        (['"1,234.5"', "7.25", "900"], [1234.5, 7.25, 900.0]),
        (["$1.50", "$20", '"$1,000.25"'], [1.5, 20.0, 1000.25]),
        (["12.5%", "50%", "0%"], [0.125, 0.5, 0.0]),
        (["1e3", ".5", "-2"], [1000.0, 0.5, -2.0]),
    ],
)
def test_numbers_are_read_as_their_column_writes_them(cells, numbers):
    rows = zip(("ann", "bob", "cat"), ("good", "bad", "good"), cells, strict=True)
    nodes = "id,label,age\n" + "".join(f"{','.join(row)}\n" for row in rows)
    assert read(nodes, standardise=False).attributes[:, 0].tolist() == numbers


def test_costs_are_read_as_their_column_writes_them():
    costs = 'predicted,true,cost\ngood,bad,"1.200,50 €"\nbad,good,7 €\n'
    found = read(node_costs=costs).node_costs[0]
    assert found.tolist() == [[0.0, 7.0], [1200.5, 0.0]]


@each("hint", ["", "sep={}\n"])
@each("mark", ";\t|")
def test_cells_are_parted_by_what_the_first_lines_tell(mark, hint):
    nodes, edges = (
        hint.format(mark) + text.replace(",", mark) for text in (NODES, EDGES)
    )
    assert same(read(nodes, edges), read())


def test_lines_are_counted_with_the_one_that_tells_what_parts_cells():
    with pytest.raises(InterchangeError, match=r"Line 4 of .* has 2 cells for 3"):
        read("sep=;\nid;label;age\nann;good;30\nbob;bad\n")


def test_what_nothing_tells_may_be_told():
    nodes = NODES.replace("30", "1.230").replace("40", "950")
    with pytest.raises(AmbiguousCellError, match=r"'1.230', which may be 1.23 .* 1230"):
        read(nodes)
    for decimal, first in [(".", 1.23), (",", 1230.0)]:
        graph = read(nodes, standardise=False, decimal=decimal)
        assert graph.attributes[0, 0] == first


@each("word", ["1_2", "３０", "nan", "inf", "1e999", ""])
def test_what_is_no_number_is_refused_with_its_line(word):
    with pytest.raises(InterchangeError, match=r"Line 2 of .* in column 'age'"):
        read(NODES.replace("30", word))


def test_mistakes_cost_one_and_edges_nothing_where_nothing_is_said():
    graph = read()
    assert graph.node_costs[0].tolist() == [[0.0, 1.0], [1.0, 0.0]]
    assert not graph.edge_costs.any()


def test_rows_without_a_node_hold_for_all_and_rows_with_one_for_it():
    costs = "node,predicted,true,cost\nbob,good,bad,9\n,good,bad,5\n,bad,good,1\n"
    graph = read(node_costs=costs)
    assert graph.node_costs[:, 1, 0].tolist() == [5.0, 9.0, 5.0]
    assert graph.node_costs[:, 0, 1].tolist() == [1.0, 1.0, 1.0]


def test_edge_costs_are_read_in_either_direction():
    row = "bob,cat,good,bad,bad,good,3\n"  # stored as cat, bob
    graph = read(edge_costs=EDGE_COSTS + row)
    bad, good = 0, 1
    assert graph.edge_costs[1, bad, good, good, bad] == 3.0
    assert np.count_nonzero(graph.edge_costs) == 1


def test_edge_costs_without_ends_hold_for_all_edges():
    table = EDGE_COSTS.removeprefix("source,target,") + "good,good,good,bad,2\n"
    assert read(edge_costs=table).edge_costs[:, 1, 1, 1, 0].tolist() == [2.0, 2.0]


def test_labels_may_be_unknown():
    nodes = "id,label\nann,\nbob,\ncat,\n"
    graph = read(nodes, node_costs=NODE_COSTS)
    assert graph.labels is None
    assert graph.label_names == ("bad", "good")
    assert graph.attributes.tolist() == [[1.0], [1.0], [1.0]]


def test_a_classifier_learns_from_own_tables():
    graph = read(node_costs=NODE_COSTS)
    assert CostSensitiveMarkovNetwork().fit([graph]).predict(graph).shape == (3,)


@each(
    ("tables", "sentence"),
    [
        ({"nodes": ""}, "the file is empty; give a header and rows"),
        ({"nodes": "id,label\n"}, "the file has no rows; give one for each node"),
        (
            {"nodes": "name,label\n"},
            "has no column 'id'; its columns are 'name', 'label'",
        ),
        ({"nodes": "id,label,a,a\n"}, "has the column 'a' twice"),
        ({"nodes": NODES + "ann,good,1\n"}, "Line 5 of the file has the id 'ann'"),
        ({"nodes": NODES + ",good,1\n"}, "the id '', which is empty"),
        ({"nodes": NODES + "dan,good\n"}, "Line 5 of the file has 2 cells for 3"),
        ({"nodes": NODES + "dan,good,old\n"}, "has 'old' in column 'age'"),
        ({"nodes": NODES + "dan,good,inf\n"}, "has 'inf' in column 'age'"),
        ({"nodes": NODES + "dan,,1\n"}, "Node 'dan' of the file has no label, but"),
        ({"nodes": 'id,label\n"ann,good\n'}, "is not CSV, or only a part of it"),
        ({"nodes": "id,label\na,x\nb,x\n", "edges": EDGES[:14]}, "speak of 1 labels"),
        ({"edges": EDGES + "ann,dan\n"}, "Line 4 of the file names the node 'dan'"),
        ({"edges": EDGES + "bob,ann\n"}, "links 'bob' and 'ann' a second time"),
        ({"node_costs": NODE_COSTS + "good,bad,x\n"}, "has 'x' in column 'cost'"),
        ({"node_costs": NODE_COSTS + ",bad,1\n"}, "nothing in column 'predicted'"),
        (
            {"edge_costs": EDGE_COSTS + "ann,cat,bad,bad,good,bad,1\n"},
            "prices an edge from 'ann' to 'cat', which does not exist",
        ),
        (
            {"edge_costs": EDGE_COSTS + "ann,,bad,bad,good,bad,1\n"},
            "names the node '', which does not exist",
        ),
    ],
)
def test_bad_tables_are_refused_with_a_sentence(tables, sentence):
    with pytest.raises(InterchangeError, match=sentence):
        read(**tables)


def test_a_negative_cost_is_refused_by_the_graph():
    with pytest.raises(DataError, match="A mistake on node 0 costs -5"):
        read(node_costs="predicted,true,cost\ngood,bad,-5\n")


def test_a_loop_is_refused_by_the_graph():
    with pytest.raises(DataError, match="links node 0 with itself"):
        read(edges="source,target\nann,ann\n")


@settings(max_examples=50)
@given(st.text(max_size=200), st.text(max_size=100))
def test_no_text_does_more_than_be_refused(nodes, edges):
    with suppress(ThriftscopeError):
        read("id,label,x\n" + nodes, "source,target\n" + edges)


def test_names_that_begin_a_formula_are_written_as_text_and_read_back(tmp_path):
    nodes = "id,label\n=1+1,@a\n+b,-c\n'=d,@a\n"
    edges = "source,target\n=1+1,+b\n+b,'=d\n"
    graph = read_graph(io.StringIO(nodes), io.StringIO(edges))
    files = write_graph(graph, tmp_path)
    cells = ",".join(file.read_text() for file in files).replace("\n", ",").split(",")
    texts = [cell for cell in cells if not _is_number(cell)]
    assert not [cell for cell in texts if cell[:1] in tuple("=+-@")]
    again = read_graph(*files)
    assert again.node_names == graph.node_names
    assert again.label_names == graph.label_names


def _is_number(cell):
    with suppress(ValueError):
        float(cell)
        return True
    return False
