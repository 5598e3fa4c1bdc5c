"""The app on the newest Python that is here, with the newest versions that were tried.

``python -m tests.newest`` makes an environment of its own from
``constraints-newest.txt``, runs a few tests of the screen there and opens every page
in Chromium. Where there is no newer Python, or nothing can be installed, it says so.
"""

import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.request import urlopen

from playwright.sync_api import sync_playwright

from explorer.pages import all_pages
from tests.ui.conftest import CHROMIUM, FLAGS, GONE
from tests.waiting import until

ROOT = Path(__file__).parents[1]
FOLDER = Path(sys.prefix) / "newest"
NEWER = ("3.14", "3.13", "3.12")
# The quick one first; where it cannot, the other installs.
UV = (Path(sys.prefix) / "bin" / "uv", "pip", "install", "--python", FOLDER)
PIP = (FOLDER / "bin" / "python", "-m", "pip", "install", "--no-compile")
# What touches the screen, each part of it once.
TESTS = (
    "tests/explorer/session/test_declared.py",
    "tests/explorer/widgets/test_theme.py",
    "tests/explorer/serving/test_headers.py",
    "tests/explorer/serving/test_events.py",
    "tests/explorer/figures/test_live.py",
    "tests/explorer/test_private_names.py",
)
IDLE = (
    "() => window.Bokeh?.documents?.length > 0 && Bokeh.documents.every(d => d.is_idle)"
)
TESTS_NEED = ("pytest", "hypothesis", "requests")
SECONDS = 240


def newer_python():
    """The newest Python above this one, or None: what stands in for one may not run."""
    for version in NEWER:
        if tuple(map(int, version.split("."))) <= sys.version_info[:2]:
            continue
        folders = Path.home().glob(f".pyenv/versions/{version}.*/bin")
        found = [shutil.which(f"python{version}"), *(f / "python" for f in folders)]
        for path in filter(None, found):
            tried = subprocess.run([path, "-c", "import venv"], capture_output=True)
            if tried.returncode == 0:
                return str(path)
    return None


def environment(python):
    """The environment's Python, or None where nothing can be installed."""
    made = subprocess.run([python, "-m", "venv", FOLDER], capture_output=True)
    if made.returncode:
        return None
    wanted = [
        "-c",
        ROOT / "constraints-newest.txt",
        ROOT,
        "pytest",
        "hypothesis",
        "requests",
    ]
    for tool in (UV, PIP):
        if not Path(tool[0]).exists():
            continue
        if subprocess.run([*tool, *wanted], capture_output=True).returncode == 0:
            return FOLDER / "bin" / "python"
    return None


def open_every_page(python):
    """What the pages, or the server, did that they should not have done."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{probe.getsockname()[1]}"
    serve = ["-m", "explorer", "serve", "--no-browser", f"--port={address[17:]}"]
    with tempfile.TemporaryFile() as log:
        server = subprocess.Popen([python, *serve], cwd=ROOT, stderr=log)
        try:
            until(lambda: _answers(address) or server.poll() is not None)
            faults = _opened(address)
        finally:
            server.terminate()
            server.wait()
        log.seek(0)
        said = log.read().decode()
    return faults + ([said] if "Traceback" in said else [])


def _answers(address):
    try:
        urlopen(f"{address}/icons/icon.svg").read()
    except OSError:
        return False
    return True


def _opened(address):
    faults = []
    path = next(filter(None, map(shutil.which, CHROMIUM)))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": 1000})
        page.set_default_timeout(1000 * SECONDS)
        page.on("pageerror", lambda e: GONE in str(e) or faults.append(str(e)))
        page.on("console", lambda m: m.type == "error" and faults.append(m.text))
        for one in all_pages().values():
            page.goto(f"{address}/app?page={one.name}&theme=light")
            page.wait_for_function(IDLE)
            page.get_by_role("heading", level=1, name=one.title).first.wait_for()
        browser.close()
    return [fault for fault in faults if fault]


def main():
    """Run it all; return the exit code."""
    python = newer_python()
    own = python and environment(python)
    if own is None:
        why = "nothing could be installed for a" if python else "there is no"
        sys.stdout.write(f"newest: {why} newer Python here; nothing was tried.\n")
        return 0
    run = subprocess.run([own, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS])
    faults = open_every_page(own)
    for said in faults or ["every page opens."]:
        sys.stdout.write(f"newest: {said}\n")
    return run.returncode or bool(faults)


if __name__ == "__main__":
    sys.exit(main())
