"""Each page opens on an example that answers its question, and says how far it is."""

import re
import time

import pytest

from explorer.pages.trimming.folding import MAX_READ

pytestmark = [
    pytest.mark.browser,
    # The frontier's longest path says that it was cut short.
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    # A page that closes in the middle of a message leaves the message unsent.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
# By page: what its summary says once the example is computed.
SAID = {
    "frontier": "Best within the budget",
    "cascade": "test rows right",
    "trimming": "decide",
    "selectivity": "The answer is final.",
    "proof": "no linear model has an objective below",
    # The name of the method is a term whose meaning stands behind it in the page.
    "structured": re.compile(r"pays \d[\d.]*.* on test "),
}
# How far from a button the progress of what it starts may stand, in pixels.
BESIDE = 150


@pytest.fixture(scope="module")
def watched(open_module_page):
    """One page for all tests: others are visited."""
    return open_module_page("?page=trimming")


def visit(watched, name):
    context = watched.explorer.context
    context.post(lambda: context.session.param.update(page=name))
    watched.until(lambda: f"page={name}" in watched.page.url)
    watched.page.get_by_role("heading", level=1).wait_for()
    return watched.explorer._page_parts(name).state


def all_jobs(watched):
    """All that can be computed for this session."""
    return [found for one in watched.explorer.context._jobs if (found := one())]


def until_idle(watched):
    """Wait until nothing is computed: it could ask for what a test takes away."""
    watched.until(lambda: not any(job.busy for job in all_jobs(watched)))


def button(watched, name):
    return watched.page.get_by_role("button", name=name, exact=True)


@pytest.mark.parametrize(("name", "said"), SAID.items())
def test_a_page_opens_computed_and_says_its_answer(watched, name, said):
    visit(watched, name)
    watched.page.get_by_text(said).filter(visible=True).first.wait_for()


def test_the_row_that_is_followed_goes_on_and_leaves_early_and_right(watched):
    state = visit(watched, "cascade")
    watched.until(lambda: state.journey("tefe") is not None)
    result, row = state.result("tefe"), state.followed("tefe")
    n_stops = len(state.journey("tefe").stops)
    assert 1 < n_stops < len(state.cascade.stage_names)
    assert row not in result.wrong_rows


def test_one_prediction_runs_or_the_button_says_what_to_choose(watched):
    state = visit(watched, "cascade")
    run = button(watched, "Run one prediction")
    assert run.is_disabled()
    watched.page.get_by_text("choose scenes").filter(visible=True).first.wait_for()
    # As before anything is trained: it cannot be pressed, and says why.
    until_idle(watched)
    trained, post = state.cascade, watched.explorer.context.post
    post(lambda: state.param.update(cascade=None))
    watched.page.get_by_text("then run it").filter(visible=True).first.wait_for()
    assert run.is_disabled()
    post(lambda: state.param.update(cascade=trained))
    watched.choose("Data", "Scenes, ten classes, costs measured")
    watched.until(run.is_enabled)
    run.click()
    watched.until(lambda: len(state.runs) == 1)


def test_the_tree_can_be_read_and_a_large_search_plays_within_20_seconds(watched):
    state = visit(watched, "trimming")
    watched.until(lambda: state.log is not None and state.log.is_complete)
    assert len(state.log.events) <= MAX_READ
    context, before = watched.explorer.context, state.log
    context.post(lambda: state.param.update(n_columns=14))
    watched.until(lambda: state.log is not before and state.log.is_complete)
    assert len(state.log.events) / state.speed > 20
    began = time.monotonic()
    button(watched, "Play").click()
    watched.until(lambda: state.is_playing)
    watched.until(lambda: not state.is_playing)
    assert time.monotonic() - began < 20


@pytest.mark.parametrize(
    ("name", "panel", "label", "doing"),
    [
        ("selectivity", "Time against the", "Time them on this machine", "Timing"),
        (
            "structured",
            "What of the paper",
            "Measure the paper's claims",
            "Measuring claims",
        ),
    ],
)
def test_progress_stands_beside_the_button_that_was_pressed(
    watched, name, panel, label, doing
):
    visit(watched, name)
    watched.unfold(panel)
    start = button(watched, label)
    start.click()
    bar = watched.page.get_by_role("progressbar", name=doing)
    bar.wait_for()
    at, pressed = bar.bounding_box(), start.bounding_box()
    assert 0 <= at["y"] - pressed["y"] < BESIDE
    cancel = watched.page.get_by_role("button", name="Cancel").filter(visible=True)
    cancel.last.click()
    bar.wait_for(state="hidden")


@pytest.mark.parametrize(
    ("name", "label", "doing"),
    [
        ("problem", "Open this data set", "Opening the data set"),
        ("frontier", "Everything (bundle)", "Packing everything"),
        ("cascade", "Run one prediction", "Running"),
        ("proof", "Certificate (zip)", "Packing the certificate"),
        ("lessons", "Reveal", "Working out the answer"),
    ],
)
def test_progress_has_its_place_beside_each_button_that_computes(
    watched, name, label, doing
):
    visit(watched, name)
    context, jobs = watched.explorer.context, all_jobs(watched)
    start = button(watched, label)
    start.wait_for()

    def work(busy):
        """As if all that a person can ask for were computed, or nothing."""
        for job in jobs:
            job.busy = busy

    context.post(lambda: work(True))
    bar = watched.page.get_by_role("progressbar", name=doing)
    bar.wait_for()
    at, pressed = bar.bounding_box(), start.bounding_box()
    context.post(lambda: work(False))
    bar.wait_for(state="hidden")
    assert 0 <= at["y"] - pressed["y"] < BESIDE


SETTLED_MS = 400
# By page: what has not arrived yet, of what stands above its pictures.
AWAITED = {
    "frontier": {"traces": {}, "marks": {}, "picked": None},
    "cascade": {"cascade": None},
    "selectivity": {"answer": None},
    "structured": {},
}
TOP = """() => {
  const found = []
  const look = root => root.querySelectorAll("*").forEach(one => {
    if (one.classList.contains("frame")) found.push(one.getBoundingClientRect())
    if (one.shadowRoot) look(one.shadowRoot)
  })
  look(document)
  return Math.round(found.find(box => box.height > 0).top)
}"""


@pytest.mark.parametrize(("name", "absent"), AWAITED.items())
def test_pictures_stay_where_they_are_when_the_first_result_lands(
    watched, name, absent
):
    state, page = visit(watched, name), watched.page
    page.get_by_text(SAID[name]).filter(visible=True).first.wait_for()
    page.set_viewport_size({"width": 900, "height": 1000})
    page.wait_for_timeout(SETTLED_MS)
    if absent:
        until_idle(watched)
    context, jobs = watched.explorer.context, all_jobs(watched)
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
    page.set_viewport_size({"width": 1440, "height": 1000})
    assert waiting == there
