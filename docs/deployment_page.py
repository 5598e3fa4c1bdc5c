"""The tables of the deployment page.

Flags are those of the command, limits those of the code, and sizes those that
``benchmarks/results/load.json`` holds: none is typed by hand.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docs.parts import table, with_part
from explorer.cli import main as thriftscope
from explorer.pages import data_dialog, structured_upload, trimming_controls
from solvers import interchange
from solvers.datasets.table import csv_file

__all__ = ["PAGE", "filled"]

PAGE = Path(__file__).parent / "deployment.md"
RESULTS = Path(__file__).parents[1] / "benchmarks" / "results" / "load.json"
MEGABYTE = 1024 * 1024
NOT_MEASURED = (
    "No load has been measured on a quiet machine yet, so there are no numbers here: "
    "count on one process for each core, and watch memory."
)


def filled(text: str) -> str:
    """Return the page with its tables as they should be."""
    text = with_part(text, "flags", f"```text\n{_help()}```")
    text = with_part(text, "limits", _limits())
    return with_part(text, "sizing", _sizing())


def _help() -> str:
    """Return what ``thriftscope serve --help`` prints, 80 columns wide."""
    said, columns = io.StringIO(), os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "80"
    with contextlib.redirect_stdout(said), contextlib.suppress(SystemExit):
        thriftscope(["serve", "--help"])
    os.environ.pop("COLUMNS")
    if columns is not None:
        os.environ["COLUMNS"] = columns
    return said.getvalue()


def _limits() -> str:
    return table(
        ("what", "at most"),
        (
            (
                "a table, a hypergraph or costs, on the screen",
                f"{data_dialog.MAX_MEGABYTES} MB",
            ),
            (
                "a table, after reading",
                f"{csv_file.MAX_COLUMNS:,} columns, {csv_file.MAX_CELLS:,} cells",
            ),
            (
                "a graph or readings of one's own",
                f"{structured_upload.MAX_MEGABYTES} MB a file",
            ),
            (
                "a Bayesian network",
                f"{trimming_controls.MAX_FILE_BYTES // MEGABYTE} MB",
            ),
            (
                "a hypergraph, in Python",
                f"{interchange.MAX_BYTES // MEGABYTE} MB, unless `max_bytes` says more",
            ),
            ("one websocket message", "24 MB; uploads come in pieces of 10 MB"),
        ),
    )


def _sizing() -> str:
    if not RESULTS.exists():
        return NOT_MEASURED
    measured = json.loads(RESULTS.read_text("utf-8"))
    return table(("measured", "value"), _leaves(measured)) + (
        "\nFrom `benchmarks/results/load.json`.\n"
    )


def _leaves(measured: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield every value of nested records, by the names that lead to it."""
    if isinstance(measured, dict):
        for key, value in measured.items():
            yield from _leaves(value, f"{name}, {key}" if name else key)
    elif isinstance(measured, list):
        yield name, ", ".join(_shown(value) for value in measured)
    else:
        yield name, _shown(measured)


def _shown(value: Any) -> str:
    is_fraction = isinstance(value, float)
    return f"{value:.4g}" if is_fraction else str(value)
