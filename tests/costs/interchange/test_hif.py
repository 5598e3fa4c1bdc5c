"""A HIF document is what was written, to us and to XGI; what it leaves open is said."""

import json

import numpy as np
import pytest
import xgi
from hypothesis import given

from solvers.costs.interchange import (
    from_hif,
    read_hif,
    read_hypergraph,
    to_hif,
    write_hif,
)
from solvers.errors import InterchangeError
from tests.hif_cases import hif
from tests.strategies import named_hypergraphs


def test_hif_files_are_read_back_to_the_last_bit(tiny, tmp_path):
    write_hif(tiny, tmp_path / "tiny.json")
    assert read_hif(tmp_path / "tiny.json").equals(tiny)
    assert read_hypergraph(str(tmp_path / "tiny.json")).layout == "hif"


@given(named_hypergraphs())
def test_any_hypergraph_survives_hif(hypergraph):
    text = json.dumps(to_hif(hypergraph))
    assert read_hif(text.encode()).equals(hypergraph)
    assert read_hypergraph(text.encode()).notes == ()


def test_xgi_reads_what_is_written(tiny, tmp_path):
    write_hif(tiny, tmp_path / "ours.json")
    theirs = xgi.read_hif(tmp_path / "ours.json")
    assert set(theirs.nodes) == set(tiny.features)
    assert theirs.edges.members("fft") == {"peak", "Größe, μ"}
    assert theirs.edges.members("idle") == set()
    assert theirs.edges["fft"] == {"cost": 3.0, "kind": "generation"}


def test_order_and_costs_survive_a_detour_through_xgi(tiny, tmp_path):
    write_hif(tiny, tmp_path / "ours.json")
    xgi.write_hif(xgi.read_hif(tmp_path / "ours.json"), tmp_path / "theirs.json")
    assert read_hif(tmp_path / "theirs.json").equals(tiny)


def test_a_file_of_xgi_without_costs_counts_components(tmp_path):
    theirs = xgi.Hypergraph([[1, 2, 3], [3, 4]])
    xgi.write_hif(theirs, tmp_path / "theirs.json")
    file = read_hypergraph(tmp_path / "theirs.json")
    assert set(file.hypergraph.features) == {"1", "2", "3", "4"}
    assert file.hypergraph.unit == "components"
    assert file.hypergraph.cost(["3"]) == 2.0
    assert "states no costs: each component costs 1" in file.notes[0]


def test_a_simplicial_complex_of_xgi_is_read(tmp_path):
    xgi.write_hif(xgi.SimplicialComplex([[1, 2, 3]]), tmp_path / "complex.json")
    assert read_hif(tmp_path / "complex.json").n_components == 4


def test_a_directed_network_of_xgi_is_refused(tmp_path):
    xgi.write_hif(xgi.DiHypergraph([([1, 2], [3])]), tmp_path / "directed.json")
    with pytest.raises(InterchangeError, match="network-type is 'directed'"):
        read_hif(tmp_path / "directed.json")


def test_a_document_of_xgi_need_not_pass_through_a_file():
    theirs = xgi.Hypergraph({"fft": ["peak", "top"]})
    theirs.set_edge_attributes({"fft": {"cost": np.float64(3), "colour": "red"}})
    ours = from_hif(xgi.to_hif_dict(theirs))
    assert ours.cost(["top"]) == 3.0


def test_nodes_and_edges_may_be_left_to_the_incidences():
    linked = [{"edge": "e", "node": "z"}, {"edge": "d", "node": "a"}]
    plain = from_hif({"incidences": linked})
    assert plain.features == ("z", "a")
    assert plain.components == ("e", "d")


def test_unknown_keys_are_ignored():
    assert from_hif(hif(colour="red", nodes=[{"node": "a", "x": 1}])).n_features == 2


def test_metadata_that_order_unknown_names_are_harmless():
    order = {"unit": "us", "feature_order": ["gone", "b"]}
    assert from_hif(hif(metadata=order)).features == ("b", "a")


def test_some_missing_costs_are_refused_unless_one_is_given():
    edges = [{"edge": "e", "attrs": {"cost": 1}}, {"edge": "f"}]
    with pytest.raises(
        InterchangeError, match=r"for component 'f', though .*missing_cos"
    ):
        from_hif(hif(edges=edges))
    file = read_hypergraph(json.dumps(hif(edges=edges)).encode(), missing_cost=0.5)
    assert file.hypergraph.component_costs.tolist() == [1.0, 0.5]
    assert file.notes == ("No cost is stated for component 'f': taken as 0.5 us each.",)


def test_a_loose_node_is_refused_unless_it_may_be_free():
    nodes = [{"node": "c"}, {"node": "e"}]
    with pytest.raises(
        InterchangeError, match=r"for features 'c', 'e'; .*free_features"
    ):
        from_hif(hif(nodes=nodes))
    free = from_hif(hif(nodes=nodes), free_features=True)
    assert free.cost(["c", "e"]) == 0.0
    assert free.components == ("e", "c", "e 2")


def test_weights_are_said_not_to_be_costs():
    linked = [{"edge": "e", "node": "a", "weight": 2.0}]
    file = read_hypergraph(json.dumps(hif(incidences=linked, nodes=[])).encode())
    assert "Weights are not costs" in file.notes[0]


def test_scripts_in_names_stay_text(tiny):
    evil = "<script>alert(1)</script>"
    renamed = tiny.rename(features={"peak": evil})
    assert from_hif(to_hif(renamed)).features[0] == evil


def test_files_that_are_too_large_are_refused(tiny, tmp_path):
    write_hif(tiny, tmp_path / "tiny.json")
    for source in (tmp_path / "tiny.json", (tmp_path / "tiny.json").read_bytes()):
        with pytest.raises(InterchangeError, match="larger than 100 bytes"):
            read_hif(source, max_bytes=100)
