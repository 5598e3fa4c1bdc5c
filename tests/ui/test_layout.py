"""On every page, at every width: no frame lies over another, and nothing is cut."""

import pytest

from explorer.pages import all_pages
from explorer.pages.lessons.course import all_lessons
from tests.ui.layout import layout_faults

pytestmark = [
    pytest.mark.browser,
    # The frontier's longest path says that it was cut short.
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    # A page that closes in the middle of a message leaves the message unsent.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

WIDTHS = (420, 960, 1440)


@pytest.fixture(scope="module")
def watched(open_module_page):
    """One page for all tests: others are visited, and it is resized."""
    return open_module_page("?page=lessons")


def look_for_faults(watched):
    """Fail where something is cut or covered, at any width."""
    for width in WIDTHS:
        watched.page.set_viewport_size({"width": width, "height": 1000})
        faults = []

        def is_fine(found=faults):
            found[:] = layout_faults(watched)
            return not found

        # Widths change over some frames: it is what stays that counts.
        watched.page.wait_for_timeout(200)
        for seconds in (15, 2):
            try:
                watched.until(is_fine, seconds)
            except AssertionError:
                pytest.fail(f"{width} pixels wide: {faults}")
            watched.page.wait_for_timeout(200)


@pytest.mark.parametrize("name", all_lessons())
def test_a_revealed_lesson_covers_and_cuts_nothing(watched, name):
    explorer, page = watched.explorer, watched.page
    state = explorer._page_parts("lessons").state
    explorer.context.post(lambda: state.param.update(lesson=name))
    *_, last = all_lessons()[name].answers
    page.get_by_role("radio", name=last, exact=True).click()
    reveal = page.get_by_role("button", name="Reveal", exact=True)
    watched.until(reveal.is_enabled)
    reveal.click()
    watched.until(lambda: state.verdict is not None and state.is_up_to_date)
    page.get_by_text("The answer is").wait_for()
    look_for_faults(watched)


@pytest.mark.parametrize("name", all_pages())
def test_no_frames_overlap_and_nothing_is_cut(watched, name):
    context = watched.explorer.context
    context.post(lambda: context.session.param.update(page=name))
    watched.until(lambda: watched.explorer.session.page == name)
    watched.page.get_by_role("heading", level=1).wait_for()
    look_for_faults(watched)
    watched.unfold()
    look_for_faults(watched)
