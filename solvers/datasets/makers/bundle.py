"""Makes the bundled signals anew, with costs measured on this machine.

python -m solvers.datasets.makers.bundle FOLDER
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from ...features.timing import Measurement
from .bundled import folder_command, write_bundled
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
    write_bundled(folder, measurement, X=X, is_intruder=y == "intruder")
    return measurement


main = partial(folder_command, write_bundle, "solvers.datasets.makers.bundle")

if __name__ == "__main__":
    raise SystemExit(main())
