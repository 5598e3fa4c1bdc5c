"""The script of a page names every choice of the page and finds what is on screen."""

import contextlib
import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from explorer.export.bundle import HYPERGRAPH, TABLE
from explorer.export.files import hypergraph_hif
from explorer.pages import all_pages
from explorer.pages.cascade.cascade_script import cascade_script
from explorer.pages.cascade.state import CascadeState
from explorer.pages.cascade.training import train_cascade
from explorer.pages.proof.proof_script import proof_script
from explorer.pages.proof.state import ProofState
from explorer.pages.selectivity.selectivity_script import selectivity_script
from explorer.pages.selectivity.state import SelectivityState
from explorer.pages.structured.files import GRAPH, SENSORS, graph_of, sensors_of
from explorer.pages.structured.runs import trace_costs
from explorer.pages.structured.scenes import fit_methods
from explorer.pages.structured.state import StructuredState
from explorer.pages.structured.structured_script import structured_script
from explorer.pages.trimming.exported import trimming_script
from explorer.pages.trimming.sources import open_network
from explorer.pages.trimming.state import TrimmingState
from explorer.session.declared import link_names
from explorer.session.opened_files import OpenedFile
from explorer.session.state import bundled
from solvers.datasets import written_table
from solvers.errors import DataError
from solvers.markov import (
    grow_graph,
    simulate_lab,
    write_graph,
    write_lab,
    write_sensor_csv,
)
from tests.explorer.pages.proof.answered import answer, prove
from tests.explorer.worlds import own_table

# What of the screen a script does not speak of, and why.
LOOK = "how a picture is drawn, and no number"
NOT_IN_SCRIPT = {
    ("cascade", "row"): "one row is looked at; the script counts all of them",
    ("cascade", "asked"): "a figure of the paper is computed from its own data",
    ("trimming", "speed"): "how a film is played",
    ("trimming", "is_folded"): LOOK,
    ("selectivity", "shown"): LOOK,
    ("structured", "unfolded"): LOOK,
}


def trimming_state(**choices):
    state = TrimmingState(**choices)
    request = state.open_request()
    state.take(next(open_network(request)), request)
    return state


def trimming_text(state):
    if state.open_request() != state.opened_with:
        state.forget()
        request = state.open_request()
        state.take(next(open_network(request)), request)
    same = state.opened.classifier is state.question().original
    return trimming_script(state.question(), state.opened.call if same else "")


# The frontier's is walked in frontier/test_take_away.py, where it is computed.
# By page: states in which each choice counts, and what writes the script of one.
PAGES = {
    "cascade": (
        [CascadeState, lambda: CascadeState(way="hypergraph")],
        cascade_script,
    ),
    "trimming": (
        [
            lambda: trimming_state(source="quiz"),
            lambda: trimming_state(source="quiz", charging="edited"),
            trimming_state,
        ],
        trimming_text,
    ),
    "proof": ([ProofState], proof_script),
    "selectivity": ([SelectivityState], selectivity_script),
    "structured": (
        [StructuredState, lambda: StructuredState(scene="sensors")],
        structured_script,
    ),
}
VALUES = {
    ("trimming", "source"): "quiz",
    ("trimming", "target"): "Q3",
    ("trimming", "positive"): "-",
    ("trimming", "features"): ["Q1"],
    ("trimming", "charging"): "edited",
    ("trimming", "costs"): {"Q1": 7.0},
    ("proof", "without"): ["blood"],
    ("structured", "methods"): ["LOGREG"],
}


def choices(page):
    """The choices that a link to a page carries."""
    named = link_names(type(PAGES[page][0][0]()))
    return [name for name in named if (page, name) not in NOT_IN_SCRIPT]


def another(page, state, name):
    """A legal value of a choice that it does not have."""
    if (page, name) in VALUES:
        return VALUES[page, name]
    now, about = getattr(state, name), state.param[name]
    if isinstance(now, bool):
        return not now
    if hasattr(about, "objects"):
        legal = [one for one in about.objects if one not in (now, "session", "own")]
        return legal[0]
    low, high = about.bounds
    value = now + 1 if isinstance(now, int) else now * 0.75 or 0.25
    return value if high is None or value <= high else low


def test_every_page_that_has_choices_of_its_own_has_a_script():
    pages = {name for name, page in all_pages().items() if page.state}
    assert pages == {*PAGES, "frontier", "lessons"}  # lessons are no computation


@pytest.mark.parametrize("page", PAGES)
def test_every_choice_changes_the_script(page):
    states, write = PAGES[page]
    silent = []
    for name in choices(page):
        for make in states:
            state = make()
            before = write(state)
            with contextlib.suppress(ValueError):  # of another network
                state.param.update(**{name: another(page, state, name)})
            if write(state) != before:
                break
        else:
            silent.append(name)
    assert silent == []


def run(text):
    """What a script finds and prints, in an empty namespace."""
    found, told = {}, io.StringIO()
    with contextlib.redirect_stdout(told):
        exec(compile(text, "script.py", "exec"), found)
    return found, told.getvalue()


@pytest.mark.parametrize(
    "choices",
    [
        {"share": 0.2, "gamma": 3.0},
        {"source": "session", "loss": "logistic", "is_priced": True},
    ],
    ids=["evoked signals", "the session's data, priced"],
)
def test_the_script_of_a_selectivity_finds_the_model_and_the_path(choices):
    state = SelectivityState(dataset=bundled("breast_cancer"), **choices)
    state.collect_answers(state.answering()())
    state.path_collector()(state.path_request()())
    found, told = run(selectivity_script(state))
    answer = state.answer
    assert found["model"].mu == pytest.approx(answer.fit.mu)
    assert found["model"].objective == pytest.approx(answer.fit.objective, rel=2e-6)
    assert found["scores"] == pytest.approx([*answer.scores.values()])
    shown = [one.fit.objective for one in state.path]
    assert [fit.objective for fit in found["path"]] == pytest.approx(shown, rel=2e-6)
    assert f"{answer.counts['ridge']}" in told.partition("The path:")[0]


def compared(state):
    """A state of the structured page after all that it asks for was computed."""
    request = state.fit_request()
    state.collector(request)(list(fit_methods(request)))
    missing = state.curve_request()
    if missing is not None:
        state.curve_collector()(list(trace_costs(missing)))
    return state


def assert_found(state, found):
    """Assert that a script has found what the structured page shows."""
    shown, told = state.run.summaries(), found["results"]
    for summary in found["summarise"](told):
        costs = sorted(shown[summary.method].costs)  # what is drawn came first
        assert sorted(summary.costs) == pytest.approx(costs)
    for method in (state.method, state.rival):
        paid = state.run.paid(method, state.shown) if method != "none" else None
        if paid is not None:
            assert found["paid"][method] == pytest.approx(paid.total)


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
            for value, rows in found["curve"].items()
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


@pytest.fixture
def beside(tmp_path, monkeypatch):
    """Write what the bundle has of a data set where scripts look for it."""
    monkeypatch.chdir(tmp_path)

    def write(data):
        parquet.write_table(pa.table(written_table(data).columns), TABLE)
        Path(HYPERGRAPH).write_text(hypergraph_hif(data), encoding="utf-8")
        return data

    return write


def test_scripts_of_an_own_table_read_the_files_of_the_bundle(beside):
    data = beside(own_table())
    proof = answer(prove(ProofState(dataset=data, source="session", share=0.6)))
    found, told = run(proof_script(proof))
    assert found["one"].upper == pytest.approx(proof.answer.certified.upper, rel=1e-6)
    assert "checked" in told
    cascade = CascadeState(source="session", session_dataset=data)
    cascade.take(list(train_cascade(cascade.request("tefe")))[-1])
    found, _ = run(cascade_script(cascade))
    shown = cascade.threshold_result()
    assert found["cost"] == pytest.approx(shown.cost)
    assert found["accuracy"] == pytest.approx(shown.accuracy)
    selectivity = SelectivityState(source="session", dataset=data, share=0.3)
    selectivity.collect_answers(selectivity.answering()())
    found, _ = run(selectivity_script(selectivity))
    wanted = selectivity.answer.fit.objective
    assert found["model"].objective == pytest.approx(wanted, rel=2e-6)


def test_edited_costs_of_bundled_data_come_from_the_file_of_the_bundle(beside):
    given = bundled("digits")
    costs = given.hypergraph.component_costs * 2.0
    data = replace(given, hypergraph=replace(given.hypergraph, component_costs=costs))
    beside(data)
    state = CascadeState(source="session", session_dataset=data)
    text = cascade_script(state)
    assert "'digits'" in text
    found = {}
    exec(text.partition("rows = split_dataset")[0], found)
    total = found["dataset"].hypergraph.total_cost
    assert total == pytest.approx(data.hypergraph.total_cost)


def test_a_script_of_no_data_is_refused_with_a_sentence():
    with pytest.raises(DataError, match="open a table or bundled data first"):
        selectivity_script(SelectivityState(source="session"))


def test_scripts_are_told_of_numbers_to_the_last_bit():
    state = SelectivityState(share=float(np.nextafter(0.1, 1)))
    assert f"SHARE = {state.share!r}" in selectivity_script(state)
