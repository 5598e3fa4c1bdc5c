"""How soon a page has settled after a slider was dragged over 120 places.

``python -m benchmarks.drags [results.json]`` serves the app as ``thriftscope serve``
does and drags its sliders in Chromium, a move a frame. A page has settled when the last
of its figures and words has changed; the seconds count from the last move. Beside them
stands the newest question alone: one click on the slider, while nothing is computed.
Both end where nothing was asked before, so that no answer is at hand. Of the 120 moves
a browser that is painting makes fewer: how many it made says how smooth the drag was.
"""

from __future__ import annotations

import json
import shutil
import statistics
import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from .load.server import server
from .machine import machine
from .screen import FLAGS, wait_for

RESULT = Path(__file__).parent / "results" / "drags.json"
VIEWPORT = {"width": 1440, "height": 1000}
MOVES, FRAME_MS = 120, 1000 / 60
# Nothing has changed for so long: it has settled.
QUIET_SECONDS, MOST_SECONDS = 1.5, 40.0
# Where drags begin and end and where the clicks before them go, as shares of a slider.
DRAGS, CLICKS = ((0.15, 0.6),), (0.545,)
# Page, what its link says, the sliders and what is read once it is ready.
PLACES = {
    "Frontier": (
        "",
        ("Budget", "Trade-off λ", "Quasi-norm p"),
        "best within the budget",
    ),
    "Trimming": (
        "page=trimming&columns=12",
        ("Decision threshold T", "Feature budget B"),
        "of cases",
    ),
}
TABLES = ("published", "heart")
# Notes when figures and words change.
LISTEN = """() => {
  window.changed = { at: performance.now(), count: 0 }
  for (const document of Bokeh.documents)
    document.on_change(event => {
      const kind = event.model?.type ?? ''
      if (kind === 'ColumnDataSource' || kind.endsWith('HTML'))
        window.changed = { at: performance.now(), count: window.changed.count + 1 }
    })
}"""
# A hand moves on while the page paints: what it passed meanwhile is never asked for.
DRAG = """([handle, from, to, moves, frame]) => new Promise(resolve => {
  const root = handle.closest('.MuiSlider-root'), box = root.getBoundingClientRect()
  const send = (kind, share) => root.dispatchEvent(new PointerEvent(kind, {
    bubbles: true, composed: true, cancelable: true, button: 0, pointerId: 1,
    buttons: kind === 'pointerup' ? 0 : 1,
    clientX: box.x + share * box.width, clientY: box.y + box.height / 2 }))
  window.changed.count = 0
  send('pointerdown', from)
  const began = performance.now()
  let sent = 1
  const move = () => {
    const passed = Math.min(moves - 1, Math.round((performance.now() - began) / frame))
    if (moves > 1) {
      send('pointermove', from + (to - from) * passed / (moves - 1))
      sent += 1
    }
    if (passed < moves - 1) return requestAnimationFrame(move)
    const moved = performance.now()
    send('pointerup', to)
    resolve([moved, sent])
  }
  requestAnimationFrame(move)
})"""


def main() -> None:
    """Measure, print and write the results."""
    results: dict[str, object] = {"machine": machine()}
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else RESULT
    with server(20) as (address, _), sync_playwright() as playwright:
        wait_for(address)
        chromium = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for table in TABLES:
            for name, place in PLACES.items():
                results[f"{name}, {table}"] = _measure(browser, address, table, *place)
        browser.close()
    text = json.dumps(results, indent=2, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")
    print(text)


def _measure(
    browser: Browser,
    address: str,
    table: str,
    link: str,
    sliders: tuple[str, ...],
    ready: str,
) -> dict[str, object]:
    found: dict[str, object] = {}
    for slider in sliders:
        page = browser.new_page(viewport=VIEWPORT)
        page.goto(f"{address}?data={table}&{link}")
        words = page.get_by_role("status").filter(has_text=ready)
        words.first.wait_for(timeout=60_000)
        page.evaluate(LISTEN)
        _settled(page, page.evaluate("() => performance.now()"))
        alone, dragged = [], []
        for (start, end), click in zip(DRAGS, CLICKS, strict=True):
            alone.append(_drag(page, slider, click, click, 1))
            dragged.append(_drag(page, slider, start, end, MOVES))
        page.close()
        found[slider] = {
            "newest question alone, s": _of(alone),
            f"after {MOVES} moves, s": _of(dragged),
        }
        print(table, slider, found[slider], flush=True)
    return found


def _drag(
    page: Page, slider: str, start: float, end: float, n_moves: int
) -> dict[str, float]:
    """Drag a slider; return how often it moved, and when the page then settled."""
    handle = page.get_by_role("slider", name=slider).first.element_handle()
    moved, sent = page.evaluate(DRAG, [handle, start, end, n_moves, FRAME_MS])
    return {"moves": sent, **_settled(page, moved)}


def _settled(page: Page, since: float) -> dict[str, float]:
    """Wait until nothing changes any more; return the seconds from then to that."""
    now = since
    while True:
        page.wait_for_timeout(100)
        now, at, count = page.evaluate(
            "() => [performance.now(), window.changed.at, window.changed.count]"
        )
        is_quiet = now - max(at, since) > 1000 * QUIET_SECONDS
        if is_quiet or now - since > 1000 * MOST_SECONDS:
            return {"settled": max(0.0, at - since) / 1000, "changes": count}


def _of(rounds: list[dict[str, float]]) -> dict[str, object]:
    settled = [round(one["settled"], 2) for one in rounds]
    others = {name: [one[name] for one in rounds] for name in ("moves", "changes")}
    return {"median": statistics.median(settled), "each": settled, **others}


if __name__ == "__main__":
    main()
