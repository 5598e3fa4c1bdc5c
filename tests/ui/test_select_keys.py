"""By keyboard: drop-downs open with Enter, Space and arrows; a link skips the menu."""

import pytest

from explorer.pages import all_pages

pytestmark = [
    pytest.mark.browser,
    # The frontier's longest path says that it was cut short.
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    # A page that closes in the middle of a message leaves the message unsent.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
KEYS = ("Enter", "Space", "ArrowDown", "ArrowUp")
# Without fields that suggest, and what is in a panel that is behind.
BOXES = '[role="combobox"]:not(input):not([aria-disabled="true"])'


@pytest.fixture(scope="module")
def watched(open_module_page):
    """One page for all tests: others are visited."""
    return open_module_page("?page=lessons")


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


@pytest.mark.parametrize("name", all_pages())
def test_drop_downs_open_with_enter_space_and_arrows(watched, name):
    context = watched.explorer.context
    context.post(lambda: context.session.param.update(page=name))
    watched.until(lambda: f"page={name}" in watched.page.url)
    watched.page.get_by_role("heading", level=1).wait_for()
    watched.unfold()
    boxes = watched.page.locator(BOXES).filter(visible=True)
    watched.until(lambda: boxes.count() or name in ("lessons", "proof"), seconds=20)
    silent = []
    for box in boxes.all():
        for key in KEYS:
            if not opens(watched, box, key):
                silent.append(
                    (box.get_attribute("aria-label") or box.inner_text(), key)
                )
    assert not silent, silent


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
