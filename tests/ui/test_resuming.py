"""A server that dies and comes back finds its people again; it can be installed."""

import pytest

from tests.explorer.serving.conftest import free_port, serving

pytestmark = pytest.mark.browser
BEST = "Best within the budget"


@pytest.fixture(scope="module")
def port():
    return free_port()


def is_computed(page):
    words = page.get_by_role("status").filter(has_text=BEST)
    words.first.wait_for(timeout=120_000)


def test_a_page_is_alive_again_when_its_server_is_back(browser, port):
    page = browser.new_page(viewport={"width": 1440, "height": 1000})
    with serving(port=port) as (address, server):
        page.goto(f"{address}/?lambda=0.01", timeout=120_000)
        is_computed(page)
        assert "lambda=0.01" in page.url
        page.evaluate("window.isOld = true")
        server.kill()
    page.get_by_text("Connection lost").wait_for(timeout=60_000)
    with serving(port=port):
        # It opens anew by itself; who was not there may also press "Reload".
        page.wait_for_function("() => !window.isOld", timeout=60_000)
        is_computed(page)
        assert "lambda=0.01" in page.url
        slider = page.get_by_role("slider", name="Runtime budget")
        for _ in range(100):
            # What was kept may come back after the key, and the budget with it.
            slider.press("Home")
            page.wait_for_timeout(600)
            if "budget=0&" in page.url:
                break
        assert "budget=0&" in page.url
        errors = page.context.new_cdp_session(page).send(
            "Page.getInstallabilityErrors"
        )["installabilityErrors"]
        # A window without a profile of its own installs nothing; all else is there.
        assert {error["errorId"] for error in errors} <= {"in-incognito"}
    page.close()
