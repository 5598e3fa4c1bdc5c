"""The tables of the page on certified floors, from the results of its benchmark."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from docs.parts import table, with_part
from solvers.methods import all_methods

__all__ = ["PAGE", "filled"]

PAGE = Path(__file__).parent / "certified_frontier.md"
_FOLDER = Path(__file__).parents[1] / "benchmarks" / "results"
RESULTS = _FOLDER / "certify.json"
SEARCH, RIVALS = _FOLDER / "certify_search.json", _FOLDER / "certify_rivals.json"
PROVING = ("okridge", "l0bnb")  # what ours stands beside; abess proves nothing
FACTOR = 3  # so much worse than another solver ours may be
NOT_MEASURED = "Nothing has been measured yet: run `python -m benchmarks.certify`."


def filled(text: str) -> str:
    """Return the page with its tables as they should be."""
    text = with_part(text, "above", _above())
    text = with_part(text, "search", _search())
    return with_part(text, "rivals", _rivals())


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


def _search() -> str:
    if not SEARCH.exists():
        return NOT_MEASURED
    rows = []
    for name, told in json.loads(SEARCH.read_text("utf-8")).items():
        for share in sorted({row["budget"] for row in told["found"]}):
            found = [row for row in told["found"] if row["budget"] == share]
            rows.append([name, f"{share:.0%}", *_searched(found)])
    head = ["data", "budget", "proven", "widest gap", "nodes", "processor seconds"]
    return table(head, rows) + "\nFrom `python -m benchmarks.certify search`.\n"


def _searched(found: list[dict[str, Any]]) -> list[str]:
    """Return how many seeds were proven, the widest gap, the median and most work."""
    proven = sum(row["proven"] for row in found)
    nodes = sorted(row["nodes"] for row in found)
    seconds = sorted(row["processor seconds"] for row in found)
    middle = len(found) // 2
    return [
        f"{proven} of {len(found)}",
        f"{100 * max(row['gap'] for row in found):.1f} %",
        f"{nodes[middle]} (at most {nodes[-1]})",
        f"{seconds[middle]:.1f} (at most {seconds[-1]:.1f})",
    ]


def _rivals() -> str:
    if not RIVALS.exists():
        return NOT_MEASURED
    record = json.loads(RIVALS.read_text("utf-8"))
    found = record["found"]
    solvers = dict.fromkeys(row["solver"] for row in found)
    rows = [
        [_problem(row), *(_rival(found, row, one) for one in solvers)]
        for row in found
        if row["solver"] == "ours"
    ]
    kept = dict.fromkeys(r["solver"] for r in found if "recorded with" in r)
    told = "\nFrom `python -m benchmarks.certify rivals`"
    if kept:
        told += f"; {', '.join(kept)} as an earlier run recorded them"
    return (
        table(["", *solvers], rows) + f"{told}.\n{_beside(found, record['asked gap'])}"
    )


def _problem(row: dict[str, Any]) -> str:
    return f"{row['k']} columns, seed {row['seed']}"


def _rival(found: list[dict[str, Any]], beside: dict[str, Any], solver: str) -> str:
    rows = [
        r for r in found if r["solver"] == solver and _problem(r) == _problem(beside)
    ]
    if not rows:
        return "not run"
    (row,) = rows
    return f"{_gap(row['gap'])}, {row['seconds']:.1f} s"


def _gap(gap: float) -> str:
    return "no bound" if gap > 1e3 else f"{100 * gap:.2f} %"


def _beside(found: list[dict[str, Any]], asked: float) -> str:
    """Return ours at the moment each other one ended, and when it is as far.

    `asked`: a gap that is as good as none.
    """
    ours = {_problem(row): row["narrowed"] for row in found if row["solver"] == "ours"}
    rows, wider, later = [], [], []
    for row in found:
        if row["solver"] not in PROVING or "recorded with" in row:
            continue  # what ran beside other code is not compared
        wanted, name = max(row["gap"], asked), f"{row['solver']}, {_problem(row)}"
        narrowed = ours[_problem(row)]
        then = min(
            (gap for at, gap in narrowed if at <= row["seconds"]), default=np.inf
        )
        there = min((at for at, gap in narrowed if gap <= wanted), default=np.inf)
        if then > FACTOR * wanted:
            wider.append(name)
        if there > FACTOR * row["seconds"]:
            later.append(name)
        after = f"{there:.1f} s" if there < np.inf else "not in time"
        end = f"{_gap(row['gap'])}, {row['seconds']:.1f} s"
        rows.append([name, end, _gap(then), after])
    if not rows:
        return ""
    head = ["beside", "ends at", "ours at that moment", "ours is as far after"]
    return (
        f"\n{table(head, rows)}\nAt the moment when another ends, the gap of ours is "
        f"at most three times as wide in {_counted(rows, wider)} To be as far, ours "
        f"takes at most three times as long in {_counted(rows, later)}\n"
    )


def _counted(rows: list[list[str]], failed: list[str]) -> str:
    told = f"{len(rows) - len(failed)} of {len(rows)} cases"
    return f"{told}; **not beside** {'; '.join(failed)}." if failed else f"{told}."
