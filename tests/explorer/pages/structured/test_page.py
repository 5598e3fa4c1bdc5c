"""The structured-costs page wires controls, jobs and views, without a browser."""

import io
import threading
import zipfile

import pytest

from explorer.pages.structured.page import PAGE, StructuredPage
from explorer.pages.structured.state import SCENES
from explorer.session.context import Context
from explorer.session.state import SessionState
from solvers.markov import simulate_lab, write_graph, write_lab
from solvers.markov.growth import grow_graph
from tests.explorer.pages.structured.asked import is_compared, is_traced
from tests.waiting import until


class Posted:
    """Callbacks that wait until the test runs them, as a page's next tick would."""

    def __init__(self):
        self.waiting, self.lock = [], threading.Lock()

    def __call__(self, callback):
        with self.lock:
            self.waiting.append(callback)

    def run(self):
        with self.lock:
            due, self.waiting = self.waiting, []
        for callback in due:
            callback()


@pytest.fixture
def opened():
    post = Posted()
    page = StructuredPage(Context(SessionState(page=PAGE.name), post))
    page.state.param.update(n_nodes=40, n_seeds=1, methods=["LOGREG", "CSMN"])
    page.parts().start()
    yield page, post
    page.context.abandon()


def test_widgets_follow_every_scene_and_change_nothing(opened):
    page, _ = opened
    for scene in [name for name in (*SCENES, *reversed(SCENES)) if name != "own"]:
        page.state.scene = scene
        controls = page.controls
        assert controls._method.value == page.state.method
        assert controls._methods.value == page.state.methods
        assert controls._shown.value == page.state.shown + 1
        assert set(controls._methods.options.values()) == set(page.state.choices)
        assert set(page.state.methods) <= set(page.state.choices)


def test_a_scene_is_compared_then_its_curve_is_traced(opened):
    page, post = opened
    view = page._views["curve"]
    assert view.comes
    assert "as it comes" in view._text.object
    assert view._shown["note"].columns["text"] == ["The first marks are on their way."]
    until(lambda: is_compared(page.state), post.run)
    until(lambda: is_traced(page.state), post.run)
    assert page.fits.message == page.curves.message == ""
    until(lambda: not view.comes, post.run)
    assert "note" not in view._arranged


def test_a_move_while_the_curve_is_traced_keeps_its_points(opened):
    page, post = opened
    until(lambda: page.state.curve is not None, post.run)
    known = len(page.state.curve.points)
    page.state.label_agreement = 0.6
    until(lambda: is_traced(page.state), post.run)
    assert len(page.state.curve.points) >= known
    assert dict(page.state.run.setting.growth)["label_agreement"] == 0.6


def test_nothing_is_computed_behind_another_page(opened):
    page, post = opened
    until(lambda: is_compared(page.state), post.run)
    page.context.session.page = "frontier"
    page.state.seed = 3
    assert not page.fits.busy
    page.context.session.page = PAGE.name
    page.start()
    until(lambda: is_compared(page.state), post.run)


def test_what_asks_for_own_data_goes_with_the_scene_that_needs_them(opened):
    page, _ = opened
    page.state.scene = "own"
    assert page.dialog._dialog.open
    page.state.scene = "growth"
    assert not page.dialog._dialog.open


def test_claims_are_measured_with_progress_and_can_be_stopped(opened):
    page, post = opened
    page.claims.state.ask()
    until(lambda: page.claims.job.progress > 0, post.run)
    page.claims.job.cancel()
    assert not page.claims.job.busy


def give(page, **files):
    """Put files into the dialog as an upload does."""
    for name, path in files.items():
        page.dialog._files[name].param.update(
            value=path.read_bytes(), filename=path.name
        )


def test_uploaded_readings_become_the_sensors(opened, tmp_path):
    page, post = opened
    readings, places = write_lab(simulate_lab(3, random_state=1), tmp_path)
    give(page, readings=readings, places=places)
    page.dialog.use_sensors()
    until(lambda: page.state.scene == "sensors", post.run)
    assert page.state.own_sensors.name == readings.name
    until(lambda: is_compared(page.state), post.run)
    page.dialog._use_made_up()
    assert page.state.own_sensors is None


def test_uploaded_tables_become_the_graph_and_its_parts(opened, tmp_path):
    page, post = opened
    graph = grow_graph(60, random_state=0)
    names = ("nodes", "edges", "node_costs", "edge_costs")
    give(page, **dict(zip(names, write_graph(graph, tmp_path), strict=True)))
    page.dialog.use_graph()
    until(lambda: page.state.scene == "own" and is_compared(page.state), post.run)
    assert [part.n_nodes for part in page.state.own.parts] == [20, 20, 20]
    assert is_traced(page.state)


def test_a_bad_upload_is_refused_with_a_sentence_and_changes_nothing(opened, tmp_path):
    page, post = opened
    until(lambda: is_compared(page.state), post.run)
    run = page.state.run
    job = page.dialog.job
    page.dialog.use_graph()
    until(lambda: job.message, post.run)
    assert job.message == "There is no file of nodes; choose a CSV file."
    nodes = tmp_path / "nodes.csv"
    rows = [f"{k},label{k % 7},{k}" for k in range(40)]
    nodes.write_text("\n".join(["id,label,age", *rows]))
    edges = tmp_path / "edges.csv"
    edges.write_text("source,target\n0,1\n")
    give(page, nodes=nodes, edges=edges)
    page.dialog.use_graph()
    until(lambda: "7 labels" in job.message, post.run)
    assert "up to 5000 nodes and 5 labels" in job.message
    assert page.state.run is run
    assert page.state.scene == "growth"


def test_the_drawn_graph_can_be_taken_as_an_example(opened):
    page, post = opened
    until(lambda: is_compared(page.state), post.run)
    with zipfile.ZipFile(io.BytesIO(page.dialog._example())) as archive:
        assert sorted(archive.namelist()) == [
            "edge_costs.csv",
            "edges.csv",
            "node_costs.csv",
            "nodes.csv",
        ]


def test_where_no_graph_is_drawn_yet_the_example_is_refused_in_words(opened):
    page, _ = opened
    page.state.run = None
    assert page.dialog._example() is None
    assert "No graph is drawn yet" in page.dialog.job.message
