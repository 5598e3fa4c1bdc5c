"""How fast the hypergraph editor draws and drags, in a real browser.

Run ``python -m benchmarks.editor``; needs Playwright and Chromium. Times are from the
moment that the browser has the graph until it has drawn it (two frames later), and
between frames while a node is dragged. Writes ``benchmarks/results/editor.json``.
"""

import json
import shutil
import socket
import statistics
import sys
import time
from pathlib import Path

import numpy as np
import panel as pn
from playwright.sync_api import sync_playwright
from scipy import sparse

from benchmarks.machine import machine
from explorer.document.drawing import Drawing
from explorer.document.editor import EditorState, neighbourhood
from explorer.pages.problem.hypergraph_editor import (
    MAX_DRAWN,
    HypergraphEditor,
    Overview,
)
from solvers import FeatureHypergraph

RESULTS = Path(__file__).parent / "results" / "editor.json"
SIZES = (200, 1_000, 10_000)
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
MOVES = 40
FRAMES = """async ([x, y, moves]) => {
  const times = []
  let last = performance.now()
  for (let i = 0; i < moves; i++) {
    const at = { clientX: x + 3 * i, clientY: y + 2 * i, pointerId: 1, bubbles: true }
    window.__svg.dispatchEvent(new PointerEvent('pointermove', at))
    await new Promise(done => requestAnimationFrame(done))
    const now = performance.now()
    times.push(now - last)
    last = now
  }
  return times
}"""


def graph(n_nodes, random_state=0):
    """Half features, half components, 1.5 links a feature."""
    rng = np.random.default_rng(random_state)
    n = n_nodes // 2
    rows = np.concatenate([np.arange(n), rng.integers(0, n, n // 2)])
    columns = np.concatenate([np.arange(n), rng.integers(0, n, n // 2)])
    links = sparse.coo_array((np.ones(len(rows)), (rows, columns)), shape=(n, n))
    return FeatureHypergraph(links.tocsr() > 0, rng.uniform(0.1, 5, n))


def served(size, states):
    """Serve the editor, or above its limit the overview; return the address."""

    def build():
        pn.extension()
        state = EditorState(Drawing.of(graph(size)))
        states.append(state)
        if size <= MAX_DRAWN:
            return HypergraphEditor(state=state)
        return pn.Column(
            Overview(
                lambda node: state.look_at(neighbourhood(state.drawing, node)),
                state=state,
                shown=True,
            ),
            HypergraphEditor(state=state),
        )

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = pn.serve(
        {"editor": build},
        port=port,
        address="127.0.0.1",
        threaded=True,
        show=False,
        verbose=False,
    )
    return server, f"http://127.0.0.1:{port}/editor"


def until(page, condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError("the browser did not get there")
        page.wait_for_timeout(10)


def measure(browser, size):
    """Times of one size, in milliseconds."""
    states = []
    server, address = served(size, states)
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    started = time.perf_counter()
    page.goto(address)
    page.wait_for_function(
        "() => window.Bokeh && Bokeh.documents.length && Bokeh.documents[0].is_idle"
    )
    result = {"nodes": size, "open_ms": 1e3 * (time.perf_counter() - started)}
    if size > MAX_DRAWN:
        started = time.perf_counter()
        box = page.locator("canvas").first.bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.locator("[data-id]").first.wait_for()
        result["neighbourhood_ms"] = 1e3 * (time.perf_counter() - started)
    else:
        page.locator("[data-id]").first.wait_for()
        result |= edit(page)
    page.close()
    server.stop()
    return result


def edit(page):
    first = page.evaluate("""async () => {
      const find = root => {
        for (const e of root.querySelectorAll('*')) {
          if (e.matches('svg.drawing')) return e
          const found = e.shadowRoot && find(e.shadowRoot)
          if (found) return found
        }
      }
      window.__svg = find(document)
      const models = [...Bokeh.documents[0]._all_models.values()]
      const model = models.find(each => each.data?.graph)
      const sent = model.data.graph
      const drawn = async () => {
        for (let i = 0; i < 2; i++)
          await new Promise(done => requestAnimationFrame(done))
      }
      model.data.graph = { ...sent, components: [], features: [], links: [] }
      await drawn()
      let start = performance.now()
      model.data.graph = sent
      await drawn()
      const first = performance.now() - start
      start = performance.now()
      model.data.graph = { ...sent, serial: sent.serial + 1 }
      await drawn()
      return { first_draw_ms: first, redraw_ms: performance.now() - start }
    }""")
    box = page.locator("[data-id] .body").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 10, y + 10)
    times = page.evaluate(FRAMES, [x, y, MOVES])[2:]
    page.mouse.up()
    return {
        **first,
        "drag_median_ms": statistics.median(times),
        "drag_p95_ms": float(np.quantile(times, 0.95)),
    }


def main():
    path = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    if path is None:
        sys.exit("Chromium is not installed: run tests/ui/ensure_chromium.sh")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        rows = []
        for size in SIZES:
            found = measure(browser, size)
            rows.append({key: round(value, 1) for key, value in found.items()})
            print(json.dumps(rows[-1]), flush=True)
        browser.close()
    report = {"machine": machine(), "sizes": rows}
    RESULTS.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
