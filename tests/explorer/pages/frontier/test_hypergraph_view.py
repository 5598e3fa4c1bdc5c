"""What is lit, and what a selection buys."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.pages.frontier.hypergraph_view import HypergraphView, basket
from explorer.pages.frontier.state import FrontierState
from explorer.session.state import bundled
from explorer.widgets.theme import palette
from solvers import FeatureHypergraph
from tests.each import each


def labels(name):
    view = HypergraphView(state=FrontierState(dataset=bundled(name), methods=["l1"]))
    places = {}
    layers = {one.name: one.data_source.data for one in view.figure.renderers}
    for named in {"names", "lit names"} & set(layers):
        at = zip(layers[named]["x"], layers[named]["y"], strict=True)
        places |= dict(zip(at, layers[named]["text"], strict=True))
    features = layers["features"]
    at = zip(features["x"], features["y"], strict=True)
    return [places.get(one, "") for one in at]


def test_few_features_have_their_names_below_them_whole():
    names = bundled("published").feature_names
    assert [label.replace("\n", "") for label in labels("published")] == list(names)
    assert (
        max(len(line) for label in labels("published") for line in label.split()) < 11
    )


@each("name", ["signals", "breast_cancer"])
def test_many_features_have_none_for_they_would_lie_on_each_other(name):
    assert set(labels(name)) == {""}


GRAPH = FeatureHypergraph(
    np.array([[1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], dtype=bool),
    np.array([6.0, 1.0, 4.0, 2.0]),
    feature_names=("low", "mid", "age", "<b>x"),
    component_names=("spectrum", "low's own", "asking", "drawn"),
)
TILE = re.compile(r'class="lights tile (\w+)".*?data-thing="(.*?)">.*?<b>(.*?)</b>')


def tiles(graph, features):
    return TILE.findall(basket(graph, features, palette(dark=False)))


def test_what_two_features_need_stands_before_them_once():
    bought, colours = np.array([True, True, True, False]), palette(dark=False)
    html = basket(GRAPH, bought, colours, float(GRAPH.cost(bought)))
    assert "in the mean" not in html
    adaptive = basket(GRAPH, bought, colours, 1.25)
    assert "may need" in adaptive
    assert "1.25 µs in the mean" in adaptive
    tie = html.partition('<span class="tie">')[2].partition("</b></span></span>")[0]
    assert [tile[:2] for tile in TILE.findall(tie + "</b>")] == [
        ("shared", "component:spectrum"),
        ("bought", "feature:low"),
        ("bought", "feature:mid"),
    ]
    assert tiles(GRAPH, np.array([True, False, False, False])) == [
        ("bought", "feature:low", "+7.00")
    ]


@given(st.lists(st.booleans(), min_size=4, max_size=4))
def test_tiles_add_up_to_what_is_paid(chosen):
    features = np.array(chosen)
    paid = sum(float(price.lstrip("+")) for _, _, price in tiles(GRAPH, features))
    assert paid == pytest.approx(GRAPH.cost(features))


def test_names_and_units_of_people_are_text():
    graph = FeatureHypergraph.independent([1.0], ["<i>a"], unit="<u>")
    html = basket(graph, np.array([True]), palette(dark=False))
    assert "<i>" not in html
    assert "<u>" not in html
