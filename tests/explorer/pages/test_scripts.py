"""The script of a page names every choice of the page and finds what is on screen."""

import contextlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from explorer.export.bundle import HYPERGRAPH, TABLE
from explorer.export.files import hypergraph_hif
from explorer.pages import all_pages
from explorer.pages.cascade.queries import THRESHOLD
from explorer.pages.cascade.state import CascadeState
from explorer.pages.cascade.take_away import cascade_script
from explorer.pages.proof.state import ProofState
from explorer.pages.proof.take_away import proof_script
from explorer.pages.selectivity.page import selectivity_script
from explorer.pages.selectivity.state import ANSWER, SelectivityState
from explorer.pages.structured.state import StructuredState
from explorer.pages.structured.take_away import structured_script
from explorer.pages.trimming.sources import open_network
from explorer.pages.trimming.state import TrimmingState
from explorer.pages.trimming.take_away import trimming_script
from explorer.session.declared import link_names
from explorer.session.state import bundled
from solvers.datasets import written_table
from solvers.errors import DataError
from tests.each import each
from tests.explorer.pages.proof.answered import answer, prove
from tests.explorer.pages.run_script import run
from tests.explorer.worlds import own_table

# What of the screen a script does not speak of, and why.
LOOK = "how a picture is drawn, and no number"

NOT_IN_SCRIPT = {
    ("cascade", "row"): "one row is looked at; the script counts all of them",
    ("cascade", "asked"): "a figure of the paper is computed from its own data",
    ("trimming", "speed"): "how a film is played",
    ("trimming", "is_folded"): LOOK,
    ("selectivity", "shown"): LOOK,
    **{(name, "unfolded"): LOOK for name, page in all_pages().items() if page.state},
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
    return trimming_script(state.question(), state.opened.call if same else None)


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
    # Nothing is computed of lessons and of which panels of a drawing are open.
    assert pages == {*PAGES, "frontier", "lessons", "papers", "problem"}


@each("page", PAGES)
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
    assert found["proof"].certified.upper == pytest.approx(
        proof.answer.certified.upper, rel=1e-6
    )
    assert "checked" in told
    cascade = CascadeState(source="session", session_dataset=data)
    THRESHOLD.answer(cascade)
    found, _ = run(cascade_script(cascade))
    shown = cascade.threshold_result()
    assert found["outcome"].cost == pytest.approx(shown.cost)
    assert found["outcome"].accuracy == pytest.approx(shown.accuracy)
    selectivity = SelectivityState(source="session", dataset=data, share=0.3)
    ANSWER.answer(selectivity)
    found, _ = run(selectivity_script(selectivity))
    wanted = selectivity.answer.fit.objective
    assert found["trace"].model.objective == pytest.approx(wanted, rel=2e-6)


def test_edited_costs_of_bundled_data_come_from_the_file_of_the_bundle(beside):
    given = bundled("digits")
    costs = given.hypergraph.component_costs * 2.0
    data = replace(given, hypergraph=replace(given.hypergraph, component_costs=costs))
    beside(data)
    state = CascadeState(source="session", session_dataset=data)
    text = cascade_script(state)
    assert "make_digits" in text
    found = {}
    exec(text.partition("outcome = ")[0], found)
    total = found["dataset"].hypergraph.total_cost
    assert total == pytest.approx(data.hypergraph.total_cost)


def test_a_script_of_no_data_is_refused_with_a_sentence():
    with pytest.raises(DataError, match="open a table or bundled data first"):
        selectivity_script(SelectivityState(source="session", dataset=None))


def test_scripts_are_told_of_numbers_to_the_last_bit():
    state = SelectivityState(share=float(np.nextafter(0.1, 1)))
    assert f"share={state.share!r}" in selectivity_script(state)
