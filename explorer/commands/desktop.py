"""``thriftscope desktop``: the app in a window of its own, while that is open."""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

from solvers.errors import DataError

START_SECONDS = 120.0
POLL_SECONDS = 0.2
# A page that is loaded anew comes back sooner than this.
LINGER_SECONDS = 4.0
END_SECONDS = 5.0


def add_desktop(commands: Any) -> None:
    """Add the command to the parser."""
    desktop = commands.add_parser("desktop", help="open the app in a window of its own")
    desktop.add_argument(
        "--browser",
        type=Path,
        metavar="PATH",
        help="program of a browser of the Chromium family; else one is looked for",
    )
    desktop.add_argument(
        "browser_flags", nargs="*", metavar="-- FLAGS", help="flags for the browser"
    )
    desktop.set_defaults(run=_desktop)


def _desktop(options: argparse.Namespace) -> None:
    browser = options.browser or find_browser()
    if browser is not None and not Path(browser).is_file():
        raise DataError(f"There is no browser at {browser}; name one with --browser.")
    # Ended by a signal, the server and the browser are ended too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    port = _free_port()
    address = f"http://127.0.0.1:{port}/app"
    try:
        with _running(_server_command(port)) as server:
            _wait_for(server, address)
            if browser is None:
                _show_in_tab(server, address)
            else:
                _show_in_window(server, Path(browser), address, options.browser_flags)
    except KeyboardInterrupt:
        return


def _server_command(port: int) -> list[str]:
    return [
        *(sys.executable, "-m", "explorer", "serve", f"--port={port}", "--no-browser"),
        *("--end-when-empty", f"--linger={LINGER_SECONDS:g}"),
    ]


def _show_in_window(
    server: subprocess.Popen, browser: Path, address: str, flags: list[str]
) -> None:
    """Show the app until its window is closed, or the server has ended.

    On macOS a browser outlives its last window, so the server watches its pages too.
    """
    with tempfile.TemporaryDirectory(
        prefix="thriftscope-", ignore_cleanup_errors=True
    ) as profile:
        command = window_command(browser, address, Path(profile), flags)
        with _running(command, stderr=subprocess.DEVNULL) as window:
            while server.poll() is None and window.poll() is None:
                time.sleep(POLL_SECONDS)


def _show_in_tab(server: subprocess.Popen, address: str) -> None:
    sys.stdout.write(
        "No browser that can give the app a window of its own was found (Chromium, "
        f"Chrome, Edge, Brave or Vivaldi); it is in the ordinary browser, at {address} "
        "until the page is closed.\n"
    )
    sys.stdout.flush()
    webbrowser.open(address)
    server.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_for(server: subprocess.Popen, address: str) -> None:
    """Wait until the server answers, if only with what stands in for the app."""
    health = address.rsplit("/", 1)[0] + "/icons/icon.svg"
    deadline = time.monotonic() + START_SECONDS
    while server.poll() is None and time.monotonic() < deadline:
        try:
            urllib.request.urlopen(health, timeout=5).read()
            return
        except HTTPError:
            return
        except OSError:
            time.sleep(POLL_SECONDS)
    raise DataError(
        f"The server did not start within {START_SECONDS:g} s; its log above says why."
    )


@contextmanager
def _running(
    command: list[str], stderr: int | None = None
) -> Iterator[subprocess.Popen]:
    """Run a program for as long as the block lasts; a browser's chatter is dropped."""
    process = subprocess.Popen(command, stderr=stderr)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


ON_PATH = (
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
    *("chrome", "microsoft-edge", "microsoft-edge-stable", "msedge"),
    *("brave-browser", "brave", "vivaldi", "vivaldi-stable"),
)
ON_MAC = (*("Google Chrome", "Chromium", "Microsoft Edge", "Brave Browser", "Vivaldi"),)
ON_WINDOWS = (
    r"Google\Chrome\Application\chrome.exe",
    r"Chromium\Application\chrome.exe",
    r"Microsoft\Edge\Application\msedge.exe",
    r"BraveSoftware\Brave-Browser\Application\brave.exe",
    r"Vivaldi\Application\vivaldi.exe",
)
SIZE = (1440, 1000)


def find_browser(system: str = sys.platform) -> Path | None:
    """Return an installed browser of the Chromium family."""
    return next((path for path in _candidates(system) if path.is_file()), None)


def window_command(
    browser: Path, address: str, profile: Path, flags: Sequence[str] = ()
) -> list[str]:
    """Return the command that shows a page in a window of its own.

    `profile`: an empty folder. With a profile of its own the browser is a process of
    its own, which ends with its window, whatever else is open.
    """
    return [
        str(browser),
        f"--app={address}",
        f"--user-data-dir={profile}",
        f"--window-size={SIZE[0]},{SIZE[1]}",
        *("--no-first-run", "--no-default-browser-check", "--disable-sync"),
        *("--disable-background-networking", "--disable-component-update"),
        *flags,
    ]


def _candidates(system: str) -> Iterator[Path]:
    if system == "darwin":
        for folder in (Path("/Applications"), Path.home() / "Applications"):
            yield from (
                folder / f"{name}.app" / "Contents" / "MacOS" / name for name in ON_MAC
            )
    elif system == "win32":
        for variable in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"):
            if variable in os.environ:
                folder = Path(os.environ[variable])
                yield from (folder / Path(*name.split("\\")) for name in ON_WINDOWS)
    found = (shutil.which(name) for name in ON_PATH)
    yield from (Path(path) for path in found if path)
