"""Files that a person opened come back with the session, and what was asked of them."""

import base64
import json
import zlib

import pytest

from explorer.pages.structured.files import graph_of, sensors_of
from explorer.pages.structured.page import StructuredPage
from explorer.pages.trimming.page import TrimmingPage
from explorer.session import opened_files
from explorer.session.autosave import FILE_TOO_LARGE, Autosave
from explorer.session.context import Context
from explorer.session.opened_files import OpenedFile, opened_file
from explorer.session.saved import read_session
from explorer.session.state import SessionState, bundled
from solvers import ThriftscopeError
from solvers.bayes import bundled_classifier, network_to_json
from solvers.markov import grow_graph, simulate_lab, write_graph, write_lab
from tests.explorer.worlds import DECLARED
from tests.fuzz.refusal import is_one_sentence

NETWORK = network_to_json(bundled_classifier("fig3").network).encode()


class Person:
    """A session with one page in front, computing on the test's own thread."""

    def __init__(self, build, name):
        session = SessionState(page=name, dataset=bundled("breast_cancer"))
        self.context = Context(session)
        self.page = build(self.context)
        parts = self.page.parts()
        kept = DECLARED[name][1]
        self.context.choices.adopt(name, parts.state, kept, parts.restored)
        self.state, self.start = parts.state, parts.start
        self.autosave = Autosave(self.context, DECLARED)

    def open(self, other):
        """Open another person's session."""
        saved = read_session(other.autosave.text(), DECLARED)
        self.autosave._take(saved, "Opened a session")


def trimmer():
    person = Person(TrimmingPage, "trimming")
    person.page.opening = person.page.search = AtOnce()
    person.start()
    return person


class AtOnce:
    """A job that is done before it is given."""

    message, progress = "", 0.0

    def submit(self, work, arrived, *_, **__):
        items = list(work())
        if items:
            arrived(items)

    def cancel(self):
        """There is nothing to stop."""


def test_a_network_from_a_file_comes_back_with_its_question():
    here, there = trimmer(), trimmer()
    here.page.open_file("mine.json", NETWORK)
    here.state.features = here.state.features[1:]
    here.state.set_cost(here.state.features[0], 3.5)
    here.state.threshold = 0.31
    there.open(here)
    assert there.state.opened.title == "mine.json"
    for name in ("source", "files", "features", "costs", "threshold", "charging"):
        assert getattr(there.state, name) == getattr(here.state, name)


def test_a_network_that_another_page_waits_for_comes_back():
    here, later = trimmer(), Context(SessionState())
    here.page.open_file("mine.json", NETWORK)
    here.state.features = here.state.features[1:]
    autosave = Autosave(later, DECLARED)
    autosave._take(read_session(here.autosave.text(), DECLARED), "Opened")
    waiting = later.choices.values("trimming")
    assert waiting["files"] == here.state.files
    assert waiting["features"] == here.state.features


def test_undo_of_opening_a_file_brings_back_what_was_asked():
    person = trimmer()
    undo_stack = person.context.undo_stack
    person.state.threshold = 0.77
    person.state.features = person.state.features[2:]
    before = (person.state.source, list(person.state.features), person.state.threshold)
    person.page.open_file("mine.json", NETWORK)
    assert person.state.source == "file"
    while person.state.source == "file":
        undo_stack.undo()
    found = (person.state.source, list(person.state.features), person.state.threshold)
    assert found == before


def test_another_number_of_columns_brings_all_of_them():
    person = trimmer()
    person.state.n_columns = 5
    person.state.n_columns = 9
    assert len(person.state.features) == 9


def tables(tmp_path):
    graph = grow_graph(60, random_state=3)
    roles = {"nodes": "nodes", "edges": "edges", "node_costs": "node_costs"}
    paths = {path.stem: path for path in write_graph(graph, tmp_path)}
    return [
        opened_file(role, f"{stem}.csv", paths[stem].read_bytes())
        for role, stem in roles.items()
        if stem in paths
    ]


def structured():
    person = Person(StructuredPage, "structured")
    person.page.fits = person.page.curves = person.page.dialog.job = AtOnce()
    person.state.param.update(n_nodes=40, n_seeds=1, methods=["LOGREG"])
    return person


def test_an_own_graph_comes_back_with_the_methods_that_were_ticked(tmp_path):
    here, there = structured(), structured()
    here.state.use_own_graph(graph_of(tables(tmp_path)))
    here.state.methods = ["LOGREG"]
    there.open(here)
    assert there.state.scene == "own"
    assert there.state.methods == ["LOGREG"]
    assert there.state.own.name == here.state.own.name
    for one, other in zip(there.state.own.parts, here.state.own.parts, strict=True):
        assert (one.truth == other.truth).all()
        assert (one.attributes == other.attributes).all()


def test_own_sensors_are_read_again_and_gone_where_their_files_are(tmp_path):
    readings, places = write_lab(simulate_lab(3, random_state=1), tmp_path)
    files = [
        opened_file("readings", readings.name, readings.read_bytes()),
        opened_file("places", places.name, places.read_bytes()),
    ]
    here, there = structured(), structured()
    here.state.use_sensors(sensors_of(files))
    there.open(here)
    assert there.state.own_sensors.name == readings.name
    there.context.undo_stack.undo()
    assert there.state.own_sensors is None


def test_a_file_that_is_too_large_is_left_out_and_named(monkeypatch):
    here, there = trimmer(), trimmer()
    here.page.open_file("mine.json", NETWORK)
    monkeypatch.setattr(opened_files, "MAX_PACKED", 100)
    written = []
    here.autosave._write = lambda text, table: written.append(text)
    here.autosave._writing = AtOnce()
    here.autosave._write_down()
    assert here.autosave.message == FILE_TOO_LARGE.format("mine.json")
    assert "packed" not in written[-1]
    there.open(here)
    assert there.state.opened.title == "naive Bayes learned from breast cancer"


def test_a_name_of_a_file_may_be_anything():
    assert opened_file("nodes", "a\u202eb\n" + "x" * 300, b"").name == "ab" + "x" * 198
    assert opened_file("nodes", "\n", b"").name == "nodes"


ENDLESS = base64.b64encode(zlib.compress(bytes(17 * 2**20))).decode()
SHORT = base64.b64encode(zlib.compress(b"abc")[:-2]).decode()


@pytest.mark.parametrize(
    "files",
    [
        "mine.json", [1], [{}], [{"role": "network", "name": "x"}],
        [{"role": "network", "name": "x", "packed": 3}],
        [{"role": "network", "name": "", "packed": ""}],
        [{"role": "network", "name": "a\u0000", "packed": ""}],
        [{"role": "network", "name": "x", "packed": "no base64"}],
        [{"role": "network", "name": "x", "packed": ENDLESS}],
        [{"role": "network", "name": "x", "packed": SHORT}],
        [OpenedFile("network", "x", b"").plain()] * 7,
    ],
)  # fmt: skip
def test_files_that_make_no_sense_are_refused_with_a_sentence(files):
    document = trimmer().autosave.document()
    document["choices"] = {"trimming": {"files": files}}
    with pytest.raises(ThriftscopeError) as refused:
        read_session(json.dumps(document), DECLARED)
    assert is_one_sentence(str(refused.value))


@pytest.mark.parametrize("cost", [-1, 1e12, "much", None])
def test_costs_that_are_none_are_refused(cost):
    document = trimmer().autosave.document()
    document["choices"] = {"trimming": {"costs": {"Q1": cost}}}
    with pytest.raises(ThriftscopeError, match="for costs"):
        read_session(json.dumps(document), DECLARED)
