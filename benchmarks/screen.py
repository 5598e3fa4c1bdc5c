"""How fast the page opens and follows a slider, in a real browser.

``python -m benchmarks.screen`` serves the app with ``thriftscope serve`` (warm), opens
it and presses keys on its sliders. From the key to the drawn picture counts everything:
the widget's own wait, the way to the server and back, the redraw and two frames.
"""

from __future__ import annotations

import json
import shutil
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from .machine import machine

RESULT = Path(__file__).parent / "results" / "screen.json"
OPENINGS = 5
MOVES = 30
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
# Resolves two frames after a figure's data have changed: then it is on the screen.
DRAWN = """([figure, column]) => new Promise(resolve => {
  for (const document of Bokeh.documents)
    for (const model of document._all_models.values())
      if (model.type === 'Figure' && model.name === figure)
        for (const renderer of model.renderers) {
          const data = renderer.data_source.data
          const has = data instanceof Map ? data.has(column) : column in data
          if (!has) continue
          const started = performance.now()
          const changed = renderer.data_source.properties.data.change
          const done = () => {
            changed.disconnect(done)
            requestAnimationFrame(() => requestAnimationFrame(() =>
              resolve(performance.now() - started)))
          }
          changed.connect(done)
          break
        }
})"""
MOVED = {
    "budget: ring, bars and hypergraph": ("Runtime budget", "bars", "label"),
    "λ: solved again and marked": ("Trade-off λ", "frontier", "colour"),
    "p: first points of the new path": ("Quasi-norm p", "frontier", "validation"),
}
# On the cascade page: a look-up, and machines that are trained again.
CASCADE_MOVED = {
    "exit threshold: bars and ring": ("Exit threshold", "stages", "right_top"),
    "C: stages trained again": ("Regularisation C", "stages", "right_top"),
}
# Another way to exit there: a look-up as well; policies are close at small budgets.
HYPERGRAPH_MOVED = {
    "hypergraph cascade, budget: bands, bars and ring": (
        "Runtime budget",
        "bands",
        "side",
        "ArrowRight",
    ),
}


def main() -> None:
    """Measure, print and write the results."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "explorer", "serve", f"--port={port}", "--no-browser"]
    )
    results: dict[str, object] = {"machine": machine()}
    try:
        address = f"http://127.0.0.1:{port}/app"
        wait_for(address)
        results |= _measure(address)
    finally:
        server.terminate()
        server.wait(60)
    RESULT.write_text(json.dumps(results, indent=2, ensure_ascii=False) + "\n")
    print(json.dumps(results, indent=2, ensure_ascii=False))


def _measure(address: str) -> dict[str, object]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": 1000})
        openings = [_open(page, address) for _ in range(OPENINGS + 1)][1:]
        page.wait_for_timeout(8000)
        moves = {what: _move(page, *where) for what, where in MOVED.items()}
        page.goto(f"{address}?page=cascade")
        page.get_by_text("test rows right").first.wait_for(timeout=60_000)
        page.wait_for_timeout(8000)
        moves |= {what: _move(page, *where) for what, where in CASCADE_MOVED.items()}
        page.goto(f"{address}?page=cascade&way=hypergraph&table=scenes")
        page.get_by_text("test rows are right").first.wait_for(timeout=60_000)
        page.wait_for_timeout(20_000)
        moves |= {k: _move(page, *where) for k, where in HYPERGRAPH_MOVED.items()}
        browser.close()
    return {
        "page open to a computed frontier, s": _spread(openings),
        "slider to drawn picture, ms": {k: _spread(v) for k, v in moves.items()},
    }


def _open(page: Page, address: str) -> float:
    started = time.perf_counter()
    page.goto(address)
    words = page.get_by_role("status").filter(has_text="best within the budget")
    words.first.wait_for(timeout=60_000)
    return time.perf_counter() - started


def _move(
    page: Page, slider: str, figure: str, column: str, key: str = ""
) -> list[float]:
    """Return the milliseconds from key to picture of each move."""
    handle = page.get_by_role("slider", name=slider)
    handle.focus()
    handle.press("Home")
    page.wait_for_timeout(4000)
    times = []
    key = key or ("PageUp" if slider == "Runtime budget" else "ArrowRight")
    for number in range(MOVES + 1):
        page.evaluate(
            f"args => {{ window._drawn = ({DRAWN})(args) }}", [figure, column]
        )
        handle.press(key)
        drawn = page.evaluate(
            "() => Promise.race([window._drawn, new Promise(r => setTimeout(r, 4000))])"
        )
        if number and drawn is not None:  # the first one warms up
            times.append(float(drawn))
        page.wait_for_timeout(400)
    return times


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
