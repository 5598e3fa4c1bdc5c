"""The basket ties what shares, charges it once, and writes names as text."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.pages.frontier.basket import basket
from explorer.widgets.theme import palette
from solvers import FeatureHypergraph

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
    html = basket(GRAPH, np.array([True, True, True, False]), palette(dark=False))
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
