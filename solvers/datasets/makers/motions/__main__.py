"""The command that makes the bundled features of the motions anew."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from ....costs.interchange import write_hif
from ....features.timing import Measurement
from ..bundled import folder_command, write_bundled
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
    motion = np.searchsorted(MOTIONS, labels).astype(np.uint8)
    write_bundled(folder, measurement, X=data.X, motion=motion)
    write_hif(data.hypergraph, folder / "hypergraph.json")
    return measurement


main = partial(folder_command, write_bundle, "solvers.datasets.makers.motions")

if __name__ == "__main__":
    raise SystemExit(main())
