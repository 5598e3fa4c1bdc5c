"""The files of assets/: in the repository's root, or inside the installed package."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def asset_folder() -> Path:
    """Return where the files are."""
    here = Path(__file__).parents[1]
    installed = here / "assets"
    return installed if installed.is_dir() else here.parent / "assets"


def asset(name: str) -> str:
    """Return the text of a file of assets/."""
    return (asset_folder() / name).read_text(encoding="utf-8")
