"""A session is there again after a reload, in a file, in a link; undo spans pages."""

import json
import math

import numpy as np
import pandas as pd
import pytest

from explorer.session.declared import OPEN_PANELS
from explorer.session.saved import read_session
from explorer.session.saved_table import table_key
from solvers.bayes import bundled_classifier, network_to_json
from solvers.datasets import from_frame
from tests.explorer.worlds import DECLARED
from tests.ui.conftest import FEW
from tests.ui.kept import kept
from tests.ui.wcag import rules_broken_in_a_theme

pytestmark = [
    pytest.mark.browser,
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
# One method on few rows: these tests are not about solvers.
QUICK = f"?data=breast_cancer&methods=acafh{FEW}"


@pytest.fixture(scope="module")
def opened(open_module_page):
    return open_module_page(QUICK)


@pytest.fixture
def watched(opened):
    """The page after whatever other tests did to it, its menu closed."""
    opened.page.keyboard.press("Escape")
    opened.turn("frontier")
    opened.until(opened.is_computed)
    # An undo reaches the slider after the state.
    slider = opened.slider("Trade-off λ")
    opened.until(
        lambda: math.isclose(
            float(slider.get_attribute("aria-valuenow")), math.log10(opened.state.alpha)
        )
    )
    return opened


def button(watched, name, *, exact=False):
    return watched.page.get_by_role("button", name=name, exact=exact)


def menu(watched):
    """Open the menu of the session."""
    button(watched, "Session", exact=True).click()
    button(watched, "Save session").wait_for()


def edit_cost(watched):
    """Change a cost as who drags it on Problem."""
    problem = watched.explorer.context.problem
    node = problem.editor.drawing.component_ids[0]
    edit = {"op": "set", "node": node, "cost": 0.125}
    watched.explorer.context.post(lambda: problem.editor.receive(edit))


def test_buttons_are_named_by_what_they_take_back(watched):
    watched.slider("Quasi-norm p").press("ArrowRight")
    button(watched, "Undo: Quasi-norm p").wait_for()
    moved = watched.state.p
    button(watched, "Undo: Quasi-norm p").click()
    watched.until(lambda: watched.state.p != moved)
    button(watched, "Redo: Quasi-norm p").click()
    watched.until(lambda: watched.state.p == moved)


def test_the_name_of_a_button_does_not_lie_on_the_next_one(watched):
    watched.slider("Quasi-norm p").press("ArrowRight")
    before = watched.state.alpha
    watched.slider("Trade-off λ").press("ArrowRight")
    button(watched, "Undo: Trade-off λ").hover()
    watched.page.get_by_role("tooltip").wait_for()
    button(watched, "Undo: Trade-off λ").click()
    watched.until(lambda: watched.state.alpha == before)
    watched.page.get_by_role("tooltip", name="Undo: Quasi-norm p").wait_for()
    # As a hand does: from one to the other, with the name of the first in sight.
    place = button(watched, "Redo: Trade-off λ").bounding_box()
    watched.page.mouse.click(
        place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    )
    watched.until(lambda: watched.state.alpha != before)


def test_the_browser_goes_back_and_forward_by_pages_not_by_moves(watched):
    page, entries = watched.page, "history.length"
    slider, before = watched.slider("Quasi-norm p"), page.evaluate(entries)
    for _ in range(3):
        p = watched.state.p
        slider.press("ArrowRight")
        watched.until(lambda now=f"p={p + 0.01:g}": now in page.url)
    button(watched, "Prices", exact=True).click()
    watched.until(lambda: "page=problem" in page.url)
    assert page.evaluate(entries) == before + 1
    for go, shown in ((page.go_back, "Frontier"), (page.go_forward, "Prices")):
        go()
        page.get_by_role("heading", level=1, name=shown).wait_for()


def test_undo_by_keyboard_brings_the_page_to_the_front(watched):
    before = watched.state.alpha
    watched.slider("Trade-off λ").press("ArrowRight")
    watched.until(lambda: watched.state.alpha != before)
    watched.page.get_by_role("button", name="Prices", exact=True).click()
    watched.page.get_by_role("heading", level=1, name="Prices").wait_for()
    watched.page.keyboard.press("Control+z")
    watched.until(lambda: watched.state.alpha == before)
    watched.page.get_by_role("heading", level=1, name="Frontier").wait_for()
    watched.page.keyboard.press("Control+Shift+z")
    watched.until(lambda: watched.state.alpha != before)


def test_a_session_file_is_saved_opened_and_undone_and_a_broken_one_refused(
    watched, tmp_path
):
    menu(watched)
    with watched.page.expect_download() as download:
        button(watched, "Save session").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert path.name == "thriftscope-session.json"
    given = json.loads(path.read_text(encoding="utf-8"))
    read_session(path.read_bytes(), DECLARED)
    before = watched.explorer.autosave.document()
    given["choices"]["frontier"]["alpha"] = 0.25
    path.write_text(json.dumps(given), encoding="utf-8")
    watched.page.locator('input[type="file"][accept=".json"]').set_input_files(path)
    watched.until(lambda: watched.state.alpha == 0.25)
    button(watched, "Undo: Opened a session").click()
    watched.until(lambda: watched.explorer.autosave.document() == before)
    path.write_text('{"format": "thriftscope-session", "version": 99}', "utf-8")
    menu(watched)
    watched.page.locator('input[type="file"][accept=".json"]').set_input_files(path)
    watched.page.get_by_text("is of version 99").first.wait_for()
    assert watched.explorer.autosave.document() == before


def test_a_copied_link_carries_the_edited_hypergraph_to_another_person(
    watched, open_page
):
    session = watched.explorer.session
    edit_cost(watched)
    watched.until(lambda: session.dataset.hypergraph.component_costs[0] == 0.125)
    hypergraph = session.dataset.hypergraph
    menu(watched)
    button(watched, "Copy link").click()
    link = watched.page.get_by_role("link", name="The link")
    link.wait_for()
    query = link.get_attribute("href")
    other = open_page(query)
    assert other.explorer.session.dataset.hypergraph.equals(hypergraph)
    assert other.state.methods == watched.state.methods


def undoable(watched):
    """The whole session, but for open panels: to open one is no step."""
    document = watched.explorer.autosave.document()
    chosen = {
        page: {name: one for name, one in choices.items() if name != OPEN_PANELS}
        for page, choices in document["choices"].items()
    }
    document["choices"] = {page: one for page, one in chosen.items() if one}
    return document


def test_starting_afresh_is_one_step(watched):
    before = undoable(watched)
    menu(watched)
    button(watched, "Start afresh").click()
    watched.until(lambda: watched.explorer.session.dataset.name == "published")
    button(watched, "Undo: Started afresh").click()
    watched.until(lambda: undoable(watched) == before)


def test_what_a_link_says_wins_over_what_was_kept(watched):
    watched.slider("Trade-off λ").press("End")
    watched.until(lambda: watched.state.alpha > 0.5)
    kept(watched, '"alpha":' + json.dumps(watched.state.alpha))
    p = watched.state.p
    watched.open("?lambda=0.05")
    watched.until(lambda: watched.explorer.context.undo_stack.undoes == "Opened a link")
    assert watched.state.alpha == 0.05
    assert watched.state.p == p


def test_a_link_that_wins_over_a_session_of_another_page_is_drawn_anew(watched):
    """The page was taken out and put back at once: its axis was that of before."""
    watched.turn("lessons")
    kept(watched, '"page":"lessons"')
    watched.open(f"?page=frontier&data=heart&methods=acafh{FEW}")
    axis = "figure => figure.below[0].axis_label"
    watched.until(lambda: "(CAD)" in (watched.of_figure("frontier", axis) or ""))
    watched.until(watched.is_computed)


def test_everything_is_there_again_after_a_reload_and_meanwhile_nothing_else(watched):
    """A table of one's own, until it is read again; what was edited; a network."""
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.normal(size=(120, 2)), columns=["fast", "slow"])
    mine = from_frame(frame.assign(label=frame["fast"] > 0), "label", name="my_table")
    watched.do(lambda: watched.explorer.session.open(mine))
    watched.until(watched.is_computed)
    trimming = watched.turn("trimming")
    content = network_to_json(bundled_classifier("fig3").network).encode()
    watched.tune()
    chooser = watched.page.locator(".contextbar input[type=file]")
    network = {"name": "mine.json", "mimeType": "application/json", "buffer": content}
    chooser.set_input_files(network)
    watched.until(lambda: trimming.source == "file")
    watched.turn("frontier")
    watched.slider("Quasi-norm p").press("End")
    watched.until(lambda: watched.state.p == 0.9)
    edit_cost(watched)
    # A panel of a page that is not in front, so not in the address.
    choices, opened = watched.explorer.context.choices, {"unfolded": ["stages"]}
    watched.explorer.context.post(lambda: choices.set("cascade", opened))
    for words in (table_key(mine), "0.125", '"unfolded":["stages"]', "mine.json"):
        kept(watched, words)
    watched.page.reload()
    sign = watched.page.get_by_role("progressbar", name="Opening what this browser")
    sign.wait_for()
    sign.wait_for(state="hidden")
    watched.explorer = watched.apps[-1]
    session = watched.explorer.session
    assert session.dataset.name == "my_table"
    watched.page.get_by_role("button", name="Data: my_table").wait_for()
    watched.until(lambda: session.dataset.hypergraph.component_costs[0] == 0.125)
    watched.until(lambda: watched.state.p == 0.9)
    choices = watched.explorer.context.choices
    watched.until(lambda: choices.values("cascade").get("unfolded") == ["stages"])
    watched.until(watched.is_computed)
    (file,) = watched.turn("trimming").files
    watched.page.get_by_text("mine.json:").first.wait_for()
    assert file.content == content


def test_the_menu_breaks_no_rule_of_wcag(watched):
    menu(watched)
    assert rules_broken_in_a_theme(watched) == {}


def test_a_session_that_the_browser_takes_and_then_has_no_room_for_is_not_kept(watched):
    """It ends what was put only after it has said yes."""
    watched.page.evaluate(
        """() => {
          window._put = IDBObjectStore.prototype.put
          IDBObjectStore.prototype.put = function (...given) {
            const request = window._put.apply(this, given)
            request.addEventListener("success", () => this.transaction.abort())
            return request
          }
        }"""
    )
    watched.slider("Trade-off λ").press("ArrowRight")
    watched.page.get_by_text("The browser did not keep this session").wait_for(
        timeout=30_000
    )
    watched.page.evaluate("() => { IDBObjectStore.prototype.put = window._put }")
