"""Browsers that can show a page in a window without bars, on three systems."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

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
