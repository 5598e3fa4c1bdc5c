"""Where testing stops paying on heart, beside best F1 and beside no test at all.

Run as ``python -m benchmarks.mistakes``. On each of ten splits four methods are traced;
points are priced for a missed case that gets dearer and dearer, the one of least total
on validation rows is told on test rows.
"""

import json
from pathlib import Path

import numpy as np

from benchmarks.machine import code_version, machine
from solvers import Frontier, MistakeCosts, split_dataset, trace_frontier
from solvers.datasets import make_heart
from solvers.frontier import price_mistakes, where_testing_stops

RESULTS = Path(__file__).parent / "results" / "mistakes.json"
METHODS = ("forward_selection", "csdt", "csnb", "tefe")
MISSES, FALSE_ALARM, SEEDS = (50, 200, 1000, 5000, 20_000), 200, range(10)
COLUMNS = ("tests", "total", "total of best F1", "total without a test")


def rows_of(seed):
    """What a test row costs on one split, by what a missed case does."""
    heart, found = make_heart(), {}
    split = split_dataset(heart, seed)
    points = [
        point
        for method in METHODS
        for point in trace_frontier(method, heart, random_state=seed, split=split)
    ]
    usual = Frontier(points).best_within(np.inf)  # by F1, whatever it costs
    called = usual.model.decision_function(split.X("test")) >= usual.threshold
    for miss in MISSES:
        mistakes = MistakeCosts.binary(miss=miss, false_alarm=FALSE_ALARM)
        priced = [price_mistakes(point, split, mistakes) for point in points]
        stop = where_testing_stops(Frontier(priced, unit="CAD"), split, mistakes)
        known = mistakes.for_classes(heart.classes, "ill")
        wrong = known.cost(split.y("test"), heart.classes[called.astype(int)])
        paid = usual.cost["mean"] + wrong
        found[miss] = (stop.tests, stop.total, paid, stop.trivial.test)
    return found


def told(values):
    """Mean and standard error over splits, which share rows."""
    return (
        f"{np.mean(values):.1f} ± {np.std(values, ddof=1) / np.sqrt(len(values)):.1f}"
    )


def main():
    """Measure all splits, write them down and print a row for each price."""
    by_seed = [rows_of(seed) for seed in SEEDS]
    found = {miss: [rows[miss] for rows in by_seed] for miss in MISSES}
    for miss, rows in found.items():
        table = np.array(rows)
        saved = [told(table[:, rival] - table[:, 1]) for rival in (2, 3)]
        print(miss, table.mean(axis=0).round(1), *saved)
    environment = machine() | {"code": code_version()}
    record = {"environment": environment, "columns": COLUMNS, "rows": found}
    RESULTS.write_text(json.dumps(record, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
