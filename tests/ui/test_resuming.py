"""A server that dies and comes back finds its people again; it can be installed."""

import re
from contextlib import suppress

import pytest
from playwright.sync_api import TimeoutError

from benchmarks.load.nginx import free_port
from tests.explorer.serving.conftest import COLD, serving
from tests.ui.conftest import FEW, USUAL, Watched
from tests.ui.kept import kept

pytestmark = pytest.mark.browser
BEST = "best within the budget"
NOTHING = r"[?&]budget=0(&|$)"
# One quick method on few rows: what comes back is not about solvers.
ASKED = f"data=breast_cancer&methods=acafh&lambda=0.01{FEW}"


@pytest.fixture(scope="module")
def port():
    return free_port()


def is_computed(page):
    words = page.get_by_role("status").filter(has_text=BEST)
    words.first.wait_for(timeout=120_000)


def test_a_page_is_alive_again_and_as_it_was_when_its_server_is_back(browser, port):
    page = browser.new_page(viewport=USUAL)
    with serving(port=port, program=COLD) as (address, server):
        watched = Watched(page, address, [])
        page.goto(f"{address}/?{ASKED}", timeout=120_000)
        is_computed(page)
        assert "lambda=0.01" in page.url
        watched.slider("Quasi-norm p").press("End")
        kept(watched, '"p":0.9')
        shown = watched.slider("Quasi-norm p").get_attribute("aria-valuenow")
        page.evaluate("window.isOld = true")
        server.kill()
    page.get_by_text("Connection lost").wait_for(timeout=60_000)
    with serving(port=port, program=COLD):
        # It opens anew by itself; who was not there may also press "Reload".
        page.wait_for_function("() => !window.isOld", timeout=60_000)
        is_computed(page)
        assert "lambda=0.01" in page.url
        slider = watched.slider("Quasi-norm p")
        watched.until(lambda: slider.get_attribute("aria-valuenow") == shown)
        slider = page.get_by_role("slider", name="Runtime budget")
        for _ in range(100):
            # What was kept may come back after the key, and the budget with it.
            slider.press("Home")
            with suppress(TimeoutError):
                page.wait_for_url(re.compile(NOTHING), timeout=600)
                break
        assert re.search(NOTHING, page.url)
        errors = page.context.new_cdp_session(page).send(
            "Page.getInstallabilityErrors"
        )["installabilityErrors"]
        # A window without a profile of its own installs nothing; all else is there.
        assert {error["errorId"] for error in errors} <= {"in-incognito"}
    page.close()
