"""The one-minute tutorial, step by step, with the labels that it names."""

import re
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.browser,
    # A solver that stops early says so by a warning: no reason to stop the page.
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    # A page that closes in the middle of a message leaves the message unsent.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
PAGE = Path(__file__).parents[2] / "docs" / "tutorial_1.md"


def test_the_walk_of_the_tutorial(open_page):
    text = PAGE.read_text("utf-8")
    watched = open_page()
    page = watched.page
    status = page.get_by_role("status").filter(has_text="Best within the budget")
    assert {
        "Runtime budget",
        "DAG",
        "Stop DAG",
        "Accounting",
        "Selection (JSON)",
        "Script (Python)",
    } <= set(re.findall(r"\*\*(.+?)\*\*", text))
    # 2: the budget.
    before = status.inner_text()
    watched.slider("Runtime budget").focus()
    watched.slider("Runtime budget").press("ArrowLeft")
    watched.slider("Runtime budget").press("Home")
    watched.until(lambda: watched.state.budget == 0)
    watched.slider("Runtime budget").press("End")
    watched.until(lambda: status.count() and status.inner_text() != before)
    # 4: another method, stopped early.
    page.get_by_role("checkbox", name="DAG", exact=True).check()
    stop = page.get_by_role("button", name=re.compile("Stop DAG"))
    watched.until(lambda: "dag" in watched.state.traces)
    stop.click()
    watched.until(lambda: stop.count() == 0)
    assert not watched.state.traces["dag"].is_complete
    # 5: another account.
    (account,) = re.findall(r"\*\*Accounting\*\* to \*(.+?)\*", text)
    watched.choose("Accounting", account)
    watched.until(lambda: watched.state.accounting == "max")
    watched.until(lambda: "accounting=max" in page.url)
    # 6: what is taken away.
    for name in ("Selection (JSON)", "Script (Python)"):
        with page.expect_download() as download:
            page.get_by_role("button", name=name).click()
        assert Path(download.value.path()).stat().st_size > 100
