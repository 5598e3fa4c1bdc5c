"""A drawing is text in a session and in a link, and comes back as it was."""

import base64
import dataclasses
import json
import zlib

import numpy as np
import pytest
from hypothesis import given, settings

from explorer.document.table import fitted, match, opened
from explorer.session import saved_drawing
from explorer.session.saved_drawing import (
    MAX_TEXT,
    graph_text,
    packed_drawing,
    read_graph_text,
    unpacked_drawing,
)
from solvers import ComponentPrices, Dataset, FeatureHypergraph
from solvers.errors import HypergraphError, InterchangeError
from tests.each import each
from tests.strategies import hypergraphs

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


TINY = FeatureHypergraph([[1, 1], [0, 1]], [3.0, 0.5], ("peak", "µ mean"), unit="ms")


def _link(**changes):
    packed = json.loads(zlib.decompress(_raw(graph_text(TINY)))) | changes
    return _text(json.dumps(packed).encode())


def _raw(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _text(plain):
    return base64.urlsafe_b64encode(zlib.compress(plain)).decode().rstrip("=")


@given(hypergraphs())
@settings(max_examples=25)
def test_any_small_hypergraph_comes_back_to_the_last_bit(hypergraph):
    back = read_graph_text(graph_text(hypergraph))
    assert (back.incidence != hypergraph.incidence).nnz == 0
    assert (back.component_costs == hypergraph.component_costs).all()
    assert back.features == hypergraph.features
    assert back.components == hypergraph.components


def test_kinds_prices_and_what_is_charged_come_back():
    whole = _priced()
    back = read_graph_text(graph_text(whole))
    assert (back.kinds, back.unit, back.charged) == (whole.kinds, "CAD", "money")
    (price,) = back.prices
    assert (price.name, price.unit, price.rule) == ("delay", "days", "maximum")
    assert price.values.tolist() == [1.0, 2.5]


def _priced():
    return FeatureHypergraph(
        [[1, 1], [0, 1]],
        [3.0, 0.5],
        component_kinds=("utilisation", "generation"),
        unit="CAD",
        charged="money",
        prices=(ComponentPrices("delay", [1.0, 2.5], "days", "maximum"),),
    )


def test_the_text_needs_no_escape_in_an_address():
    text = graph_text(TINY)
    assert text.replace("-", "").replace("_", "").isalnum()


def test_a_hypergraph_too_large_for_a_link_has_no_text():
    rng = np.random.default_rng(0)
    large = FeatureHypergraph.independent(rng.random(800))
    assert graph_text(large) is None


@each(
    "changes",
    [
        {"more": 1},
        {"f": "ab"},
        {"f": ["peak", 3]},
        {"f": ["peak", "me\nan"]},
        {"k": "gx"},
        {"k": "g"},
        {"n": [[0], [0, 2]]},
        {"n": [[0]]},
        {"n": [[True], [0]]},
        {"p": ["3", 0.5]},
        {"h": 5},
        {"q": [["delay", "days", "maximum"]]},
        {"q": [["delay", "days", "maximum", ["x", 1]]]},
    ],
    ids=str,
)
def test_packed_texts_of_another_shape_are_refused(changes):
    with pytest.raises(InterchangeError, match="holds no drawing that can be read"):
        read_graph_text(_link(**changes))


@each(
    "text",
    [
        "",
        "%%%",
        "QUJD",
        _text(b"[1, 2]"),
        _text(b'{"f":'),
        _text(b"[" * 50_000),
        graph_text(TINY)[:-6],
    ],
    ids=["empty", "no base64", "no zlib", "a list", "half", "deep", "cut off"],
)
def test_texts_that_unpack_to_no_drawing_are_refused(text):
    with pytest.raises(InterchangeError, match="ask for a new link"):
        read_graph_text(text)


def test_a_bomb_is_not_unpacked():
    bomb = _text(b" " * (saved_drawing.MAX_UNPACKED * 50))
    assert len(bomb) < MAX_TEXT * 5
    with pytest.raises(InterchangeError):
        read_graph_text(bomb)


def test_a_text_that_is_too_long_says_how_long():
    with pytest.raises(InterchangeError, match="The link holds 3001 characters"):
        read_graph_text("A" * (MAX_TEXT + 1))


def test_what_makes_no_hypergraph_is_refused_by_the_hypergraph():
    with pytest.raises(HypergraphError, match="costs -1"):
        read_graph_text(_link(p=[-1, 2]))
