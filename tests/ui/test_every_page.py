"""Every page opens on an answer, is laid out well, can be read, and has its keys."""

import re

import pytest

from explorer.pages import all_pages
from tests.ui.conftest import FEW, USUAL
from tests.ui.layout import look_for_faults
from tests.ui.wcag import rules_broken_in_a_theme

pytestmark = [
    pytest.mark.browser,
    # The frontier's longest path says that it was cut short.
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    # A page that closes in the middle of a message leaves the message unsent.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
# By page: what it says once its example is computed.
SAID = {
    "problem": "Incidence matrix",
    "frontier": "best within the budget",
    "cascade": "test rows right",
    "trimming": "decide",
    "selectivity": "features used,",
    "proof": "no linear model has an objective below",
    # The name of the method is a term whose meaning stands behind it in the page.
    "structured": re.compile(r"pays \d[\d.]*.* on test "),
    "lessons": "Pick an answer",
    "papers": "Verdicts follow from what was computed",
}
KEYS = ("Enter", "Space", "ArrowDown", "ArrowUp")
# Without fields that suggest, and what is in a panel that is behind.
BOXES = '[role="combobox"]:not(input):not([aria-disabled="true"])'
# By page: a button that computes, and what it is called while it does.
BUTTONS = {
    "problem": ("Open this data set", "Opening the data set"),
    "frontier": ("Everything (bundle)", "Packing everything"),
    "cascade": ("Run one prediction", "Running"),
    "selectivity": ("Time them on this machine", "Timing"),
    "structured": ("Compute it here", "Measuring"),
    "proof": ("Certificate (zip)", "Packing the certificate"),
}
# How far from a button the progress of what it starts may stand, in pixels.
BESIDE = 150
# By page: what has not arrived yet, of what stands above its pictures.
AWAITED = {
    "frontier": {"traces": {}, "marks": {}, "picked": None},
    "cascade": {"cascade": None},
    "selectivity": {"answer": None},
    "structured": {},
}
SETTLED_MS = 400
TOP = """() => {
  const found = []
  const look = root => root.querySelectorAll("*").forEach(one => {
    if (one.classList.contains("frame")) found.push(one.getBoundingClientRect())
    if (one.shadowRoot) look(one.shadowRoot)
  })
  look(document)
  return Math.round(found.find(box => box.height > 0).top)
}"""


# Pages whose picture answers what the strip above it asks.
STAGED = ("frontier", "cascade", "trimming", "selectivity", "proof")
# Window, and where its picture begins at the latest, in pixels.
BEGINS = {(1440, 900): 210, (420, 860): 160, (1024, 768): 210}
# Of the parts of the frame that are seen: their classes, where they begin and end.
PARTS = """() => {
  const found = {}
  const look = root => root.querySelectorAll("*").forEach(one => {
    const box = one.getBoundingClientRect()
    for (const name of ["question", "strip", "hero", "side", "answer"])
      if (one.classList.contains(name) && box.height > 0)
        found[name] ??= [box.top, box.bottom]
    if (one.shadowRoot) look(one.shadowRoot)
  })
  look(document)
  return found
}"""
# Of the figures beside the answer that have a place, how many there are, and how
# many of them nobody can see.
FIGURES = """() => {
  const found = []
  const look = (root, within) => root.querySelectorAll("*").forEach(one => {
    const inside = within || one.closest(".hero, .side") !== null
    if (inside && one.classList.contains("bk-Figure") && one.offsetHeight > 0)
      found.push(getComputedStyle(one).visibility)
    if (one.shadowRoot) look(one.shadowRoot, inside)
  })
  look(document, false)
  return [found.length, found.filter(seen => seen !== "visible").length]
}"""


@pytest.fixture(scope="module")
def opened(open_module_page):
    """One page for all tests, with quick methods: others are visited."""
    return open_module_page(f"?page=lessons&methods=l1,forward_selection{FEW}")


@pytest.fixture(scope="module", params=SAID)
def visited(request, opened):
    """A page of the app with its example computed, and its name."""
    name = request.param
    opened.page.set_viewport_size(USUAL)
    opened.turn(name)
    opened.page.get_by_text(SAID[name]).filter(visible=True).first.wait_for()
    return opened, name


@pytest.fixture
def watched(visited):
    """A page of the app, at its usual size."""
    found, _ = visited
    found.page.set_viewport_size(USUAL)
    return found


@pytest.fixture
def unfolded(visited, watched):
    """The page with every panel open, which the test before may have left so."""
    if not watched.is_unfolded():
        watched.unfold()
    return watched


def test_every_page_is_visited():
    assert SAID.keys() == all_pages().keys()


@pytest.mark.parametrize("visited", STAGED, indirect=True)
def test_question_controls_and_picture_stand_in_one_window(visited):
    watched, name = visited
    watched.do(lambda: [job.cancel() for job in watched.jobs()])
    watched.until_idle()
    for (width, height), latest in BEGINS.items():
        watched.page.set_viewport_size({"width": width, "height": height})
        watched.page.wait_for_timeout(SETTLED_MS)
        watched.page.evaluate("scrollTo(0, 0)")
        found = watched.page.evaluate(PARTS)
        assert found["question"][1] <= found["hero"][0] + 1 <= latest
        if width == 420:  # where the thumb is
            assert found["hero"][1] <= found["strip"][0] + 1
        else:
            assert found["strip"][1] <= found["hero"][0] + 1
        assert max(found["hero"][1], found["strip"][1]) <= found["answer"][0] + 1
        if width > 420:
            assert found["answer"][0] <= height - 50
        if name == "frontier" and width > 420:
            assert found["hero"][1] <= height
    n_figures, n_unseen = watched.page.evaluate(FIGURES)
    assert n_figures
    assert n_unseen == 0


@pytest.mark.parametrize("visited", AWAITED, indirect=True)
def test_pictures_stay_where_they_are_when_the_first_result_lands(visited):
    watched, name = visited
    page, context = watched.page, watched.explorer.context
    state, jobs = watched.explorer._page_parts(name).state, watched.jobs()
    width, height = [*BEGINS][-1]  # as the page is left above: each change costs much
    page.set_viewport_size({"width": width, "height": height})
    # What is computed could ask for what is taken away, and moves what is measured.
    watched.until_idle()
    page.wait_for_timeout(SETTLED_MS)
    watched.until_idle()  # what follows from an answer is asked once that has come
    absent = AWAITED[name]
    there, arrived = page.evaluate(TOP), {key: getattr(state, key) for key in absent}

    def wait(is_waiting):
        state.param.update(**(absent if is_waiting else arrived))
        for job in jobs:
            job.busy = is_waiting

    context.post(lambda: wait(True))
    page.get_by_role("progressbar").filter(visible=True).first.wait_for()
    page.wait_for_timeout(SETTLED_MS)
    waiting = page.evaluate(TOP)
    context.post(lambda: wait(False))
    page.get_by_role("progressbar").filter(visible=True).first.wait_for(state="hidden")
    assert waiting == there


def test_no_frames_overlap_and_nothing_is_cut(watched):
    look_for_faults(watched, widths=[USUAL["width"]])
    watched.unfold()
    look_for_faults(watched, widths=[USUAL["width"]])


def test_no_rule_of_wcag_is_broken_with_every_panel_open(unfolded):
    assert rules_broken_in_a_theme(unfolded) == {}


@pytest.mark.parametrize("visited", BUTTONS, indirect=True)
def test_progress_has_its_place_beside_the_button_that_computes(visited, unfolded):
    label, doing = BUTTONS[visited[1]]
    watched = unfolded
    jobs, post = watched.jobs(), watched.explorer.context.post
    start = watched.page.get_by_role("button", name=label, exact=True)
    start.wait_for()

    def work(busy):
        """As if all that a person can ask for were computed, or nothing."""
        for job in jobs:
            job.busy = busy

    post(lambda: work(True))
    bar = watched.page.get_by_role("progressbar", name=doing)
    bar.wait_for()
    at, pressed = bar.bounding_box(), start.bounding_box()
    post(lambda: work(False))
    bar.wait_for(state="hidden")
    assert 0 <= at["y"] - pressed["y"] < BESIDE


def is_open(box):
    return box.get_attribute("aria-expanded") == "true"


def opens(watched, box, key):
    """Whether a key opens the menu of a drop-down; it is closed again by Escape."""
    menu = watched.page.get_by_role("menuitem").filter(visible=True)
    box.focus()
    watched.page.keyboard.press(key)
    try:
        watched.until(lambda: is_open(box) and menu.count(), seconds=3)
    except AssertionError:
        return False
    watched.page.keyboard.press("Escape")

    def is_closed():
        # On a busy machine the server's echo of "open" can come after.
        if is_open(box):
            watched.page.keyboard.press("Escape")
        return not is_open(box) and not menu.count()

    watched.until(is_closed)
    return True


def test_drop_downs_open_with_enter_space_and_arrows(visited, unfolded):
    """Each with one of the keys, in turn: what listens to them is one for all."""
    watched = unfolded
    boxes = watched.page.locator(BOXES).filter(visible=True)
    has_none = visited[1] in ("lessons", "papers", "proof")
    watched.until(lambda: boxes.count() or has_none, seconds=20)
    silent = []
    for k, box in enumerate(boxes.all()):
        if not opens(watched, box, key := KEYS[k % len(KEYS)]):
            name = box.get_attribute("aria-label") or box.inner_text()
            silent.append((name, key))
    assert not silent, silent


@pytest.mark.parametrize("visited", ["lessons"], indirect=True)
def test_the_first_stop_leads_past_the_menu_to_the_question(watched):
    page = watched.page
    page.evaluate("document.activeElement.blur()")
    page.mouse.click(720, 5)  # Tab goes on from where one has clicked
    skip = page.get_by_role("button", name="Skip to the question")
    assert skip.bounding_box()["y"] < 0
    while not skip.evaluate("one => one.matches(':focus')"):
        page.keyboard.press("Shift+Tab")
    watched.until(lambda: skip.bounding_box()["y"] >= 0)
    page.keyboard.press("Enter")
    heading = page.get_by_role("heading", level=1).filter(visible=True)
    assert heading.evaluate("one => one.matches(':focus')")


def test_nor_at_any_other_width_with_every_panel_open(unfolded):
    """The last of a page: to become wide again, with all of it open, takes long."""
    look_for_faults(unfolded)
