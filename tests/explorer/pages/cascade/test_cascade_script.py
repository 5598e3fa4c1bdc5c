"""The script of the cascade page computes what is on screen."""

import contextlib
import io

import pytest

from explorer.pages.cascade.queries import HYPERGRAPH, QUERIES, THRESHOLD
from explorer.pages.cascade.state import CascadeState
from explorer.pages.cascade.take_away import cascade_script
from explorer.session.state import bundled
from solvers.datasets import make_gaussian
from tests.each import each


def run(state):
    """What the script finds, in an empty namespace, and what it prints."""
    found, told = {}, io.StringIO()
    with contextlib.redirect_stdout(told):
        exec(compile(cascade_script(state), "script.py", "exec"), found)
    return found["outcome"], told.getvalue()


@each(
    "choices",
    [
        {},
        {"C": 10.0, "order": "value", "confidence": "gap", "share": 0.25, "cap": 0.5},
        {"confidence": "calibrated", "share": 1.0},
    ],
)
def test_the_script_of_one_threshold_reproduces_the_screen(choices):
    state = CascadeState(**choices)
    THRESHOLD.answer(state)
    (found, told), shown = run(state), state.threshold_result()
    assert (found.cost, found.accuracy) == (shown.cost, shown.accuracy)
    assert found.threshold == shown.threshold
    assert (found.leaving == shown.right + shown.wrong).all()
    assert f"{shown.cost:.6g} us a test row on average, {shown.accuracy:.4f}" in told


@each("choices", [{}, {"buying": "forward", "budget": 0.1}])
def test_the_script_of_a_budget_reproduces_the_screen(choices):
    state = CascadeState(way="hypergraph", **choices)
    HYPERGRAPH.answer(state)
    (found, told), shown = run(state), state.policy_result()
    assert found.cost == pytest.approx(shown.cost)
    assert found.accuracy == pytest.approx(shown.accuracy)
    assert f"{shown.cost:.6g} us a test row on average, {shown.accuracy:.4f}" in told


def test_the_session_s_data_are_named_where_they_are_bundled_and_read_elsewhere():
    state = CascadeState(source="session", session_dataset=bundled("digits"))
    assert "make_digits()" in cascade_script(state)
    state.session_dataset = make_gaussian()
    assert "read_table('table.parquet'" in cascade_script(state)


@each("way", ["tefe", "hypergraph"])
def test_the_script_of_an_encoded_table_names_its_own_columns(way):
    heart = bundled("heart")
    state = CascadeState(source="session", session_dataset=heart, way=way)
    QUERIES[way].answer(state)
    (found, printed), shown = run(state), state.result(way)
    assert found.cost == pytest.approx(shown.cost)
    assert found.accuracy == pytest.approx(shown.accuracy)
    assert "=" not in printed
    assert "is missing" not in printed
