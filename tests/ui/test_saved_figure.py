"""A saved page of figures works from disk: no request, and its slider draws anew."""

import pytest

from explorer import plots
from tests.explorer.figures import results

pytestmark = pytest.mark.browser
READY = "() => window.Bokeh && Bokeh.documents.length > 0"
SEEN = (
    "() => Bokeh.documents[0].roots()[0].children"
    ".map((child, k) => [k, child.visible]).slice(1)"
    ".filter(([k, visible]) => visible).map(([k]) => k)"
)


def test_the_slider_of_a_saved_map_needs_no_server(browser, tmp_path):
    over = plots.holomap(results.points(), over="alpha")
    file = plots.save(over, tmp_path / "map.html")
    page = browser.new_page()
    asked, odd = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: odd.append(str(error)))
    page.goto(file.as_uri())
    page.wait_for_function(READY)
    assert page.evaluate(SEEN) == [1]
    handle = page.locator(".noUi-handle").first
    handle.wait_for()
    before = page.screenshot()
    handle.focus()
    page.keyboard.press("End")
    page.wait_for_function(f"() => ({SEEN})()[0] === 4")
    page.get_by_text("λ = 1").wait_for()
    assert page.screenshot() != before
    assert all(url.startswith(("file:", "data:", "blob:")) for url in asked), asked
    assert not odd
    page.close()
