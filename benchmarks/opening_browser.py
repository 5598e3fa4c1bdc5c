"""What opening the app costs the browser, beside a bare page in the same run.

``python -m benchmarks.opening_browser`` serves the app as ``thriftscope serve`` does,
and the bare page of ``benchmarks.opening``; it opens both in turns in Chromium, each
time as a first visit, and writes what the page's main thread computed until what is
asked for is drawn, the app's frontier, and until the page has settled. In between comes
what the app makes below the fold when nobody scrolls and its server has nothing to do.
"""

from __future__ import annotations

import json
import shutil
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from .machine import machine
from .screen import FLAGS, wait_for

RESULT = Path(__file__).parent / "results" / "opening_browser.json"
ROUNDS = 5
VIEWPORT = {"width": 1440, "height": 1000}
SERVE_BARE = (
    "import panel as pn; from benchmarks.opening import bare_page; "
    "pn.serve({{'bare': lambda: bare_page()[0]}}, port={port}, show=False)"
)
DRAWN = {"app": "Best within the budget", "bare": "Slider 0"}
LOOK_SECONDS, QUIET_MS = 0.5, 40.0
N_QUIET, MOST_LOOKS = 5, 60


def main() -> None:
    """Measure, print and write the results."""
    before, ports = machine(), [_free_port(), _free_port()]
    app = ["-m", "explorer", "serve", f"--port={ports[0]}", "--no-browser"]
    bare = ["-c", SERVE_BARE.format(port=ports[1])]
    servers = [subprocess.Popen([sys.executable, *args]) for args in (app, bare)]
    addresses = {
        name: f"http://localhost:{port}/{name}"
        for name, port in zip(DRAWN, ports, strict=True)
    }
    try:
        for address in addresses.values():
            wait_for(address, 120.0)
        took = _measure(addresses)
    finally:
        for server in servers:
            server.terminate()
            server.wait(60)
    results: dict[str, object] = {"machine": before}
    for k, until in enumerate(("drawn", "settled")):
        own = {name: [both[k] for both in found] for name, found in took.items()}
        app_ms, bare_ms = (statistics.median(own[name]) for name in DRAWN)
        results[f"main thread until {until}, ms"] = {
            **{name: list(map(round, found)) for name, found in own.items()},
            "app beside bare page": round(app_ms / bare_ms, 2),
        }
    text = json.dumps(results, indent=2)
    RESULT.write_text(text + "\n", encoding="utf-8")
    print(text)


def _measure(addresses: dict[str, str]) -> dict[str, list[tuple[float, float]]]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    took: dict[str, list[tuple[float, float]]] = {name: [] for name in addresses}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for number in range(ROUNDS + 1):
            for name, address in addresses.items():
                found = _milliseconds(browser, address, DRAWN[name])
                if number:  # the first one warms the servers up
                    took[name].append(found)
        browser.close()
    return took


def _milliseconds(browser: Browser, address: str, drawn: str) -> tuple[float, float]:
    """Return the main thread's processor time until a text came, and until quiet."""
    context = browser.new_context(viewport=VIEWPORT)
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(address)
    page.get_by_text(drawn).first.wait_for(timeout=60_000)
    looks: list[float] = []
    while len(looks) < MOST_LOOKS and not _is_quiet(looks):
        time.sleep(LOOK_SECONDS)
        found = session.send("Performance.getMetrics")["metrics"]
        (seconds,) = [one["value"] for one in found if one["name"] == "TaskDuration"]
        looks.append(1000 * seconds)
    context.close()
    return looks[0], looks[-1]


def _is_quiet(looks: list[float]) -> bool:
    return len(looks) >= N_QUIET and looks[-1] - looks[-N_QUIET] < QUIET_MS


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    main()
