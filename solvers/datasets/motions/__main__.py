"""The command that makes the bundled features of the motions anew."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ...interchange import write_hif
from ...timing import Measurement
from ..bundled_costs import costs_json
from ..folder_command import folder_command
from . import MOTIONS, motion_windows, motions_table, traced_motions

__all__ = ["main", "write_bundle"]


def write_bundle(
    folder: Path, measured: int = 40, repeats: int = 31, every: int = 1
) -> Measurement:
    """Extract the features of the motions, measure what they cost, and write both.

    `measured`: windows that are timed; `every`: which windows are extracted.
    """
    windows, labels = motion_windows()
    windows, labels = windows[::every], labels[::every]
    traced = traced_motions(windows)
    some = windows[:: max(1, len(windows) // measured)]
    measurement = traced.measure(some, repeats)
    X, graph = traced.extract(windows), measurement.hypergraph
    data = motions_table(X, labels, windows, traced, graph, "Measured here.")
    folder.mkdir(parents=True, exist_ok=True)
    motion = np.searchsorted(MOTIONS, labels).astype(np.uint8)
    table = data.X.astype(np.float32)
    np.savez_compressed(folder / "table.npz", X=table, motion=motion)
    write_hif(data.hypergraph, folder / "hypergraph.json")
    (folder / "costs.json").write_text(costs_json(measurement), "utf-8")
    return measurement


def main(arguments: Sequence[str]) -> int:
    """Write the table, the hypergraph and the costs into the folder that is named."""
    return folder_command(arguments, "solvers.datasets.motions", write_bundle)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
