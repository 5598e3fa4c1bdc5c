"""The frame of a page: its drawer, how it is presented, and what of it stays still."""

import pytest

from tests.ui.conftest import IDLE, USUAL
from tests.ui.wcag import broken_rules

pytestmark = [
    pytest.mark.browser,
    # The frontier's longest path says that it was cut short.
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    # A page that closes in the middle of a message leaves the message unsent.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
LINK = "?page=frontier&data=published&methods=l1,forward_selection"
# What really has the focus, within all that is drawn apart.
FOCUSED = """() => {
  let one = document.activeElement
  while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement
  return one
}"""
# The ring around what has the focus: its own, or that of the control it is unseen in.
RING = """focused => {
  for (let one = focused; one && one !== document.body;
       one = one.parentElement ?? one.getRootNode().host) {
    const { outlineStyle, outlineWidth, outlineColor, opacity } = getComputedStyle(one)
    const box = one.getBoundingClientRect()
    // A field that lies unseen over its box, and one that is a pixel large, show none.
    if (opacity === "0" || box.width < 2) continue
    if (outlineStyle === "solid") return [outlineWidth, outlineColor]
    if (one.classList.contains("MuiSlider-root") || box.width > 600) break
  }
  return null
}"""
INK = """() => {
  const probe = document.createElement("i")
  probe.style.color = "var(--mui-palette-text-primary)"
  document.body.append(probe)
  const ink = getComputedStyle(probe).color
  probe.remove()
  return ink
}"""
# Buttons, entries of the rail and of the bar that are smaller than a thumb, with their
# sizes; those of tables and of plots' toolbars are as dense as these.
SMALL = """() => {
  const small = []
  const look = root => root.querySelectorAll("*").forEach(one => {
    if (one.shadowRoot) look(one.shadowRoot)
    const isTarget = one.matches(".MuiButton-root, .MuiIconButton-root, "
      + ".MuiListItemButton-root, .MuiFormControlLabel-root, h2 > button, h3 > button")
    const { width, height } = one.getBoundingClientRect()
    if (isTarget && one.checkVisibility({ visibilityProperty: true })
        && (height < 43.5 || width < 43.5))
      small.push([one.textContent.slice(0, 30), width, height])
  })
  look(document)
  return small
}"""
# Whether a thumb of a slider is hit 21 pixels above its middle.
HIT = """thumb => {
  const { left, top, width, height } = thumb.getBoundingClientRect()
  let found = document.elementFromPoint(left + width / 2, top + height / 2 - 21)
  while (found?.shadowRoot) {
    const inside = found.shadowRoot.elementFromPoint(
      left + width / 2, top + height / 2 - 21)
    if (!inside || inside === found) break
    found = inside
  }
  return Boolean(found?.closest(".MuiSlider-thumb"))
}"""
WATCH = """() => {
  window.shifts = []
  window.shiftObserver?.disconnect()
  window.shiftObserver = new PerformanceObserver(list => {
    for (const one of list.getEntries()) window.shifts.push([
      one.value, ...one.sources.map(source => source.node?.outerHTML?.slice(0, 120))])
  })
  window.shiftObserver.observe({ type: "layout-shift" })
}"""
# A component is drawn by one task, and hears of changes from a later one on: these are
# let go one by one.
HOLD = """() => {
  window.held = []
  const post = window.postNow ??= MessagePort.prototype.postMessage
  MessagePort.prototype.postMessage = function (...told) {
    if (window.held) window.held.push(() => post.apply(this, told))
    else post.apply(this, told)
  }
}"""
LET_GO = """() => {
  const { held } = window
  window.held = null
  for (const one of held) one()
}"""
DISABLE = """disabled => {
  for (const root of window.Bokeh.documents[0].roots())
    for (const one of root.references())
      if (one.data?.attributes?.label === "Decision threshold T")
        one.data.setv({ disabled })
}"""
# Two values come from the server soon after each other, the second when the first is
# being drawn: after so many of the browser's tasks.
SEND_TWO = """async ([label, first, second]) => {
  const found = []
  for (const root of window.Bokeh.documents[0].roots())
    for (const one of root.references())
      if (one.data?.attributes?.label?.startsWith(label)) found.push(one.data)
  const send = value => found[0].setv({ value }, { sync: false })
  const pause = () => new Promise(done => setTimeout(done, 5))
  const ended = []
  for (let n_tasks = 0; n_tasks < 8; n_tasks++) {
    HOLD
    send(first)
    for (let i = 0; i < n_tasks; i++) {
      held.shift()?.()
      await pause()
    }
    send(second)
    LET_GO
    for (let i = 0; i < 20; i++) await pause()
    ended.push(found[0].value)
  }
  return ended
}"""
SEND_TWO = SEND_TWO.replace("HOLD", f";({HOLD})()").replace("LET_GO", f";({LET_GO})()")
# Below this nobody sees that something has moved: a tenth of what is called good.
STILL = 0.01


@pytest.fixture(scope="module")
def opened(open_module_page):
    """One page for all tests."""
    return open_module_page(LINK)


@pytest.fixture
def watched(opened):
    """The frontier at its usual size, the drawer closed and all at rest."""
    opened.page.set_viewport_size(USUAL)
    opened.tune(is_open=False)
    opened.turn("frontier")
    opened.until_idle()
    return opened


def tune(watched):
    return watched.page.get_by_role("button", name="Tune", exact=True)


def focus_is(watched, name):
    told = "one => one.getAttribute('aria-label') || one.textContent"
    return watched.page.evaluate(f"() => ({told})(({FOCUSED})())").endswith(name)


# How far the page has gone sideways, asked to.
SCROLLED = """drawer => {
  const page = drawer.closest("nav").parentElement
  page.scrollLeft = 300
  return page.scrollLeft
}"""


class TestDrawer:
    def test_it_opens_by_key_over_a_page_that_stays_and_escape_gives_focus_back(
        self, watched
    ):
        plot = watched.page.locator(".hero").filter(visible=True).first
        before = plot.bounding_box()
        tune(watched).focus()
        watched.page.keyboard.press("Enter")
        watched.until(lambda: focus_is(watched, "Close Tune"))
        watched.page.get_by_role("combobox", name="Accounting").wait_for()
        assert plot.bounding_box() == before
        # Nor can what it covers be scrolled out from under it, never to come back.
        assert watched.page.locator(".contextbar").evaluate(SCROLLED) == 0
        assert broken_rules(watched) == {}
        watched.page.keyboard.press("Escape")
        watched.until(lambda: focus_is(watched, "Tune"))
        watched.until(lambda: not watched.explorer.page.contextbar_open)

    def test_it_holds_what_belongs_to_the_page_in_front(self, watched):
        watched.tune()
        penalty = watched.page.get_by_role("combobox", name="Penalty")
        penalty.wait_for()
        watched.turn("selectivity")
        watched.until(lambda: not watched.explorer.page.contextbar_open)
        watched.tune()
        watched.page.get_by_role("combobox", name="Loss").wait_for()
        assert penalty.count() == 0

    def test_what_is_in_it_stays_the_same_while_it_is_closed(self, watched):
        watched.tune()
        account = watched.page.get_by_role("combobox", name="Accounting")
        held = account.element_handle()
        watched.tune(is_open=False)
        assert not account.is_visible()
        watched.tune()
        watched.until_idle()
        watched.page.wait_for_timeout(400)
        assert held.is_visible()

    def test_on_a_phone_it_lies_below_the_picture(self, watched):
        watched.page.set_viewport_size({"width": 420, "height": 860})
        watched.tune()
        drawer = watched.page.locator(".contextbar")
        watched.until(lambda: drawer.bounding_box()["x"] == 0)
        box = drawer.bounding_box()
        assert box["width"] == 420 <= box["y"]
        assert box["y"] + box["height"] == pytest.approx(860, abs=1)


class TestPresenting:
    def test_p_shows_picture_strip_and_answer_alone_until_escape(self, watched):
        page = watched.page
        for name, seen in (("header", True), (".drawer", True)):
            assert page.locator(name).first.is_visible() is seen
        watched.slider("Trade-off λ").focus()
        page.keyboard.press("p")
        watched.until(lambda: "present=1" in page.url)
        watched.until(lambda: not page.locator("header").first.is_visible())
        assert not page.get_by_role("button", name="Details").count()
        for part in ("hero", "strip", "answer"):
            assert page.locator(f".{part}").filter(visible=True).count()
        page.keyboard.press("Escape")
        watched.until(lambda: "present=1" not in page.url)
        page.locator("header").first.wait_for()

    def test_a_p_that_is_typed_presents_nothing(self, watched):
        field = watched.page.get_by_label("Budget (µs)")
        field.focus()
        watched.page.keyboard.press("p")
        watched.page.wait_for_timeout(300)
        assert watched.explorer.session.frame == ""
        watched.page.keyboard.press("Enter")
        watched.until(lambda: field.get_attribute("aria-invalid") == "true")
        watched.move("Runtime budget", "ArrowRight")
        watched.until(lambda: "p" not in field.input_value())

    def test_a_link_embeds_hero_strip_and_answer_and_keeps_nothing(
        self, watched, open_page
    ):
        other = open_page(f"{LINK}&embed=1")
        page = other.page
        assert not page.locator("header").first.is_visible()
        assert not page.get_by_role("heading", level=1).filter(visible=True).count()
        for part, seen in (("hero", 1), ("strip", 1), ("answer", 1), ("side", 0)):
            assert page.locator(f".{part}").filter(visible=True).count() == seen, part
        other.move("Trade-off λ", "ArrowRight")
        other.until(lambda: "embed=1" in page.url and "lambda=0.003&" not in page.url)
        kept = "async () => (await indexedDB.databases()).map(one => one.name)"
        assert page.evaluate(kept) == []


FRAMED = """<!doctype html><title>A course</title><h1>A course</h1>
<iframe src="%s" width="900" height="700" title="Thriftscope"></iframe>"""


# Between them all that draws: figures, the drawing and its table, text and forms.
IN_FRAMES = ("frontier", "problem", "papers")


def test_pages_stand_in_a_frame_of_a_plain_page(home, served):
    url, _ = served
    wrong = []
    for name in IN_FRAMES:
        page = home.new_page()
        page.set_viewport_size({"width": 960, "height": 800})
        page.on("pageerror", lambda error: wrong.append(f"{error}"))
        page.goto(url.replace("/app", "/robots.txt"))
        page.set_content(FRAMED % f"{url}?page={name}&methods=l1&embed=1")
        inner = page.frame_locator("iframe")
        # Papers has no picture of its own.
        part = ".frame" if name == "papers" else ".hero"
        inner.locator(part).first.wait_for(timeout=90_000)
        assert not inner.locator("header").first.is_visible(), name
        page.close()
    assert wrong == []


class TestWhatStaysStill:
    def shifts(self, watched):
        return [one for one in watched.page.evaluate("shifts") if one[0] > STILL]

    def test_a_slider_moves_what_it_draws_alone(self, watched):
        watched.page.evaluate(WATCH)
        watched.move("Trade-off λ", "ArrowRight", 4)
        watched.until_idle()
        watched.move("Runtime budget", "ArrowRight", 3)
        watched.move("Quasi-norm p", "ArrowLeft", 2)
        watched.until_idle()
        watched.page.wait_for_timeout(400)
        assert self.shifts(watched) == []

    def test_a_page_that_is_turned_to_asks_its_question_at_once(self, watched):
        page = watched.page
        watched.page.evaluate(WATCH)
        page.get_by_role("button", name="Selection").click()
        sign = page.get_by_role("progressbar", name="Opening the page")
        sign.get_by_text("which of many features does an answer need?").wait_for()
        sign.wait_for(state="hidden")
        page.get_by_role("heading", level=1, name="Selection").wait_for()
        watched.until_idle()
        page.wait_for_timeout(400)
        assert self.shifts(watched) == []

    def test_what_changes_while_a_part_is_drawn_is_seen(self, watched):
        page = watched.page
        thumb = page.get_by_role("slider", name="Decision threshold T")
        page.evaluate(HOLD)
        page.get_by_role("button", name="Trimming").click()
        for _ in range(4000):
            if thumb.count():
                break
            page.evaluate("held.shift()?.()")
            page.wait_for_timeout(5)
        page.evaluate(DISABLE, True)
        page.evaluate(LET_GO)
        watched.until(thumb.is_disabled)
        page.evaluate(DISABLE, False)
        watched.until(thumb.is_enabled)


def test_of_two_values_the_first_does_not_come_back_in_place_of_the_second(watched):
    state = watched.state
    shown = watched.page.get_by_label("Budget (µs)").input_value()
    held, before = float(shown), state.budget
    assert watched.page.evaluate(SEND_TWO, ["Budget (", held - 1, held]) == [held] * 8
    watched.until_idle()
    assert state.budget == before
    assert watched.page.get_by_label("Budget (µs)").input_value() == shown


class TestFocusAndTargets:
    def test_one_ring_of_ink_is_around_whatever_has_the_focus(self, watched):
        page = watched.page
        ink = page.evaluate(INK)
        watched.tune()
        bare = {}
        for label, one in (
            ("slider", watched.slider("Trade-off λ")),
            ("field", page.get_by_label("Budget (µs)")),
            ("button", tune(watched)),
            ("box", page.get_by_role("checkbox", name="ACAFH", exact=True)),
            ("drop-down", page.get_by_role("combobox", name="Accounting")),
            ("switch", page.get_by_role("switch", name="Logarithmic cost")),
            ("rail", page.get_by_role("button", name="Early exit")),
            ("heading", page.get_by_role("button", name="In words")),
        ):
            page.keyboard.press("Tab")  # a ring is for those who use keys
            one.first.focus()
            ring = page.evaluate(RING, page.evaluate_handle(FOCUSED))
            if ring != ["2px", ink]:
                bare[label] = ring
        assert bare == {}

    def test_what_is_pressed_is_as_large_as_a_thumb(self, watched):
        watched.tune()
        assert watched.page.evaluate(SMALL) == []
        for name in ("Trade-off λ", "Runtime budget"):
            thumb = watched.slider(name).locator("xpath=..")
            assert thumb.evaluate(HIT), name


def test_the_bar_of_a_phone_is_one_line(watched):
    watched.page.set_viewport_size({"width": 420, "height": 860})
    watched.page.wait_for_function(IDLE)
    header = watched.page.locator("header").first
    watched.until(lambda: header.bounding_box()["height"] == 48)
    for name in ("Undo", "Session", "Toggle theme", "Data:"):
        found = watched.page.get_by_role("button", name=name).first
        box = found.bounding_box()
        assert box["x"] >= 0, name
        assert box["x"] + box["width"] <= 420, name
        assert box["y"] + box["height"] <= 48, name


def test_the_menu_of_data_begins_where_its_button_does(watched):
    button = watched.page.get_by_role("button", name="Data:")
    button.click()
    entry = watched.page.get_by_role("menuitem").first
    entry.wait_for()
    menu = watched.page.locator(".MuiPopover-paper").filter(visible=True)
    left = button.bounding_box()["x"]
    watched.until(lambda: menu.bounding_box()["x"] == pytest.approx(left, abs=2))
    watched.page.keyboard.press("Escape")
