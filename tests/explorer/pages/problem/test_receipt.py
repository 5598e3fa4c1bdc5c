"""The receipt charges shared work once, strikes it out after, and adds up."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.document.editor import EditorState
from explorer.pages.problem.receipt import MOST_LINES, Receipt, receipt
from solvers import FeatureHypergraph

GRAPH = FeatureHypergraph(
    np.array([[1, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=bool),
    np.array([6.0, 1.0, 2.0, 4.0]),
    feature_names=("low", "mid", "<i>age"),
    component_names=("spectrum", "one", "two", "asking"),
)
ADDED = re.compile(r"<td>([\d.]+)</td></tr>")


def told(view):
    return re.sub(r"<[^>]+>", "", view._pane.object)


def test_what_was_paid_before_is_struck_out():
    html = receipt(GRAPH, np.array([0, 1]))
    (struck,) = re.findall(r"<s>(.*?)</s>", html)
    assert "spectrum" in struck
    assert ADDED.findall(html) == ["7.00", "2.00"]
    assert "9.00 us" in html or "9.00 µs" in html
    assert "One by one: 15.0 µs. Sharing saves 6.00 µs." in re.sub(r"<[^>]+>", "", html)


@given(st.permutations([0, 1, 2]), st.integers(0, 3))
def test_lines_add_up_in_any_order(order, count):
    features = np.array(order[:count], dtype=int)
    added = map(float, ADDED.findall(receipt(GRAPH, features)))
    assert sum(added) == pytest.approx(GRAPH.cost(features))


def test_it_is_of_what_is_looked_at_and_of_all_while_nothing_is():
    state = EditorState(GRAPH)
    view, drawing = Receipt(state=state), state.drawing
    assert told(view).startswith("3 features")
    assert "Point at features" in told(view)
    state.lit = (drawing.feature_ids[1],)
    assert told(view).startswith("1 feature")
    state.lit = (drawing.component_ids[0],)  # those that need it
    assert told(view).startswith("2 features")
    assert "<i>" not in view._pane.object


def test_of_many_features_the_rest_is_one_line():
    graph = FeatureHypergraph.independent(np.ones(MOST_LINES + 5))
    html = receipt(graph, np.arange(graph.n_features))
    assert html.count("<tr><th scope='row'>") == MOST_LINES + 1
    assert "5 more features" in html
