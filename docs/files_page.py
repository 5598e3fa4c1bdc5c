"""The table of sparse rows of the page on files, from the results of its benchmark."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docs.parts import table, with_part
from solvers.methods import all_methods, unavailable_methods

__all__ = ["PAGE", "filled"]

PAGE = Path(__file__).parent / "files.md"
RESULTS = Path(__file__).parents[1] / "benchmarks" / "results" / "sparse_rows.json"
NOT_MEASURED = "Nothing has been measured yet: run `python -m benchmarks.sparse_rows`."
HEAD = (
    *("rows x columns", "values", "method", "points", "features at most"),
    *("processor, s", "peak, GB"),
)


def filled(text: str) -> str:
    """Return the page with its table as it should be."""
    return with_part(text, "sparse", _sparse())


def _sparse() -> str:
    if not RESULTS.exists():
        return NOT_MEASURED
    found = json.loads(RESULTS.read_text("utf-8"))
    cases = found["cases"]
    loads = [case["load before"] for case in cases]
    return (
        table(HEAD, (_row(case) for case in cases))
        + "\nFrom `python -m benchmarks.sparse_rows`, each path in its own process "
        "that reads the archive, too; a star: cut after so many seconds. The target is "
        f"{found['memory target GB']:g} GB. The machine's load was {min(loads):g} to "
        f"{max(loads):g}.\n"
    )


def _row(case: dict[str, Any]) -> list[str]:
    cut = "*" if "stopped" in case else ""
    name = case["method"]
    known = name not in unavailable_methods()
    return [
        f"{case['rows']:,} x {case['columns that vary']:,}",
        f"{case['values']:,}",
        all_methods()[name].title if known else name,
        str(case["points"]),
        f"{case['most features']:,}",
        f"{case['processor seconds']:.0f}{cut}",
        f"{case['peak GB']:.2f}",
    ]
