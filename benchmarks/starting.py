"""How soon ``thriftscope serve`` shows something, beside what importing alone takes.

``python -m benchmarks.starting`` starts the server again and again and opens its page
in Chromium at once, as a first visit. From the start to: the first answer, the page's
question, the app's document, the frontier drawn as far as it goes. Beside it, what
``import panel, sklearn`` takes in the same run, wall and processor time.
"""

from __future__ import annotations

import json
import shutil
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Error, Page, sync_playwright

from .machine import machine
from .screen import FLAGS

RESULT = Path(__file__).parent / "results" / "starting.json"
ROUNDS = 3
MOST_SECONDS = 120.0
LOOK_SECONDS = 0.03
POINTS = """(() => { let n = 0
for (const document of window.Bokeh?.documents ?? [])
  for (const model of document._all_models.values())
    if (model.type === 'Figure' && model.name === 'frontier')
      for (const renderer of model.renderers) {
        const data = renderer.data_source?.data
        n += (data?.validation ?? data?.get?.('validation') ?? []).length
      }
return n > 0 && Bokeh.documents.every(document => document.is_idle) })()"""
SEEN = {
    "question": "getComputedStyle(document.querySelector('#loader'), '::before')"
    ".content.length > 10",
    "document": "window.Bokeh?.documents?.length > 0",
    "first points": POINTS,
}
IMPORTS = (
    "import time; began = time.process_time(); import {}; "
    "print(time.process_time() - began)"
)
IMPORTED = {
    "panel, sklearn": "panel, sklearn",
    "what serves": "explorer.serving.command, explorer.app as app; "
    "from explorer.pages import all_pages; all_pages()",
    "commands.serve": "explorer.commands.serve, explorer.serving.opening",
}


def main() -> None:
    """Measure, print and write the results."""
    before = machine()
    imported = {
        name: statistics.median(_processor_time(what) for _ in range(ROUNDS))
        for name, what in IMPORTED.items()
    }
    runs: list[dict[str, float]] = []
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        runs = [_started(browser) for _ in range(ROUNDS)]
        browser.close()
    bare = imported["panel, sklearn"]
    seconds = {name: statistics.median(run[name] for run in runs) for name in runs[0]}
    results = {
        "machine": before,
        "imports, processor time, s": {k: round(v, 2) for k, v in imported.items()},
        "from the start to, s": {k: round(v, 2) for k, v in seconds.items()},
        "first points beside import panel, sklearn": round(
            seconds["first points"] / bare, 1
        ),
        "rounds": ROUNDS,
    }
    text = json.dumps(results, indent=2, ensure_ascii=False)
    RESULT.write_text(text + "\n", encoding="utf-8")
    print(text)


def _processor_time(what: str) -> float:
    program = [sys.executable, "-c", IMPORTS.format(what)]
    return float(subprocess.run(program, check=True, capture_output=True).stdout)


def _started(browser: Browser) -> dict[str, float]:
    """Return when each thing was there, in seconds from the start of the server."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page, began = context.new_page(), time.monotonic()
    server = subprocess.Popen(
        [sys.executable, "-m", "explorer", "serve", f"--port={port}", "--no-browser"],
        stderr=subprocess.DEVNULL,
    )
    try:
        _until(lambda: _goes(page, f"http://127.0.0.1:{port}/app"))
        found = {"first answer": time.monotonic() - began}
        for name, condition in SEEN.items():
            _until(lambda condition=condition: page.evaluate(condition))
            found[name] = time.monotonic() - began
    finally:
        server.terminate()
        server.wait(60)
        context.close()
    return found


def _goes(page: Page, address: str) -> bool:
    return page.goto(address, timeout=1000 * MOST_SECONDS) is not None


def _until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + MOST_SECONDS
    while time.monotonic() < deadline:
        try:
            if holds():
                return
        except Error:  # nobody listens yet, or the page is just being left
            pass
        time.sleep(LOOK_SECONDS)
    raise SystemExit("the page did not come")


if __name__ == "__main__":
    main()
