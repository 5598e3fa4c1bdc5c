"""The hypergraph cascade beside every other method, under one rule for all.

``python -m benchmarks.hypergraph_cascade compare`` runs the comparison in cells, one
row on one data set and seed each: what is finished is kept, so it may be ended and
started again. ``times`` measures training, look-ups and decisions, in a minute.
``report`` writes ``benchmarks/results/hypergraph_cascade.json`` and ``.md``, and the
table in the page of the method, from what there is. ``--tiny`` runs on a few rows, to
see that it works.

The rule: a method is trained on training rows; each of its models (all variants, all
points of their paths) has its threshold tuned and its cost measured on validation rows;
within a budget the model of the best validation score is taken; test rows report only.
The answer that computes nothing is free for everybody. What cannot take a data set is
named with the reason.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from threadpoolctl import threadpool_limits

from benchmarks.machine import machine

from .cells import N_ROWS, finished, plan, run
from .comparison import SHARES
from .contestants import CLAIMED
from .report import markdown, tables, with_brief
from .times import overhead, training
from .worlds import WORLDS

RESULTS = Path(__file__).parents[1] / "results" / "hypergraph_cascade.json"
PAGE = Path(__file__).parents[2] / "docs" / "methods" / "hypergraph_cascade.md"
CELLS = RESULTS.with_name("hypergraph_cascade_cells.jsonl")
# None of them was looked at while the method was made.
SEEDS = tuple(range(2000, 2010))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["compare", "times", "report"])
    parser.add_argument("--tiny", action="store_true", help="a few rows and points")
    parser.add_argument("--seeds", type=int, nargs="*", default=list(SEEDS))
    parser.add_argument("--worlds", nargs="*", default=list(WORLDS))
    parser.add_argument("--rows", nargs="*", help="by default what claims are about")
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--cells", type=Path, default=CELLS)
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args()
    options.out.parent.mkdir(exist_ok=True)
    with threadpool_limits(1):
        {"compare": compare, "times": times, "report": report}[options.what](options)


def compare(options: argparse.Namespace) -> None:
    """Run cells until all are there or the minutes are over."""
    started = time.perf_counter()
    cells = plan(options.worlds, options.seeds, options.rows or CLAIMED)
    for cell, seconds in run(cells, options.cells, options.tiny):
        print(f"{cell.world}, {cell.seed}, {cell.row}: {seconds:.0f} s", flush=True)
        if time.perf_counter() - started > 60.0 * options.minutes:
            return


def times(options: argparse.Namespace) -> None:
    """Measure times, and put them into the results."""
    results = _results(options.out)
    results["times"] = {
        "environment": machine(),
        "training": training(options.tiny),
        "overhead": overhead(options.tiny),
    }
    _write(results, options.out)
    print(json.dumps(results["times"], indent=1))


def report(options: argparse.Namespace) -> None:
    """Write the tables of the cells that are finished."""
    results = _results(options.out)
    cells = finished(options.cells)
    results |= {
        "environment": machine(),
        "code": sorted({told["code"] for told in cells.values()}),
        "rows of a data set at most": N_ROWS,
        "shares of the full cost": SHARES,
        "worlds": tables(cells, options.worlds),
    }
    _write(results, options.out)
    options.out.with_suffix(".md").write_text(markdown(results), "utf-8")
    if options.out == RESULTS:
        PAGE.write_text(with_brief(PAGE.read_text("utf-8"), results), "utf-8")


def _results(path: Path) -> dict:
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def _write(results: dict, path: Path) -> None:
    path.write_text(json.dumps(results, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
