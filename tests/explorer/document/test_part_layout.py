"""Nodes of a part stand apart, and what an edit adds stands beside its neighbours."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.document.drawing import Drawing
from explorer.document.hypergraph_layout import STEP
from explorer.document.part_layout import part_places, with_newcomers
from tests.explorer.document.tiny import TINY
from tests.strategies import hypergraphs


@settings(max_examples=25)
@given(hypergraphs(), st.data())
def test_a_part_has_a_place_for_each_of_its_nodes_that_is_drawn(hypergraph, data):
    drawing = Drawing.of(hypergraph)
    whole = [*drawing.component_ids, *drawing.feature_ids]
    part = frozenset(data.draw(st.sets(st.sampled_from(whole))))
    found = part_places(drawing, part)
    assert found.keys() <= part
    assert found.keys() >= part & set(drawing.component_ids)
    assert len({tuple(place) for place in found.values()}) == len(found)


def test_a_newcomer_stands_below_what_it_needs_or_where_it_was_put():
    before = Drawing.of(TINY)
    fft, other = before.component_ids[:2]
    part = {fft: [10.0, 20.0]}
    after = before.add_feature("top", [fft]).add_feature("bottom", [other])
    found = with_newcomers(part, before, after)
    below = 20.0 - 1.6 * STEP[1]
    assert found == {fft: [10.0, 20.0], after.feature_ids[-2]: [10.0, below]}
    assert np.isfinite(after.feature_places).all()
