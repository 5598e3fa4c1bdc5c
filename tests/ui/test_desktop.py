"""The app in a window of its own: both end together."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest

from explorer.commands.desktop import _free_port
from tests.explorer.serving.conftest import COLD
from tests.ui.conftest import CHROMIUM

pytestmark = pytest.mark.browser


ROOT = Path(__file__).parents[2]


HEADLESS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic"]
# ``thriftscope desktop`` on a server that computes nothing in advance.
PROGRAM = f"""
import sys
from explorer.commands import cli, desktop
as_usual = desktop._server_command

def cold(port):
    python, *module, serve = (command := as_usual(port))[:4]
    assert [python, *module, serve] == [sys.executable, "-m", "explorer", "serve"]
    return [python, *{COLD!r}, *command[3:]]

desktop._server_command = cold
sys.exit(cli.main())
"""


# The same on a server of files, which starts at once: who ends whom is the command's.
OF_FILES = """
import sys
from explorer.commands import cli, desktop
serve = [sys.executable, "-m", "http.server", "--bind=127.0.0.1"]
desktop._server_command = lambda port: [*serve, f"--directory={folder}", str(port)]
sys.exit(cli.main())
"""


class Window:
    """``thriftscope desktop`` with a browser that shows nothing."""

    def __init__(self, playwright_path, program=PROGRAM):
        self.debug_port = _free_port()
        path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-c", program, "desktop"),
                *("--browser", playwright_path, "--", *HEADLESS),
                f"--remote-debugging-port={self.debug_port}",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path},
        )

    def pages(self):
        """The addresses that the browser shows; None where it does not answer."""
        try:
            address = f"http://127.0.0.1:{self.debug_port}/json/list"
            told = json.load(urllib.request.urlopen(address, timeout=30))
        except OSError:
            return None
        return [one["url"] for one in told if one["type"] == "page"]

    def is_debugged(self):
        return self.pages() is not None


def until(condition, seconds=120):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.1)


def is_listening(port):
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/icons/icon.svg", timeout=30)
    except OSError:
        return False
    return True


@contextmanager
def opened(program):
    path = next(found for name in CHROMIUM if (found := shutil.which(name)))
    window = Window(path, program)
    try:
        yield window
    finally:
        window.process.kill()
        window.process.wait(30)


@pytest.fixture
def window(browser):
    with opened(PROGRAM) as window:
        yield window


@pytest.fixture
def shown(window, browser):
    """The page in the window, and the port of its server."""
    until(window.is_debugged)
    connected = browser.browser_type.connect_over_cdp(
        f"http://127.0.0.1:{window.debug_port}"
    )
    until(lambda: connected.contexts and connected.contexts[0].pages)
    page = connected.contexts[0].pages[0]
    is_open = "() => window.Bokeh && Bokeh.documents.length > 0"
    page.wait_for_function(is_open, timeout=90_000)
    yield page, int(page.url.split(":")[2].split("/")[0])
    connected.close()


def test_closing_the_window_ends_the_server(window, shown):
    page, port = shown
    assert page.title() == "Thriftscope"
    until(lambda: is_listening(port))
    page.close()
    assert window.process.wait(120) == 0
    until(lambda: not is_listening(port))


def test_interrupting_the_command_ends_the_browser_too(tmp_path):
    for name in ("app", "icons/icon.svg"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("here")
    with opened(f"folder = {str(tmp_path)!r}" + OF_FILES) as window:
        until(lambda: any(url.startswith("http") for url in window.pages() or []))
        (url,) = (url for url in window.pages() if url.startswith("http"))
        port = int(url.split(":")[2].split("/")[0])
        assert is_listening(port)
        window.process.send_signal(signal.SIGTERM)
        assert window.process.wait(60) == 0
        until(lambda: not window.is_debugged())
        until(lambda: not is_listening(port))
