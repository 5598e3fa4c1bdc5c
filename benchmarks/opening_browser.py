"""What opening the app costs the browser, beside a bare page in the same run.

``python -m benchmarks.opening_browser`` serves the app as ``thriftscope serve`` does,
and the bare page of ``benchmarks.opening``; it opens them in turns in Chromium, each
time as a first visit, and writes the processor time of the page's main thread until it
has settled, its frontier computed and drawn.
"""

from __future__ import annotations

import json
import shutil
import statistics
import time
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from explorer.pages.frontier.queries import warm_frontier

from .load.server import SERVE, server
from .machine import machine
from .opening import marks_of_app
from .screen import FLAGS, wait_for

RESULT = Path(__file__).parent / "results" / "opening_browser.json"
ROUNDS = 5
VIEWPORT = {"width": 1440, "height": 1000}
BARE = (
    "import sys, panel as pn; from benchmarks.opening import bare_page; "
    "pn.serve({{'app': lambda: bare_page({marks})}}, port=int(sys.argv[2][7:]), "
    "show=False)"
)
BUILT = "window.Bokeh?.documents?.length > 0"
LOOK_SECONDS, QUIET_MS = 0.5, 40.0
N_QUIET, MOST_LOOKS = 5, 60


def main() -> None:
    """Measure, print and write the results."""
    before, addresses = machine(), {}
    warm_frontier()
    programs = {"app": SERVE, "bare page": BARE.format(marks=marks_of_app())}
    with ExitStack() as servers:
        for name, program in programs.items():
            addresses[name], _ = servers.enter_context(server(100, program))
            wait_for(addresses[name], 120.0)
        took = _measure(addresses)
    bare = statistics.median(took["bare page"])
    results = {
        "machine": before,
        "main thread, ms": {name: list(map(round, own)) for name, own in took.items()},
        "beside the bare page": {
            name: round(statistics.median(own) / bare, 2) for name, own in took.items()
        },
    }
    text = json.dumps(results, indent=2)
    RESULT.write_text(text + "\n", encoding="utf-8")
    print(text)


def _measure(addresses: dict[str, str]) -> dict[str, list[float]]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    took: dict[str, list[float]] = {name: [] for name in addresses}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for number in range(ROUNDS + 1):
            for name, address in addresses.items():
                found = _milliseconds(browser, address)
                if number:  # the first one warms the servers up
                    took[name].append(found)
        browser.close()
    return took


def _milliseconds(browser: Browser, address: str) -> float:
    """Return the main thread's processor time until it was quiet."""
    context = browser.new_context(viewport=VIEWPORT)
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(address)
    page.wait_for_function(BUILT, timeout=60_000)
    looks: list[float] = []
    while len(looks) < MOST_LOOKS and not _is_quiet(looks):
        time.sleep(LOOK_SECONDS)
        found = session.send("Performance.getMetrics")["metrics"]
        (seconds,) = [one["value"] for one in found if one["name"] == "TaskDuration"]
        looks.append(1000 * seconds)
    context.close()
    return looks[-1]


def _is_quiet(looks: list[float]) -> bool:
    return len(looks) >= N_QUIET and looks[-1] - looks[-N_QUIET] < QUIET_MS


if __name__ == "__main__":
    main()
