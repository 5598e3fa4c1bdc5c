"""How soon a page stands after it is turned to, beside opening a bare page.

``python -m benchmarks.turning`` serves both, opens the bare page of
``benchmarks.opening``, and turns from the opened app to each other page, in a new
session every time, so that the page is built. From the click to: its question in front,
its picture drawn, and the browser at rest.
"""

from __future__ import annotations

import json
import shutil
import statistics
import time
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from explorer.pages import all_pages
from explorer.pages.frontier.queries import warm_frontier

from .load.server import SERVE, server
from .machine import machine
from .opening import marks_of_app
from .opening_browser import BARE, BUILT, VIEWPORT
from .screen import FLAGS, wait_for

RESULT = Path(__file__).parent / "results" / "turning.json"
ROUNDS = 3
# What is computed first for everybody has come by then.
WARM_SECONDS, LOOK_MS = 15.0, 30
FIRST = "frontier"
# In front is a page once its title leads a heading that is seen; its picture is drawn
# on a canvas or as SVG. The page of the papers is a list.
UNDRAWN = "Papers"
DRAWN = """([title, isDrawn]) => {
  const all = []
  const walk = root => {
    for (const element of root.querySelectorAll("*")) {
      all.push(element)
      if (element.shadowRoot) walk(element.shadowRoot)
    }
  }
  walk(document)
  const seen = all.filter(one => one.checkVisibility())
  const leads = one => one.tagName === "H1" && one.textContent.includes(title)
  if (title && !seen.some(leads)) return false
  const isWide = one => one.getBoundingClientRect().width > 100
  const pictures = seen.filter(one => ["CANVAS", "svg"].includes(one.tagName))
  if (isDrawn && !pictures.some(isWide)) return false
  return Bokeh.documents.every(one => one.is_idle)
}"""


def main() -> None:
    """Measure, print and write the results."""
    before = machine()
    warm_frontier()
    programs = {"app": SERVE, "bare page": BARE.format(marks=marks_of_app())}
    with ExitStack() as all_, sync_playwright() as playwright:
        addresses = {
            name: all_.enter_context(server(100, program))[0]
            for name, program in programs.items()
        }
        for address in addresses.values():
            wait_for(address, 120.0)
        chromium = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        time.sleep(WARM_SECONDS)
        bare, turned = _measure(browser, addresses)
        browser.close()
    opening = statistics.median(bare)
    results = {
        "machine": before,
        "opening the bare page, s": _rounded(bare),
        "turning to, s": {title: _rounded(took) for title, took in turned.items()},
        "beside opening the bare page": {
            title: round(statistics.median(took) / opening, 2)
            for title, took in turned.items()
        },
    }
    text = json.dumps(results, indent=2)
    RESULT.write_text(text + "\n", encoding="utf-8")
    print(text)


def _measure(
    browser: Browser, addresses: dict[str, str]
) -> tuple[list[float], dict[str, list[float]]]:
    """Return the seconds of openings of the bare page, and of turns, by title."""
    titles = [page.title for name, page in all_pages().items() if name != FIRST]
    bare: list[float] = []
    turned: dict[str, list[float]] = {title: [] for title in titles}
    for number in range(ROUNDS + 1):
        page, seconds = _opened(browser, addresses["bare page"])
        page.context.close()
        if number:  # the first one warms the server up
            bare.append(seconds)
        for title in titles if number else titles[:1]:
            page, _ = _opened(browser, addresses["app"])
            started = time.perf_counter()
            page.get_by_role("button", name=title, exact=True).first.click()
            _wait_until_drawn(page, title)
            if number:
                turned[title].append(time.perf_counter() - started)
            page.context.close()
    return bare, turned


def _opened(browser: Browser, address: str) -> tuple[Page, float]:
    """Return a page of a first visit, drawn, and the seconds that this took."""
    page = browser.new_context(viewport=VIEWPORT).new_page()
    started = time.perf_counter()
    page.goto(address)
    page.wait_for_function(BUILT, timeout=60_000)
    _wait_until_drawn(page)
    return page, time.perf_counter() - started


def _wait_until_drawn(page: Page, title: str = "") -> None:
    asked = [title, title != UNDRAWN]
    page.wait_for_function(DRAWN, arg=asked, polling=LOOK_MS, timeout=60_000)


def _rounded(seconds: list[float]) -> list[float]:
    return [round(one, 2) for one in seconds]


if __name__ == "__main__":
    main()
