"""A drawing is a value: an edit returns another, and numbers of nodes outlive it."""

import numpy as np
import pytest
from hypothesis import given, settings

from explorer.document import drawing as module
from explorer.document.drawing import Drawing
from solvers.errors import HypergraphError
from tests.explorer.document.tiny import TINY
from tests.strategies import hypergraphs


@pytest.fixture
def drawing():
    return Drawing.of(TINY)


@given(hypergraphs())
@settings(max_examples=25)
def test_blocks_are_counted_from_the_first_feature_on(hypergraph):
    drawing = Drawing.of(hypergraph)
    rows, columns = drawing.blocks
    links = hypergraph.incidence.tocoo()
    assert (rows[links.row] == columns[links.col]).all()
    assert drawing.n_blocks == len(set(rows) | set(columns))
    assert columns[0] == 0


def test_edits_leave_the_drawing_before_as_it_was(drawing):
    fft = drawing.component_ids[0]
    grown = drawing.add_feature("top", [fft]).set_cost(fft, 9.0)
    assert grown.name(drawing.next_id) == "top"
    assert grown.hypergraph.cost(["top"]) == 9.0
    assert drawing.hypergraph is TINY


def test_a_new_feature_alone_has_a_component_that_holds_its_place(drawing):
    grown = drawing.add_feature("top")
    assert grown.hypergraph.cost(["top"]) == 0.0
    gone = grown.delete([grown.feature_ids[-1]])
    assert gone.hypergraph.components == TINY.components
    assert gone.next_id == grown.next_id  # numbers are never given twice


def test_nodes_are_known_by_number_when_they_are_renamed(drawing):
    node = drawing.feature_ids[1]
    renamed = drawing.rename(node, "middle")
    assert renamed.name(node) == "middle"
    assert renamed.columns[node] == 1


def test_what_features_need_cannot_go_alone(drawing):
    with pytest.raises(HypergraphError, match="left without a component; delete it"):
        drawing.delete([drawing.component_ids[0]])


def test_other_costs_forget_where_the_old_ones_came_from(drawing):
    priced = drawing.set_costs(np.array([1.0, 2.0]), "CAD", "From a list.")
    assert (priced.hypergraph.unit, priced.costs_note) == ("CAD", "From a list.")
    assert priced.set_cost(drawing.component_ids[0], 5.0).costs_note == ""


def test_no_more_nodes_are_drawn_than_can_be_shown(drawing, monkeypatch):
    monkeypatch.setattr(module, "MAX_NODES", 6)
    assert drawing.add_component().hypergraph.n_components == 3
    with pytest.raises(HypergraphError, match="6"):
        drawing.add_feature("alone")
