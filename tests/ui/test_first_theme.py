"""A page is in its browser's theme from the first paint, not control by control."""

import threading
from pathlib import Path

import pytest

from tests.ui.conftest import FEW, Watched
from tests.ui.kept import kept

pytestmark = pytest.mark.browser
SAMPLER = Path(__file__).with_name("wrong_colours.js").read_text()
# One quick method on few rows.
QUICK = f"&data=breast_cancer&methods=l1{FEW}"


@pytest.fixture
def open_in(browser, served):
    """Open a page in a system of some theme, and sample its colours all the while."""
    contexts = []

    def opened(theme, page):
        contexts.append(browser.new_context(color_scheme=theme))
        tab = contexts[-1].new_page()
        tab.add_init_script(SAMPLER)
        return Watched(tab, *served).open(f"?page={page}{QUICK}")

    yield opened
    for context in contexts:
        context.close()


def in_one_theme(watched, theme):
    """Whether all of it is in a theme, and every word could be read since it opened."""
    watched.page.wait_for_timeout(1_000)  # what the browser has kept arrives meanwhile
    assert watched.page.evaluate("window.unread") == []
    assert watched.explorer.session.dark == (theme == "dark")
    return not watched.faults


def reopened(watched):
    """Reload the page; the session is another one from now on."""
    before = len(watched.apps)
    watched.page.reload()
    watched.until(lambda: len(watched.apps) > before)
    watched.page.get_by_role("heading", level=1).first.wait_for()
    watched.explorer = watched.apps[-1]
    return watched


def test_a_dark_system_has_a_dark_page_at_once_and_again(open_in):
    watched = open_in("dark", "frontier")
    assert in_one_theme(watched, "dark")
    # Another page in front, and it all opens anew.
    watched.turn("trimming")
    kept(watched, '"page":"trimming"')
    kept(watched, '"dark":true')
    assert in_one_theme(reopened(watched), "dark")


def test_a_theme_that_was_chosen_is_there_at_once_whatever_the_system_s(open_in):
    watched = open_in("light", "lessons")
    assert in_one_theme(watched, "light")
    watched.page.get_by_label("Toggle theme").click()
    kept(watched, '"dark":true')
    assert in_one_theme(reopened(watched), "dark")
    ends_in_its_session_s_theme(watched)


def ends_in_its_session_s_theme(watched):
    """Where it changes at both ends at once."""
    session = watched.explorer.session
    toggle = watched.page.get_by_label("Toggle theme")
    clicked = threading.Event()

    def turn_light():
        clicked.wait(30)
        session.dark = False

    watched.explorer.context.post(turn_light)
    # The server hears of both clicks after its own change, which the page hears last.
    toggle.click()
    toggle.click()
    clicked.set()
    watched.page.wait_for_timeout(1_000)
    watched.until(lambda: watched.is_dark() == session.dark)
    watched.page.wait_for_timeout(2_000)
    assert watched.is_dark() == session.dark


def test_a_browser_without_cookies_is_not_asked_for_ever(browser, served):
    url, _ = served
    page = browser.new_page(color_scheme="dark")
    # As where they are switched off: nothing is kept, and nothing is sent.
    page.add_init_script(
        "Object.defineProperty(document, 'cookie', {get: () => '', set: () => {}})"
    )
    page.goto(f"{url}?page=lessons")
    page.get_by_role("heading", level=1).first.wait_for()
    assert "theme=dark" in page.url
    page.close()
