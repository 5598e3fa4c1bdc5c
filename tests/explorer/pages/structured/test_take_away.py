"""The script of structured costs finds what is paid and the curve."""

import pytest

from explorer.pages.structured.queries import COMPARED, CURVE
from explorer.pages.structured.scenes import GRAPH, SENSORS, graph_of, sensors_of
from explorer.pages.structured.state import StructuredState
from explorer.pages.structured.take_away import structured_script
from explorer.session.own_files import OpenedFile
from solvers.markov import simulate_lab, write_graph, write_lab, write_sensor_csv
from solvers.markov.growth import grow_graph
from tests.explorer.pages.run_script import run


def compared(state):
    """A state of the structured page after all that it asks for was computed."""
    COMPARED.answer(state)
    CURVE.answer(state)
    return state


def assert_found(state, found):
    """Assert that a script has found what the structured page shows."""
    shown, told = state.run.summaries(), found["comparison"]
    assert {summary.method for summary in told.summaries} == {*shown}
    for summary in told.summaries:
        costs = sorted(shown[summary.method].costs)  # what is drawn came first
        assert sorted(summary.costs) == pytest.approx(costs)
    for method in (state.method, state.rival):
        paid = state.run.paid(method, state.shown) if method != "none" else None
        if paid is not None:
            assert sum(told.paid[method]) == pytest.approx(paid.total)


QUICK = {"methods": ["LOGREG", "CSMN"], "method": "CSMN", "n_seeds": 1}

CHEAP = {"methods": ["LOGREG", "Always 0"], "method": "LOGREG", "occupant_cost": 2.5}


@pytest.mark.parametrize(
    "choices",
    [
        {"n_nodes": 30, "curve_over": "extra_links", "shown": 1, "rival": "LOGREG"},
        {"n_nodes": 20, "scene": "small", "averaged": True, "attachment": "out"},
        {"scene": "sensors", "seed": 3, "shown": 4, **CHEAP},
    ],
    ids=["grown", "small", "sensors"],
)
def test_the_script_of_structured_costs_finds_what_is_paid_and_the_curve(choices):
    state = StructuredState(scene=choices.pop("scene", "growth"))
    state.param.update(**{**QUICK, **choices})
    compared(state)
    found, told = run(structured_script(state))
    assert_found(state, found)
    for method in state.methods:
        line = {value: row.cost for value, row in state.curve.line(method)}
        again = {
            value: row.cost
            for value, rows in found["comparison"].curve.items()
            for row in rows
            if row.method == method
        }
        assert again == pytest.approx(line)
    paid = state.run.paid(state.method, state.shown).total
    assert f"{state.method} pays {paid:.6g}" in told


def opened(roles, paths):
    """Files as a person gives them."""
    return [
        OpenedFile(role, path.name, path.read_bytes())
        for role, path in zip(roles, paths, strict=True)
    ]


def test_the_scripts_of_own_data_read_the_files_that_were_opened(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    graph = write_graph(grow_graph(60, random_state=0), tmp_path)
    lab = write_lab(simulate_lab(3, random_state=1), tmp_path)
    table = write_sensor_csv(simulate_lab(3, random_state=2), tmp_path)
    for use, given, choices in [
        ("use_own_graph", graph_of(opened(GRAPH, graph)), QUICK),
        ("use_own_graph", graph_of(opened(GRAPH[:2], graph[:2])), QUICK),
        ("use_sensors", sensors_of(opened(SENSORS, lab)), CHEAP),
        ("use_sensors", sensors_of(opened(SENSORS, table)), CHEAP),
    ]:
        state = StructuredState()
        getattr(state, use)(given)
        state.param.update(**choices)
        assert_found(compared(state), run(structured_script(state))[0])
