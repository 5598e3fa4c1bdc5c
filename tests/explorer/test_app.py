"""What the app makes for whoever opens it."""

from dataclasses import replace

import numpy as np
import panel as pn
import pytest
from bokeh.document import Document
from panel.io.state import set_curdoc
from scipy import sparse

from explorer.app import open_session
from explorer.document.drawing import MAX_NODES
from explorer.pages import all_pages
from explorer.session.state import bundled
from explorer.stage.material import theme_config
from explorer.widgets.theme import palette
from solvers import Dataset, FeatureHypergraph
from tests.each import each
from tests.explorer.worlds import World
from tests.fuzz.bounded import counted_calls
from tests.waiting import until

# 251 alone, 314 where much of its first picture is known, a few more with a message;
# what is added to the opening page is paid for by everybody who opens it.
MOST_MODELS = 330
# 102 here, half of it for words of pictures, for each column of the widest table:
# meanwhile nobody else's slider moves.
MOST_CALLS = 140


@pytest.fixture
def opened():
    """The models of a page as a browser is sent them, and the session behind it."""
    document = Document()
    with set_curdoc(document):
        explorer = open_session()
        explorer.page.server_doc(document)
        yield list(document.models), explorer
    explorer.close()


def is_whole(state):
    paths = [state.traces.get(name) for name in state.methods]
    return state.marks and all(path and path.is_complete for path in paths)


def test_the_opening_page_alone_is_built_and_the_widest_table_keeps_nobody_waiting(
    opened,
):
    models, explorer = opened
    assert len(models) <= MOST_MODELS
    assert list(explorer._parts) == ["frontier"]
    # Here what was computed is taken in on its own thread, in the midst of all else.
    state = explorer._page_parts("frontier").state
    state.methods = ["l1"]
    until(lambda: is_whole(state))
    explorer.visit("?page=problem", "")
    n = MAX_NODES // 2
    incidence = sparse.eye_array(n, format="csr")
    dataset = Dataset(
        "wide",
        np.random.default_rng(0).normal(size=(40, n)),
        np.arange(40) % 2,
        FeatureHypergraph(incidence, np.ones(n)),
    )
    with counted_calls() as calls:
        explorer.context.problem.open_dataset(dataset)
    assert explorer.session.dataset.name == "wide"
    assert calls.total() < MOST_CALLS * n
    # What is learned of it, workers learn.
    assert not [name for name in calls if name.endswith((".fit", ".path"))]


def test_what_is_computed_makes_no_page_look_for_its_models_again(opened, monkeypatch):
    """It goes through all of them then, which takes longer than the picture."""
    _, explorer = opened
    state = explorer._page_parts("frontier").state
    state.methods = ["l1"]
    until(lambda: is_whole(state))
    jobs = [job for one in explorer.context._jobs if (job := one()) is not None]
    (document,), looked = explorer.page._documents, []

    def compute(share):
        for job in jobs:
            job.param.update(is_slow=True, progress=share)
            job.is_slow = False
        state.param.update(alpha=share, reason="alpha")
        until(lambda: is_whole(state))

    compute(0.01)  # what is shown of it for the first time has been sent then
    look = document.models.recompute
    monkeypatch.setattr(
        document.models, "recompute", lambda: looked.append(1) or look()
    )
    compute(0.02)
    assert looked == []


def test_a_theme_that_an_address_asks_for_is_the_whole_page_s():
    document = Document()
    with set_curdoc(document):
        pn.state.location.search = "?theme=dark"
        explorer = open_session()
        try:
            assert (explorer.session.dark, explorer.page.dark_theme) == (True, True)
            # The browser tells of a light system, and that nothing was kept.
            explorer._heard({"op": "found", "text": "", "table": "", "dark": False})
            assert (explorer.session.dark, explorer.page.dark_theme) == (True, True)
        finally:
            explorer.close()


def test_a_page_that_cannot_be_built_is_told_and_the_others_go_on(opened, monkeypatch):
    _, explorer = opened

    def fails(context):
        raise ZeroDivisionError

    broken = replace(all_pages()["proof"], build=fails)
    monkeypatch.setitem(all_pages(), "proof", broken)
    explorer.session.page = "proof"
    told = "The page Proof could not be opened"
    until(lambda: told in explorer.autosave.message)
    until(lambda: explorer.session.page == "frontier")
    explorer.page.contextbar_open = True
    explorer.session.page = "problem"
    until(lambda: explorer._browser.front == "Prices")
    assert not explorer.page.contextbar_open  # what was tuned is of the page before
    explorer.page.contextbar_open = True
    explorer.session.frame = "present"
    assert not explorer.page.contextbar_open  # it lay over what ends that
    explorer.autosave.tell()
    came = explorer._browser.turned
    explorer.visit("?page=proof")
    assert told in explorer.autosave.message
    assert explorer.session.page == "problem"
    assert explorer._browser.turned == came + 1  # which ends the wheel


def test_what_was_opened_before_the_kept_session_came_wins_over_the_link():
    document = Document()
    with set_curdoc(document):
        pn.state.location.search = "?data=breast_cancer"
        explorer = open_session()
        try:
            # As on a page: not in the midst of what a computation brings.
            problem, signals = explorer.context.problem, bundled("signals")
            explorer.context.post(lambda: problem.open_dataset(signals))
            text = World().autosave.text()
            found = {"op": "found", "text": text, "table": "", "same": False}
            explorer._heard(found)
            until(lambda: explorer.autosave._write is not None)
            assert explorer.session.dataset.name == "signals"
        finally:
            explorer.close()


@each("theme", ["light", "dark"])
def test_what_is_disabled_can_still_be_read(theme):
    def luminance(colour):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [
            c / 12.92 if c <= 0.04 else ((c + 0.055) / 1.055) ** 2.4 for c in parts
        ]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    text = theme_config()[theme]["palette"]["text"]["disabled"]
    ground = palette(theme == "dark").background
    low, high = sorted([luminance(text), luminance(ground)])
    assert (high + 0.05) / (low + 0.05) >= 4.5
