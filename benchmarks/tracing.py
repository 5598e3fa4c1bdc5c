"""What tracing finds in TSFEL, and whether trimmed extractors take what it predicts.

Run ``python -m benchmarks.tracing``, with the extra ``tsfel``, on tones in noise.
Plain and shared extraction of all features take turns; so do random selections and
the components that predict them. Both are timed after all features have run, as on a
machine that does other things between two windows; how much less a selection takes that
runs alone, over and over, is written too. Writes ``benchmarks/results/tracing.json``.
Medians hold on a quiet machine only: ``chrt -f 1`` keeps others from interrupting.
"""

import json
import time
import warnings
from pathlib import Path

import numpy as np

from benchmarks.machine import code_version, machine
from solvers import trace_extractor
from solvers.features.timing import total_nanoseconds
from solvers.features.tracing.adapters import tsfel_features
from solvers.features.verification import verifying

RESULTS = Path(__file__).parent / "results" / "tracing.json"
LENGTH = 512
SIZES = (2, 4, 8, 16, 32, 60)  # entries of TSFEL in a selection
DRAWS = 2
REPEATS = 15
TOLERANCE = 0.25
FRESH = 1000  # windows that were not traced, whose values are compared


def windows(n, seed=0):
    """Return tones of 1 to 20 Hz in noise of the same power, at 100 Hz."""
    rng = np.random.default_rng(seed)
    tones = np.sin(
        2 * np.pi * rng.uniform(1, 20, size=(n, 1)) * np.arange(LENGTH) / 100
    )
    return list(tones + rng.normal(size=(n, LENGTH)) / np.sqrt(2))


def selections(features):
    """Return random sets of columns, each of whole entries."""
    rng = np.random.default_rng(0)
    first = [f.name for f in features]
    chosen = [rng.permutation(first)[:n] for n in SIZES for _ in range(DRAWS)]
    return [set(names) for names in chosen]


def plain_and_shared(features, traced, samples):
    """Return microseconds a window of the original and the shared extraction."""
    shared = traced.trim(traced.features)
    times = {"plain": [], "shared": []}
    for sample in samples * 5:
        for name, run in (
            ("plain", lambda s: [f.compute(s) for f in features]),
            ("shared", shared),
        ):
            run(sample)
            started = time.perf_counter()
            run(sample)
            times[name].append(time.perf_counter() - started)
    return {name: float(1e6 * np.median(took)) for name, took in times.items()}


def alone(traced, chosen, samples):
    """Return what selections take over and over, over what they take after all."""
    whole, ratios = traced.trim(traced.features).plan, []
    for plan in (traced.trim(columns).plan for columns in chosen):
        turns = [
            (total_nanoseconds(plan, samples), total_nanoseconds(plan, samples, whole))
            for _ in range(REPEATS)
        ]
        again, after = np.median(turns, axis=0).sum(axis=1)
        ratios.append(round(float(again / after), 3))
    return ratios


def differing(features, traced, samples):
    """Return how many of many values are not those of the originals, bit for bit."""
    trimmed = traced.trim(traced.features)
    odd = 0
    for sample in samples:
        plain = [
            number
            for feature in features
            for number in np.atleast_1d(_values(feature.compute(sample)))
        ]
        odd += sum(
            np.float64(a).tobytes() != np.float64(b).tobytes()
            for a, b in zip(trimmed(sample), plain, strict=True)
        )
    return odd


def _values(value):
    return list(value.values()) if isinstance(value, dict) else value


def main():
    """Measure, print and write."""
    warnings.simplefilter("ignore")
    features, samples = tsfel_features(fs=100), windows(10)
    started = time.perf_counter()
    traced = trace_extractor(features, samples, inside=["tsfel"])
    took = time.perf_counter() - started
    names = {
        column: feature.name
        for feature in features
        for column in traced.features
        if column == feature.name or column.startswith(f"{feature.name}_")
    }
    chosen = [
        [column for column in traced.features if names[column] in wanted]
        for wanted in selections(features)
    ]
    *_, last = verifying(traced, chosen, samples[:8], repeats=REPEATS)
    found = {"environment": machine(), "code": code_version()}
    found |= {
        "features": len(features),
        "columns": len(traced.features),
        "samples": len(samples),
        "seconds to trace": round(took, 1),
        "shared": [
            {
                "component": one.component,
                "us": round(one.cost, 1),
                "features": len(one.features),
                "calls": one.calls,
            }
            for one in traced.shared
        ],
        "us a window": {
            name: round(value)
            for name, value in plain_and_shared(features, traced, samples[:8]).items()
        },
        "entries selected": [n for n in SIZES for _ in range(DRAWS)],
        "measured over predicted": last.ratio.round(3).tolist(),
        "alone over and over, over after all": alone(traced, chosen, samples[:8]),
        f"within {TOLERANCE:.0%}": float(np.mean(np.abs(last.ratio - 1) < TOLERANCE)),
        f"values that differ on {FRESH} fresh windows": differing(
            features, traced, windows(FRESH, seed=1)
        ),
    }
    print(json.dumps(found, indent=1))
    RESULTS.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
