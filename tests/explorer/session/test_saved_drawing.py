"""An edited drawing comes back onto its table; a damaged one is refused."""

import dataclasses
import json

import numpy as np
import pytest

from explorer.document.table import fitted, match, opened
from explorer.session.saved_drawing import packed_drawing, unpacked_drawing
from solvers import Dataset, FeatureHypergraph
from solvers.errors import InterchangeError
from tests.each import each

SHARED = FeatureHypergraph(
    [[1, 1, 0], [0, 0, 1]], [3.0, 0.5], ("peak", "centre", "mean"), ("fft", "avg")
)


def _dataset():
    X = np.arange(18.0).reshape(6, 3)
    return Dataset("tiny", X, np.arange(6) % 2, SHARED)


def _edited():
    """A feature gone, one added without a column, one renamed, one moved."""
    drawing = opened(_dataset(), 5)
    drawing = drawing.delete([drawing.feature_ids[1]])
    return drawing.add_feature("new", [drawing.component_ids[0]], (12.0, 34.0))


def _packed():
    return json.loads(json.dumps(packed_drawing(_edited())))


def test_a_drawing_as_it_was_opened_need_not_be_kept():
    assert packed_drawing(opened(_dataset(), 0)) is None


def test_what_was_edited_comes_back():
    before, back = _edited(), unpacked_drawing(_packed(), _dataset(), 100)
    assert back.hypergraph.features == before.hypergraph.features
    assert (back.hypergraph.incidence != before.hypergraph.incidence).nnz == 0
    assert back.feature_places == pytest.approx(before.feature_places, abs=0.1)
    assert match(back).order == match(before).order
    assert match(back).unpriced == match(before).unpriced == (1,)


def test_numbers_of_nodes_are_new_and_distinct():
    back = unpacked_drawing(_packed(), _dataset(), 100)
    nodes = [*back.component_ids, *back.feature_ids]
    assert len(set(nodes)) == len(nodes)
    assert min(nodes) == 100
    assert back.next_id > max([*nodes, *back.table.columns])


def test_costs_that_were_edited_price_the_same_columns():
    drawing = opened(_dataset(), 0)
    dearer = drawing.set_cost(drawing.component_ids[0], 9.0)
    packed = json.loads(json.dumps(packed_drawing(dearer)))
    data = fitted(unpacked_drawing(packed, _dataset(), 0))
    assert data.hypergraph.component_costs.tolist() == [9.0, 0.5]
    assert (data.X == _dataset().X).all()


def test_a_drawing_finds_its_columns_by_name_in_any_order():
    """A bundled table may have another order in another version."""
    packed, data = _packed(), _dataset()
    assert packed["columns"] == ["peak", "mean", None]
    turned = dataclasses.replace(
        data, X=data.X[:, [2, 0, 1]], hypergraph=SHARED.restrict([2, 0, 1])
    )
    order = match(unpacked_drawing(packed, turned, 0)).order
    assert [turned.feature_names[j] for j in order[:2]] == ["peak", "mean"]
    gone = dataclasses.replace(turned, hypergraph=SHARED.rename(features={"mean": "m"}))
    assert match(unpacked_drawing(packed, gone, 0)).order == (0, -1, -1)
    places = packed | {"columns": [0, 2, -1]}  # as sessions kept them before
    assert match(unpacked_drawing(places, data, 0)).order == (0, 2, -1)


@each(
    "changes",
    [
        {"more": 1},
        {"note": 5},
        {"note": "x" * 3000},
        {"columns": [0, 2]},
        {"columns": [0, 0, -1]},
        {"columns": [0, 9, -1]},
        {"columns": [0, True, -1]},
        {"columns": ["peak", "peak", None]},
        {"places": []},
        {"places": [[0, 0]] * 4 + [[0, 1e9]]},
        {"places": [[0, 0]] * 4 + [[0, float("nan")]]},
        {"places": [[0, 0]] * 4 + [["0", 0]]},
    ],
)
def test_a_damaged_drawing_is_refused(changes):
    with pytest.raises(InterchangeError, match="The drawing of the session is damaged"):
        unpacked_drawing(_packed() | changes, _dataset(), 0)
