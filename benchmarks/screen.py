"""How soon a picture follows a slider in a real browser, beside a bare page.

``python -m benchmarks.screen`` serves the app as ``thriftscope serve`` does, and a bare
page whose slider redraws one source of as many points; it presses keys on the sliders
of every page in Chromium, the bare page's before and after. From the key to the drawn
picture counts everything: the widget's own wait, the way to the server and back, the
redraw and two frames.
"""

from __future__ import annotations

import json
import shutil
import statistics
import time
import urllib.request
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, ViewportSize, sync_playwright

from explorer.stage.frame import OPENS_TUNE

from .load.bare import bare_program
from .load.server import SERVE, server
from .machine import machine

RESULT = Path(__file__).parent / "results" / "screen.json"
MOVES = 30
VIEWPORT: ViewportSize = {"width": 1440, "height": 1000}
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
# Between two moves; a move for which nothing is drawn so long has the same model.
PAUSE_MS, MOST_MS = 400, 1000
BARE = bare_program("Slider")
# Once on each page: tells when a key went down and when the first source had changed.
LISTEN = """() => {
  window.addEventListener('keydown', () => { window.pressed = performance.now() }, true)
  for (const document of Bokeh.documents)
    document.on_change(event => {
      if (event.model?.type === 'ColumnDataSource') window.drawn?.()
    })
}"""
# Resolves two frames after that; null where nothing was drawn.
ARM = """most => { window.following = new Promise(resolve => {
  const late = setTimeout(() => resolve(null), most)
  window.drawn = () => {
    window.drawn = null
    clearTimeout(late)
    requestAnimationFrame(() => requestAnimationFrame(() =>
      resolve(performance.now() - window.pressed)))
  }
}) }"""
# Of most sliders to and fro, so that none runs into its end. One step of the cascade's
# budget seldom brings another policy; at a λ that was solved nothing new is drawn.
TO_AND_FRO = ("ArrowRight",) * 10 + ("ArrowLeft",) * 10
KEYS = {
    "Runtime budget": ("PageUp",) * 5 + ("PageDown",) * 5,
    "Trade-off λ": ("ArrowRight",),
}
# Link, what is read once it is ready, and the sliders.
PLACES = {
    "Frontier": (
        "",
        "best within the budget",
        ("Budget", "Trade-off λ", "Quasi-norm p"),
    ),
    "Early exit": ("page=cascade", "test rows", ("Exit threshold", "Regularisation C")),
    "Early exit, hypergraph": (
        "page=cascade&way=hypergraph",
        "test rows",
        ("Runtime budget",),
    ),
    "Trimming": (
        "page=trimming&columns=12",
        "of cases",
        ("Decision threshold T", "Feature budget B"),
    ),
    "Selection": ("page=selectivity", "kept", ("μ",)),
    "Linked mistakes": (
        "page=structured&nodes=100&seeds=1",
        "pays",
        ("Label agreement",),
    ),
}


def main() -> None:
    """Measure, print and write the results."""
    before = machine()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with ExitStack() as opened:
        address, _ = opened.enter_context(server(40, SERVE))
        bare, _ = opened.enter_context(server(40, BARE))
        wait_for(bare, 120.0)
        playwright = opened.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        beside = _moved(browser, bare, "Slider")
        moves = {}
        for page, (link, ready, sliders) in PLACES.items():
            for slider in sliders:
                found = _moved(browser, f"{address}?{link}", slider, ready)
                moves[f"{page}: {slider}"] = _spread(found)
                print(page, slider, _spread(found), flush=True)
        beside += _moved(browser, bare, "Slider")
        browser.close()
    usual = _spread(beside)
    results = {
        "machine": before,
        "slider to drawn picture, ms": {"bare page": usual, **moves},
        "medians beside the bare page": {
            name: round(one["median"] / usual["median"], 2)
            for name, one in moves.items()
        },
    }
    text = json.dumps(results, indent=2, ensure_ascii=False)
    RESULT.write_text(text + "\n", encoding="utf-8")
    print(text)


def _moved(browser: Browser, address: str, slider: str, ready: str = "") -> list[float]:
    """Return the milliseconds from key to picture of each move on a page of its own."""
    page = browser.new_page(viewport=VIEWPORT)
    page.goto(address)
    if ready:
        words = page.get_by_role("status").filter(has_text=ready)
        words.first.wait_for(timeout=60_000)
    handle = _handle(page, slider)
    page.wait_for_timeout(8000)  # what others are compared with has come as well
    page.evaluate(LISTEN)
    handle.focus()
    times, keys = [], KEYS.get(slider, TO_AND_FRO)
    for number in range(MOVES + 1):
        page.evaluate(ARM, MOST_MS)
        handle.press(keys[number % len(keys)])
        drawn = page.evaluate("() => window.following")
        if number and drawn is not None:  # the first one warms up
            times.append(float(drawn))
        page.wait_for_timeout(PAUSE_MS)
    page.close()
    if not times:
        raise SystemExit(f"{slider} of {address} drew none of {MOVES} moves")
    return times


def _handle(page: Page, slider: str) -> Locator:
    """Return a slider, which stands above the picture or in the drawer."""
    found = page.get_by_role("slider", name=slider).filter(visible=True)
    opens = page.locator(f".main .{OPENS_TUNE} button").filter(visible=True)
    found.or_(opens).first.wait_for()
    if not found.count():
        opens.first.click()
    found.first.wait_for()
    return found.first


def _spread(values: list[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {
        "median": round(statistics.median(ordered), 3),
        "p95": round(ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))], 3),
        "least": round(ordered[0], 3),
        "most": round(ordered[-1], 3),
        "n": len(ordered),
    }


def wait_for(address: str, seconds: float = 60.0) -> None:
    """Wait until somebody answers."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            urllib.request.urlopen(address, timeout=30).read()
            return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.5)


if __name__ == "__main__":
    main()
