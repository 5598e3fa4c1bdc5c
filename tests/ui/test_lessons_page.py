"""The lessons page in a real browser: predict, reveal, step, play, and go on."""

from itertools import count
from pathlib import Path

import pytest

from explorer.pages.lessons.course import all_lessons
from tests.ui.conftest import USUAL
from tests.ui.layout import layout_faults, look_for_faults

pytestmark = [
    pytest.mark.browser,
    # The index opens the frontier, whose longest path says that it was cut short.
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    # A page that closes in the middle of a message leaves the message unsent.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

# Of all styles, the share that is written from now on and is as it was.
OBSERVE = """() => {
  const texts = new Map(), written = new Set()
  const note = records => records.forEach(record => written.add(record.target))
  const observer = new MutationObserver(note)
  const look = root => root.querySelectorAll("*").forEach(one => {
    if (one.tagName === "STYLE") {
      texts.set(one, one.textContent)
      observer.observe(one, { childList: true })
    }
    if (one.shadowRoot) look(one.shadowRoot)
  })
  look(document)
  window.writtenAsTheyWere = () => {
    note(observer.takeRecords())
    const still = [...written].filter(one => one.textContent === texts.get(one))
    return still.length / texts.size
  }
}"""


# One quick method for the frontier, which is looked at too.
PAGE = "?page=lessons&lesson=order&at=5&methods=l1"


@pytest.fixture(scope="module")
def opened(open_module_page):
    """One page for all tests, and what its link has asked for when it opened."""
    watched = computed(open_module_page(PAGE))
    watched.asked = state(watched).lesson, state(watched).at
    watched.page.get_by_role("heading", name=all_lessons()["order"].short).wait_for()
    watched.page.get_by_text("10 µs", exact=True).first.wait_for()
    watched.shown = watched.slider("Shared component").get_attribute("aria-valuenow")
    return watched


@pytest.fixture
def watched(opened):
    """The first lesson as it opens, computed and at rest."""
    opened.turn("lessons")
    opened.page.set_viewport_size(USUAL)

    def begin():
        state(opened).lesson = "sharing"
        state(opened).reset()

    opened.do(begin)
    computed(opened)
    first = opened.page.get_by_text(f"Lessons, 1 of {len(all_lessons())}")
    opened.until(first.is_visible)
    return opened


def state(watched):
    return watched.explorer._page_parts("lessons").state


def computed(watched):
    watched.until(lambda: state(watched).is_up_to_date)
    return watched


# All that stands in the picture: a layer a colour.
WORDS = """figure => figure.renderers.flatMap(({ data_source: { data } }) =>
  [...((data.get ? data.get("text") : data.text) ?? [])])"""


def button(watched, name):
    return watched.page.get_by_role("button", name=name, exact=True)


def words(watched):
    return watched.of_figure("lesson", WORDS) or []


def pick(watched, answer):
    watched.page.get_by_role("radio", name=answer, exact=True).click()
    watched.until(lambda: button(watched, "Reveal").is_enabled())


def go_to(watched, name):
    """Turn to a lesson as a person does, from the list."""
    with watched.tuned() as drawer:
        drawer.get_by_text(all_lessons()[name].short, exact=True).first.click()
        watched.until(lambda: state(watched).lesson == name)
    computed(watched)


def test_a_link_opens_its_lesson_where_its_control_stood(opened):
    assert opened.asked == ("order", 5)
    assert opened.shown == "5"


def test_a_guess_is_told_right_or_the_answer_and_why_and_kept_in_a_file(watched):
    watched.until(lambda: button(watched, "Reveal").is_disabled())
    watched.page.get_by_text("Pick an answer").wait_for()
    pick(watched, "21 µs")
    button(watched, "Reveal").click()
    watched.page.get_by_text("Not so", exact=True).wait_for()
    assert watched.page.get_by_text("pays for the spectrum three times").is_visible()
    assert watched.page.get_by_text("counts the spectrum 3 times").is_visible()
    button(watched, "Reset").click()
    pick(watched, "9 µs")
    button(watched, "Reveal").click()
    watched.page.get_by_text("Right", exact=True).wait_for()
    watched.until(lambda: any("together 9 µs" in word for word in words(watched)))
    with watched.tuned(), watched.page.expect_download() as download:
        watched.page.get_by_text("answered", exact=True).wait_for()
        button(watched, "My answers").click()
    page = Path(download.value.path()).read_text(encoding="utf-8")
    assert "Right at the first answer: 1 of 1 " in page
    button(watched, "Reset").click()
    with watched.tuned():
        watched.page.get_by_text("answered", exact=True).wait_for(state="hidden")


def test_question_picture_and_verdict_are_on_one_screen(watched):
    watched.page.set_viewport_size({"width": 1440, "height": 900})
    question = watched.page.get_by_text(all_lessons()["sharing"].question)
    figure = watched.page.locator(".bk-Figure").first
    for place in (question, figure, button(watched, "Reveal")):
        box = place.bounding_box()
        assert box["y"] > 0
        assert box["y"] + box["height"] < 900
    claim = watched.page.get_by_text("Its limit.")
    assert not claim.count()
    pick(watched, "9 µs")
    watched.page.evaluate(OBSERVE)
    button(watched, "Reveal").click()
    claim.wait_for()
    # Written as they were, the styles of all else would be worked out anew.
    assert watched.page.evaluate("window.writtenAsTheyWere()") < 0.05
    verdict = watched.page.get_by_text("The answer is").bounding_box()
    assert verdict["y"] + verdict["height"] < 900


def test_the_link_of_a_lesson_opens_it_and_carries_nothing_else(watched):
    watched.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    with watched.tuned():
        button(watched, "Copy link to this lesson").click()
        button(watched, "Copied").wait_for()
        copied = watched.page.evaluate("navigator.clipboard.readText()")
        assert copied == f"{watched.url}?page=lessons&lesson=sharing"
        with watched.page.expect_download() as download:
            button(watched, "Handout of this lesson").click()
    assert download.value.suggested_filename == "thriftscope-lesson-sharing.html"
    page = Path(download.value.path()).read_text(encoding="utf-8")
    assert page.count("<svg") == 2


def are_in_window(parts, size, below=0):
    """Whether all of some parts is seen at once, below so many pixels."""
    boxes = [part.bounding_box() for part in parts]
    return all(
        box and below < box["y"] and box["y"] + box["height"] < size["height"]
        for box in boxes
    )


def test_a_lesson_is_presented_picture_first_and_led_by_keys(watched):
    page, lesson = watched.page, all_lessons()["sharing"]
    question = page.get_by_text(lesson.question)
    figure = page.locator(".bk-Figure").first
    page.keyboard.press("p")

    def is_beside_the_figure():
        asked, drawn = question.bounding_box(), figure.bounding_box()
        return asked and drawn and asked["x"] > drawn["x"]

    watched.until(is_beside_the_figure)
    assert not layout_faults(watched)
    page.keyboard.press("2")
    watched.until(lambda: state(watched).guess == 1)
    page.keyboard.press(" ")
    page.get_by_text("Right", exact=True).wait_for()
    page.keyboard.press("ArrowRight")
    watched.until(lambda: state(watched).at == 4)
    page.keyboard.press("PageDown")
    watched.until(lambda: state(watched).number == 2)
    # The longest answer; projectors are often no larger.
    name = "stops-paying"
    watched.do(lambda: setattr(state(watched), "lesson", name))
    lesson = all_lessons()[name]
    page.get_by_text(lesson.question).wait_for()
    page.keyboard.press("1")
    watched.until(lambda: state(watched).guess == 0)
    page.keyboard.press(" ")
    parts = (
        page.get_by_text(lesson.world),
        page.get_by_text(lesson.question),
        page.get_by_role("radio", name=lesson.answers[-1], exact=True),
        page.get_by_text("so that tests save less than they cost"),
        page.locator(".legend"),
    )
    parts[-2].wait_for()
    leave = button(watched, "Leave (Esc)").bounding_box()
    below = leave["y"] + leave["height"]
    for width, height in ((1024, 768), (1280, 720)):
        size = {"width": width, "height": height}
        page.set_viewport_size(size)
        watched.until(lambda size=size: are_in_window(parts, size, below))
    page.keyboard.press("Escape")
    watched.until(lambda: watched.explorer.session.frame == "")
    # Others find every lesson as it begins.
    watched.do(lambda: setattr(state(watched), "answers", {}))


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768), (420, 860)])
def test_question_answers_control_and_picture_are_in_one_window(watched, size):
    width, height = size
    size = {"width": width, "height": height}
    watched.page.set_viewport_size(size)
    lesson = all_lessons()["sharing"]
    parts = (
        watched.page.get_by_text(lesson.question),
        watched.page.get_by_role("radio", name=lesson.answers[-1], exact=True),
        watched.page.locator(".bk-Figure").first,
        watched.slider("Features taken"),
    )
    watched.until(lambda: are_in_window(parts, size))


def test_on_a_phone_what_is_asked_for_comes_into_view(watched):
    size = {"width": 420, "height": 700}
    watched.page.set_viewport_size(size)
    pick(watched, "9 µs")
    button(watched, "Reveal").click()
    verdict = watched.page.locator(".verdict")
    watched.until(lambda: are_in_window([verdict], size))
    button(watched, "Go on to lesson 2").click()
    title = watched.page.get_by_role("heading", name="2 of")
    watched.until(lambda: are_in_window([title], size))
    watched.do(lambda: setattr(state(watched), "lesson", "sharing"))
    # As it was revealed, beside its answer, which is kept; and it can be asked again.
    watched.until(lambda: any("together 9 µs" in word for word in words(watched)))
    watched.do(lambda: setattr(watched.explorer.session, "frame", "embed"))
    button(watched, "Try again").click()
    watched.until(lambda: any("together 7 µs" in word for word in words(watched)))
    verdict.wait_for(state="detached")
    watched.do(lambda: setattr(watched.explorer.session, "frame", ""))


def test_a_lesson_steps_and_plays_until_it_is_paused_and_begins_anew(watched):
    button(watched, "Step").click()
    watched.until(lambda: any("together 8 µs" in word for word in words(watched)))
    slider = watched.slider("Features taken")
    watched.until(lambda: slider.get_attribute("aria-valuenow") == "2")
    button(watched, "Play").click()
    watched.until(lambda: state(watched).at >= 3)
    button(watched, "Pause").click()
    watched.until(lambda: not state(watched).is_playing)
    stood = state(watched).at
    watched.page.wait_for_timeout(1600)
    assert state(watched).at == stood
    button(watched, "Reset").click()
    watched.until(lambda: any("together 7 µs" in word for word in words(watched)))


def test_the_address_follows_the_lesson_and_its_control(watched):
    go_to(watched, "cascade")
    watched.slider("Exit threshold of the lesson").press("ArrowRight")
    watched.until(lambda: "lesson=cascade&at=1" in watched.page.url)

    def has_both_marks():
        marks = watched.figure_data("lesson", ["marker"])["marker"]
        return {"x", "circle"} <= {*marks}

    watched.until(has_both_marks)


def test_every_lesson_is_drawn_and_revealed_with_nothing_covered_or_cut(watched):
    """As wide as a desk's window and as narrow as a phone's, in turn."""
    widths = [USUAL["width"], 420]
    for k, (name, lesson) in enumerate(all_lessons().items(), 1):
        watched.do(lambda name=name: setattr(state(watched), "lesson", name))
        computed(watched)
        title = f"Lessons, {k} of {len(all_lessons())}: {lesson.short}"
        watched.page.get_by_role("heading", name=title, exact=True).wait_for()
        pick(watched, lesson.answers[-1])
        button(watched, "Reveal").click()
        watched.until(lambda: state(watched).verdict is not None)
        computed(watched)
        watched.page.get_by_text("The answer is").first.wait_for()
        look_for_faults(watched, widths)
        # The next one begins as wide as this one ends.
        widths.reverse()
    # Others find every lesson as it begins.
    watched.do(lambda: setattr(state(watched), "answers", {}))


def seen(watched, marker):
    """How opaque marks of a kind are in the browser, each value once."""
    found = watched.figure_data("lesson", ["marker", "fill", "seen"])
    pairs = zip(found["marker"], found["seen"], strict=True)
    return {round(alpha, 2) for kind, alpha in pairs if kind == marker}


def lit(watched):
    return watched.page.locator(".says.lit").all_inner_texts()


def test_a_sentence_lights_what_it_speaks_of_by_mouse_and_by_keyboard(watched):
    go_to(watched, "cascade")
    watched.until(lambda: seen(watched, "x") == {1})
    wrong = watched.page.locator(".says").filter(has_text="labelled wrongly")
    wrong.hover()
    watched.until(lambda: seen(watched, "circle") == {0.15})
    watched.until(lambda: seen(watched, "x") == {1})
    assert any("are right" in text for text in lit(watched))
    watched.page.mouse.move(5, 500)
    watched.until(lambda: seen(watched, "circle") == {1})
    wrong.focus()
    watched.page.keyboard.press("Tab")
    watched.until(lambda: lit(watched) == ["not sure enough"])
    watched.page.keyboard.press("Shift+Tab")
    watched.until(lambda: seen(watched, "circle") == {0.15})


def test_the_picture_lights_the_sentences_that_speak_of_it(watched):
    figure, step = watched.page.locator(".bk-Figure").first, count()

    def on_the_bar():
        # The bar of what is paid together stands at the left end of the picture.
        box, height = figure.bounding_box(), 0.7 + 0.01 * (next(step) % 13)
        watched.page.mouse.move(
            box["x"] + 0.06 * box["width"], box["y"] + height * box["height"]
        )
        return any("cost together?" in text for text in lit(watched))

    watched.until(on_the_bar)
    watched.page.mouse.move(5, 500)
    watched.until(lambda: not lit(watched))


def test_a_lesson_opens_its_page_with_the_state_set(watched):
    go_to(watched, "threshold")
    pick(watched, "less than a coin")
    button(watched, "Reveal").click()
    button(watched, "Open this on the Trimming page").click()
    watched.until(lambda: watched.explorer.session.page == "trimming")
    trimming = watched.explorer._page_parts("trimming").state
    watched.until(lambda: trimming.opened is not None and trimming.log is not None)
    assert (trimming.source, trimming.threshold, trimming.budget) == ("fig3", 0.55, 2.0)
    watched.page.get_by_role("heading", level=1, name="Trimming").wait_for()


def test_the_papers_draw_a_figure_in_its_place_and_open_a_page(watched):
    watched.turn("papers")
    page = watched.page
    table = page.get_by_role("region", name="Choi and Van den Broeck 2018")
    row = table.get_by_role("listitem").filter(has_text="Table 4").first
    row.get_by_text("claims and what came out").click()
    row.get_by_text("Measured here").first.wait_for()
    row.get_by_role("button", name="See it here").click()
    page.get_by_role("button", name="Compute it here").click()
    page.get_by_text("11 of 13 claims hold here.").wait_for()
    watched.until(lambda: "study=ECA+Table+4" in page.url)
    page.get_by_role("button", name="Close: Table 4").click()
    page.get_by_role("button", name="Compute it here").wait_for(state="detached")
    row.get_by_role("link", name="Trimming").click()
    watched.until(lambda: watched.explorer.session.page == "trimming")
    watched.turn("lessons")
