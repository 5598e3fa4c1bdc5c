"""A small hypergraph in a link comes back as it was; other texts are refused."""

import base64
import json
import zlib

import numpy as np
import pytest
from hypothesis import given, settings

from explorer.session import graph_link
from explorer.session.graph_link import MAX_TEXT, graph_text, read_graph_text
from solvers import ComponentPrices, FeatureHypergraph
from solvers.errors import HypergraphError, InterchangeError
from tests.each import each
from tests.strategies import hypergraphs

TINY = FeatureHypergraph([[1, 1], [0, 1]], [3.0, 0.5], ("peak", "µ mean"), unit="ms")


def _link(**changes):
    packed = json.loads(zlib.decompress(_raw(graph_text(TINY)))) | changes
    return _text(json.dumps(packed).encode())


def _raw(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _text(plain):
    return base64.urlsafe_b64encode(zlib.compress(plain)).decode().rstrip("=")


@given(hypergraphs())
@settings(max_examples=50)
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
    bomb = _text(b" " * (graph_link.MAX_UNPACKED * 50))
    assert len(bomb) < MAX_TEXT * 5
    with pytest.raises(InterchangeError):
        read_graph_text(bomb)


def test_a_text_that_is_too_long_says_how_long():
    with pytest.raises(InterchangeError, match="The link holds 3001 characters"):
        read_graph_text("A" * (MAX_TEXT + 1))


def test_what_makes_no_hypergraph_is_refused_by_the_hypergraph():
    with pytest.raises(HypergraphError, match="costs -1"):
        read_graph_text(_link(p=[-1, 2]))
