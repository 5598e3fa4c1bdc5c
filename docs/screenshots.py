"""Pictures of the pages for README and docs, from the app itself: ``make docs``."""

import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

IMAGES = Path(__file__).parent / "images"
WIDE, NARROW = {"width": 1440, "height": 1000}, {"width": 390, "height": 844}
# Page, window, dark.
SHOTS = {
    "frontier-light": ("frontier", WIDE, False),
    "frontier-dark": ("frontier", WIDE, True),
    "frontier-narrow": ("frontier", NARROW, False),
    **{
        f"{name}-light": (name, WIDE, False)
        for name in (
            *("problem", "cascade", "trimming", "selectivity", "proof"),
            *("structured", "lessons", "papers"),
        )
    },
}
# What a page says once its first result is there.
READY = {
    "frontier": "best within",
    "problem": "components",
    "cascade": "test rows right",
    "trimming": "decide",
    "selectivity": "features used,",
    "proof": "come within",
    # The name of the method is a term, whose meaning stands behind it.
    "structured": re.compile(r"pays \d"),
    "lessons": "Pick an answer",
    "papers": "Verdicts follow",
}
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
COMPUTED = "() => document.body && Bokeh.documents.every(d => d.is_idle)"
# Panel veils a page that is loading.
UNVEILED = "() => !document.body.classList.contains('pn-loading')"
# Whatever follows the first result, and the browser's own drawing.
SETTLE_MS = 5000
SETTLED_MS = 120_000


def main() -> None:
    """Serve the app, photograph it in every theme and width, and stop."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "explorer",
        "serve",
        f"--port={port}",
        "--no-browser",
    ]
    server = subprocess.Popen(command)
    try:
        address = f"http://127.0.0.1:{port}/app"
        wait_for(address)
        photograph(address)
    finally:
        server.terminate()
        server.wait(60)


def wait_for(address: str, seconds: float = 60.0) -> None:
    """Wait until a server answers."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            urllib.request.urlopen(address, timeout=30).read()
            return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.5)


def photograph(address: str) -> None:
    """Take every picture."""
    IMAGES.mkdir(exist_ok=True)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for name, (shown, viewport, dark) in SHOTS.items():
            page = browser.new_page(viewport=viewport)
            page.goto(f"{address}?page={shown}")
            page.wait_for_function(COMPUTED)
            settle(page, shown, dark)
            page.screenshot(path=IMAGES / f"{name}.png")
            page.close()
        browser.close()


def settle(page: Page, shown: str, dark: bool) -> None:
    """Wait until a page is computed, in the wanted theme."""
    ready = page.get_by_text(READY[shown]).first
    ready.wait_for(state="attached", timeout=SETTLED_MS)
    page.wait_for_function(UNVEILED, timeout=SETTLED_MS)
    for bar in page.get_by_role("progressbar").all():
        bar.wait_for(state="detached", timeout=SETTLED_MS)
    page.wait_for_timeout(SETTLE_MS)
    if dark:
        page.get_by_label("Toggle theme").click()
        page.mouse.move(700, 500)
        page.wait_for_timeout(SETTLE_MS)


if __name__ == "__main__":
    main()
