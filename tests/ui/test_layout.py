"""On every page, at every width: no frame lies over another, and nothing is cut."""

import pytest

from explorer.pages import all_pages
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
    """The lesson with the longest verdict, revealed; other pages are visited."""
    watched = open_module_page("?page=lessons&lesson=speedup")
    watched.page.get_by_role("radio").first.click()
    reveal = watched.page.get_by_role("button", name="Reveal", exact=True)
    watched.until(reveal.is_enabled)
    reveal.click()
    watched.page.get_by_text("The answer is").wait_for()
    return watched


@pytest.mark.parametrize("name", all_pages())
def test_no_frames_overlap_and_nothing_is_cut(watched, name):
    context = watched.explorer.context
    context.post(lambda: context.session.param.update(page=name))
    watched.until(lambda: watched.explorer.session.page == name)
    watched.page.get_by_role("heading", level=1).wait_for()
    for width in WIDTHS:
        watched.page.set_viewport_size({"width": width, "height": 1000})
        # Widths change over some frames: it is what stays that counts.
        watched.until(lambda: not layout_faults(watched), seconds=20)
        watched.page.wait_for_timeout(500)
        assert not layout_faults(watched), f"{width} pixels wide"
