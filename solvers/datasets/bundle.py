"""Makes the bundled signals anew, with costs measured on this machine.

python -m solvers.datasets.bundle FOLDER
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..timing import Measurement
from .bundled_costs import costs_json
from .folder_command import folder_command
from .signals import BUNDLED_SAMPLES, BUNDLED_SEED, signals_pipeline, simulated_table

__all__ = ["main", "write_bundle"]


def write_bundle(
    folder: Path, n_samples: int = BUNDLED_SAMPLES, repeats: int = 31
) -> Measurement:
    """Simulate the table of the signals, measure their costs, and write both.

    `folder`: where to write ``table.npz`` and ``costs.json``; made if it is not there.
    """
    pipeline = signals_pipeline()
    X, y, windows = simulated_table(pipeline, n_samples, BUNDLED_SEED)
    measurement = pipeline.measure(windows, repeats)
    folder.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        folder / "table.npz", X=X.astype(np.float32), is_intruder=y == "intruder"
    )
    (folder / "costs.json").write_text(costs_json(measurement), "utf-8")
    return measurement


def main(arguments: Sequence[str]) -> int:
    """Write the table and the costs into the folder that is named."""
    return folder_command(arguments, "solvers.datasets.bundle", write_bundle)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
