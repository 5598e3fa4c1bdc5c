"""Files that a person opened come back with the session, and what was asked of them."""

from explorer.pages.structured.page import StructuredPage
from explorer.pages.structured.scenes import graph_of, sensors_of
from explorer.session import own_files
from explorer.session.autosave import FILE_TOO_LARGE, Autosave
from explorer.session.context import Context
from explorer.session.own_files import opened_file
from explorer.session.saved import read_session
from explorer.session.state import SessionState
from solvers.bayes import bundled_classifier, network_to_json
from solvers.markov import simulate_lab, write_graph, write_lab
from solvers.markov.growth import grow_graph
from tests.explorer.session.person import AtOnce, Person, trimmer
from tests.explorer.worlds import DECLARED

NETWORK = network_to_json(bundled_classifier("fig3").network).encode()


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
    person.page.dialog.job = AtOnce()
    for asker in (person.page.fits, person.page.curves):
        # Nothing is fitted: its thread would draw beside that of the test.
        asker.submit = lambda *_, **__: None
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
    monkeypatch.setattr(own_files, "MAX_PACKED", 100)
    written = []
    here.autosave._write = lambda text, table: written.append(text)
    here.autosave._writing = AtOnce()
    here.autosave._write_down()
    assert here.autosave.message == FILE_TOO_LARGE.format("mine.json")
    assert "packed" not in written[-1]
    there.open(here)
    assert there.state.opened.title == "naive Bayes learned from breast_cancer"
