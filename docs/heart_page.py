"""The table of the page on the heart data, from the results of its benchmark."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from docs.parts import table, with_part
from solvers.methods import all_methods

__all__ = ["PAGE", "filled"]

PAGE = Path(__file__).parent / "heart.md"
RESULTS = Path(__file__).parents[1] / "benchmarks" / "results" / "heart.json"
NOT_MEASURED = "Nothing has been measured yet: run `python -m benchmarks.heart`."


def filled(text: str) -> str:
    """Return the page with its table as it should be."""
    return with_part(text, "standing", _standing())


def _standing() -> str:
    if not RESULTS.exists():
        return NOT_MEASURED
    found = json.loads(RESULTS.read_text("utf-8"))
    told, n_seeds = found["enumeration"], len(found["seeds"])
    hindsight = told["best in hindsight"]
    rows = [
        _row("*best selection in hindsight*", [best["f1"] for best in hindsight]),
        _row(
            "*exhaustive search, chosen on validation*",
            told["chosen on validation rows"],
        ),
    ]
    methods = found["methods"]
    titles = {name: all_methods()[name].title for name in methods}
    for name in sorted(methods, key=lambda n: -np.mean(methods[n]["f1"])):
        rows.append(_row(titles[name], methods[name]["f1"]))
    head = ["", *(f"{budget:g} CAD" for budget in found["budgets"])]
    bought = "\n".join(
        f"- {budget:g}: {', '.join(best['tests'])} ({best['cost']:.2f} CAD)."
        for budget, best in zip(found["budgets"], hindsight, strict=True)
    )
    return (
        table(head, rows)
        + f"\nMean test F1 over {n_seeds} splits; the standard error of the 50-dollar "
        f"column is at most {_largest_error(found):.3f}. Budgets are held against the "
        "costliest row, on validation rows. What is best in hindsight:\n\n"
        f"{bought}\n\n"
        f"From `python -m benchmarks.heart`: {told['selections']:,} selections on "
        f"{n_seeds} splits took {told['processor seconds']:.0f} processor seconds.\n"
    )


def _row(title: str, scores: list[list[float]]) -> list[str]:
    return [title, *(f"{np.mean(one):.3f}".lstrip("0") for one in scores)]


def _largest_error(found: dict[str, Any]) -> float:
    at = found["budgets"].index(50.0)
    runs = [method["f1"][at] for method in found["methods"].values()]
    return max(float(np.std(run, ddof=1)) / len(run) ** 0.5 for run in runs)
