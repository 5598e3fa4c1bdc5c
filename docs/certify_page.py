"""The table of the page on certified floors, from the results of its benchmark."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docs.parts import table, with_part
from solvers.methods import all_methods

__all__ = ["PAGE", "filled"]

PAGE = Path(__file__).parent / "certified_frontier.md"
RESULTS = Path(__file__).parents[1] / "benchmarks" / "results" / "certify.json"
NOT_MEASURED = "Nothing has been measured yet: run `python -m benchmarks.certify`."


def filled(text: str) -> str:
    """Return the page with its table as it should be."""
    return with_part(text, "above", _above())


def _above() -> str:
    if not RESULTS.exists():
        return NOT_MEASURED
    found = json.loads(RESULTS.read_text("utf-8"))
    shares = sorted({row["budget"] for row in next(iter(found.values()))["found"]})
    head = ["data, method", *(f"{share:.0%}" for share in shares)]
    rows = []
    for name, told in found.items():
        methods = dict.fromkeys(row["method"] for row in told["found"])
        for method in methods:
            title = f"{name}, {all_methods()[method].title}"
            rows.append([title, *(_cell(told, method, share) for share in shares)])
    seconds = sum(told["processor seconds of floors"] for told in found.values())
    trained = sum(told["processor seconds of methods"] for told in found.values())
    return (
        table(head, rows)
        + f"\nFrom `python -m benchmarks.certify methods`: {trained:.0f} processor "
        f"seconds for the methods' paths, {seconds:.0f} for all floors.\n"
    )


def _cell(told: dict[str, Any], method: str, share: float) -> str:
    (row,) = (
        row
        for row in told["found"]
        if (row["method"], row["budget"]) == (method, share)
    )
    said = f"{100 * row['above floor at most']:.1f} %"
    return said if row["proven"] else f"{said}, open"
