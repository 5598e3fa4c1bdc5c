"""``python -m docs.notebooks FOLDER`` writes the notebooks as .ipynb files."""

from __future__ import annotations

import argparse
from pathlib import Path

import jupytext

FOLDER = Path(__file__).parent


def main() -> None:
    """Convert every script."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    target = parser.parse_args().folder
    target.mkdir(parents=True, exist_ok=True)
    for script in sorted(FOLDER.glob("[!_]*.py")):
        notebook = jupytext.read(script)
        jupytext.write(notebook, target / f"{script.stem}.ipynb")


if __name__ == "__main__":
    main()
