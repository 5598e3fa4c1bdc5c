"""Bundled data made anew, with costs measured on this machine: files of sample_data/.

Run as ``python -m benchmarks.bundles NAME FOLDER``; NAME is one of `WRITERS`, and
FOLDER is where ``table.npz`` and ``costs.json`` go.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from solvers.costs.interchange import write_hif
from solvers.datasets.makers import digit_images, gait, motions, scenes, signals
from solvers.datasets.makers.scenes.features import GROUPS, SHARED

MEASURED = 100  # samples of the digits and of gait; they are measured in no time
TIMED_SCENES = 50
TIMED_MOTIONS = 40


def write_bundled(folder, measurement, priced=None, **table):
    """Write costs to thousandths of their unit, and a table if any.

    `priced`: the components whose costs are written; all by default.
    """
    hypergraph = measurement.hypergraph

    def named(values):
        pairs = zip(hypergraph.components, values.tolist(), strict=True)
        return {name: round(v, 3) for name, v in pairs if not priced or name in priced}

    facts = {
        "machine": measurement.machine,
        "n_samples": measurement.n_samples,
        "repeats": measurement.repeats,
        "unit": hypergraph.unit,
        "costs": named(hypergraph.component_costs),
        "spread": named(measurement.spread),
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "costs.json").write_text(json.dumps(facts, indent=1) + "\n", "utf-8")
    if table:
        arrays = {**table, "X": table["X"].astype(np.float32)}
        np.savez_compressed(folder / "table.npz", **arrays)


def write_signals(folder, n_samples=signals.BUNDLED_SAMPLES, repeats=31):
    """Simulate the table of the signals, measure their costs, and write both."""
    pipeline = signals.signals_pipeline()
    X, y, windows = signals.simulated_table(pipeline, n_samples, signals.BUNDLED_SEED)
    measurement = pipeline.measure(windows, repeats)
    write_bundled(folder, measurement, X=X, is_intruder=y == "intruder")
    return measurement


def write_digit_images(folder, n_samples=None, repeats=31):
    """Extract the features of the digits, measure what they cost, and write both."""
    images = digit_images.digit_images()[0][:n_samples]
    traced = digit_images.traced_images(images)
    measurement = traced.measure(images[:MEASURED], repeats)
    write_bundled(folder, measurement, X=traced.extract(images))
    return measurement


def write_gait(folder, n_samples=MEASURED, repeats=31):
    """Measure scikit-learn's features on some windows, and write the costs."""
    windows, _ = gait.simulated_walks(n_samples)
    measurement = gait.sklearn_features().measure(windows, repeats)
    write_bundled(folder, measurement)
    return measurement


def write_scenes(folder, n_samples=scenes.BUNDLED_SAMPLES, repeats=15):
    """Paint the scenes, compute their features, measure costs, and write all of it."""
    X, y, images = scenes.scene_table(n_samples, scenes.BUNDLED_SEED, keep=TIMED_SCENES)
    measurement = scenes.scenes_pipeline().measure(images, repeats)
    kinds = np.array([scenes.KINDS.index(kind) for kind in y], dtype=np.uint8)
    # What takes a value out of a group costs next to nothing, and nothing here.
    priced = {*SHARED, *GROUPS}
    write_bundled(folder, measurement, priced, X=X, kind=kinds)
    return measurement


def write_motions(folder, measured=TIMED_MOTIONS, repeats=31, every=1):
    """Extract the features of the motions, measure what they cost, and write both.

    Into ``hypergraph.json``, too. `every`: which windows are extracted.
    """
    windows, labels = motions.motion_windows()
    windows, labels = windows[::every], labels[::every]
    traced = motions.traced_motions(windows)
    measurement = traced.measure(windows[:: max(1, len(windows) // measured)], repeats)
    X, graph = traced.extract(windows), measurement.hypergraph
    data = motions.motions_table(X, labels, windows, traced, graph, "Measured here.")
    motion = np.searchsorted(motions.MOTIONS, labels).astype(np.uint8)
    write_bundled(folder, measurement, X=data.X, motion=motion)
    write_hif(data.hypergraph, folder / "hypergraph.json")
    return measurement


WRITERS = {
    "digit_images": write_digit_images,
    "gait": write_gait,
    "motions": write_motions,
    "scenes": write_scenes,
    "signals": write_signals,
}


def main(arguments=None):
    """Write what is asked for, and say what was priced."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=WRITERS)
    parser.add_argument("folder", type=Path, help="made if it is not there")
    asked = parser.parse_args(arguments)
    measurement = WRITERS[asked.name](asked.folder)
    print(f"{measurement.hypergraph!r}, measured on {measurement.n_samples} samples")


if __name__ == "__main__":
    main()
