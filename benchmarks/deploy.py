"""What one decision takes, beside the features that it asks for.

``python -m benchmarks.deploy`` trains three methods on windows of traffic and lets the
same test rows be decided one after the other: by the exported C, the exported Python
file, the estimator's own ``decider()``, and, as a yardstick, a
scikit-learn pipeline on all features, a row at a time and all rows at once. Features
are given as numbers; what computing them costs stands beside, as measured when the data
set was made. Ways take turns; medians and quartiles of the rounds are written. Time is
that of the processor: others' work on the machine then counts little.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from solvers import all_methods, split_dataset
from solvers.datasets import make_signals
from solvers.deploy import measure_c, policy_from, to_c, to_python

from .machine import code_version, machine

RESULT = Path(__file__).parent / "results" / "deploy.json"
METHODS: dict[str, dict[str, Any]] = {
    "l1": {"alpha": 0.05},
    "tefe": {"threshold": 0.5},
    "hypergraph_cascade": {"model": "logistic"},
}
ROWS, ROUNDS, C_ROUNDS = 300, 7, 200
TIMED = """\
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "policy.h"
int main(int count, char **given)
{
    const long rows = atol(given[1]), rounds = atol(given[2]);
    policy_real *values = malloc(sizeof *values * (size_t)rows * POLICY_ROOM_FEATURES);
    unsigned calls[POLICY_ROOM_COMPONENTS] = {0};
    struct timespec before, after;
    long sum = 0, i, k;
    (void)count;
    for (i = 0; i < rows * POLICY_FEATURES; ++i) {
        double value;
        if (scanf("%lf", &value) != 1) return 1;
        values[i] = (policy_real)value;
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    for (k = 0; k < rounds; ++k) {
        for (i = 0; i < rows; ++i) {
            sum += policy_decide(values + i * POLICY_FEATURES, calls).label;
        }
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    printf("%.17g %ld\\n", ((double)(after.tv_sec - before.tv_sec) * 1e9
           + (double)(after.tv_nsec - before.tv_nsec)) / (double)(rows * rounds), sum);
    return 0;
}
"""


def main() -> None:
    """Measure, print and write the results."""
    data = make_signals()
    split = split_dataset(data)
    X, rows = split.X("train"), split.X("test")[:ROWS]
    found: dict[str, Any] = {
        "machine": machine(),
        "code": code_version(),
        "rows": len(rows),
        "rounds": ROUNDS,
        "all features, us": round(data.hypergraph.total_cost, 2),
        "methods": {},
    }
    yardstick = make_pipeline(StandardScaler(), LogisticRegression(max_iter=500))
    yardstick.fit(X, split.y("train"))
    for name, settings in METHODS.items():
        model = all_methods()[name](hypergraph=data.hypergraph, **settings)
        model.fit(X, split.y("train"))
        found["methods"][name] = _method(model, yardstick, rows)
    text = json.dumps(found, indent=2, ensure_ascii=False)
    RESULT.write_text(text + "\n", encoding="utf-8")
    print(text)


def _method(model: Any, yardstick: Any, rows: NDArray[np.float64]) -> dict[str, Any]:
    said, policy, texts = model.decide(rows), policy_from(model), to_c(model)
    names = model.hypergraph.features
    samples = [dict(zip(names, row, strict=True)) for row in rows.tolist()]
    space: dict[str, Any] = {"__name__": "policy"}
    exec(to_python(model), space)
    with tempfile.TemporaryDirectory() as folder:
        asked = rows[:, list(policy.places)]
        ways: dict[str, Callable[[], float]] = {
            "C, double, -O2": _c(Path(folder), texts, asked),
            "Python file": lambda: _each(space["decide"], samples),
            "scikit-learn, a row": lambda: _each(
                yardstick.predict, list(rows[:, None])
            ),
            "scikit-learn, all rows at once": lambda: (
                _each(lambda all_rows: yardstick.predict(all_rows), [rows]) / len(rows)
            ),
        }
        decide = model.decider()
        ways["decider()"] = lambda: _each(
            lambda sample: decide(sample.__getitem__), samples
        )
        times: dict[str, list[float]] = {way: [] for way in ways}
        for number in range(ROUNDS + 1):
            for way, run in ways.items():
                took = run()
                if number:  # the first one warms up
                    times[way].append(took)
    taken = measure_c(texts, asked)
    return {
        "features asked for, mean": round(float(said.acquired.sum(axis=1).mean()), 2),
        "their cost, us, mean": round(float(np.mean(said.cost)), 3),
        "ns a decision: quartiles": {
            way: [round(float(q), 1) for q in np.quantile(took, [0.25, 0.5, 0.75])]
            for way, took in times.items()
        },
        "instructions of a decision in C": taken.instructions,
        "flash, Cortex-M0+, bytes": taken.flash,
    }


def _each(decide: Callable[[Any], Any], samples: list[Any]) -> float:
    """Return nanoseconds a call."""
    started = time.process_time_ns()
    for sample in samples:
        decide(sample)
    return (time.process_time_ns() - started) / len(samples)


def _c(
    folder: Path, texts: dict[str, str], rows: NDArray[np.float64]
) -> Callable[[], float]:
    for file, text in (texts | {"timed.c": TIMED}).items():
        (folder / file).write_text(text, encoding="utf-8")
    # Of the example the callbacks are taken, which copy a number.
    build = ["gcc", "-O2", "-Dmain=example_main", "-c", "policy_example.c"]
    subprocess.run(build, cwd=folder, check=True)
    build = ["gcc", "-O2", "policy.c", "timed.c", "policy_example.o", "-lm"]
    subprocess.run(build, cwd=folder, check=True)
    told = "\n".join(" ".join(map(repr, row)) for row in rows.tolist())

    def run() -> float:
        program = [str(folder / "a.out"), str(len(rows)), str(C_ROUNDS)]
        ran = subprocess.run(
            program, input=told, capture_output=True, text=True, check=True
        )
        return float(ran.stdout.split()[0])

    return run


if __name__ == "__main__":
    main()
