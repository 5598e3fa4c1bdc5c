"""The figures of the paper, asked for on the frontier page."""

import pytest

from tests.ui.wcag import broken_rules

pytestmark = [
    pytest.mark.browser,
    # A solver that stops early says so by a warning: no reason to stop the page.
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    # A page that closes in the middle of a message leaves the message unsent.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
COLUMNS = ["x", "y", "name"]


@pytest.fixture(scope="module")
def watched(open_module_page):
    return open_module_page()


def drawn(watched, title):
    return watched.figure_data(f"paper: {title}", COLUMNS) or {}


def test_nothing_is_drawn_before_it_is_asked_for(watched):
    heading = watched.page.get_by_role("heading", name="Figures of the paper")
    heading.scroll_into_view_if_needed()
    watched.page.get_by_text("Not computed yet.").wait_for()
    assert not drawn(watched, "F1 (test), within 200, no refit, as published")


def test_a_figure_is_drawn_tabled_and_told_beside_what_is_published(watched):
    page = watched.page
    watched.choose("Figure", "Fig. 9: memory against features, traffic repeated")
    page.get_by_text("grows quadratically").wait_for()
    page.get_by_role("button", name="Compute it here").click()
    page.get_by_text("m = 1,080 to 5,400").wait_for(timeout=90_000)
    sizes = [1080, 2160, 3240, 4320, 5400]
    watched.until(lambda: drawn(watched, "Memory (MB, counted)").get("x") == sizes)
    table = page.get_by_role("region", name="Rows of the figure")
    watched.until(lambda: table.get_by_role("row").count() == 1 + 5 * 5)


def test_another_picture_of_a_figure_is_drawn_when_chosen(watched):
    page = watched.page
    watched.choose("Figure", "Blocks against sharing and features")
    page.get_by_role("button", name="Compute it here").click()
    page.get_by_text("m = 10,000: ").wait_for(timeout=90_000)
    watched.until(lambda: len(drawn(watched, "Blocks K").get("x", [])) == 7)
    title = "Largest block (features)"
    watched.choose("Picture", title)
    watched.until(lambda: len(drawn(watched, title).get("x", [])) == 7)
    assert drawn(watched, title)["y"] != drawn(watched, "Blocks K").get("y")


def test_a_long_figure_is_cancelled(watched):
    page = watched.page
    watched.choose("Figure", "Fig. 2: best F1 within a budget, generated data")
    button = page.get_by_role("button", name="Compute it here")
    button.click()
    page.get_by_text("rows so far; not complete.").wait_for(timeout=90_000)
    page.get_by_role("button", name="Cancel").last.click()
    watched.until(button.is_enabled)
    watched.page.wait_for_timeout(500)
    assert page.get_by_text("rows so far; not complete.").is_visible()


def test_no_rule_of_wcag_is_broken_where_a_figure_is_drawn(watched):
    broken = broken_rules(watched)
    assert not broken, broken
