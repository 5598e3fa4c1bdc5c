"""The command that measures the bundled costs of scikit-learn's features anew."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from ....features.timing import Measurement
from ..bundled import folder_command, write_bundled
from . import simulated_walks, sklearn_features

__all__ = ["main", "write_costs"]

MEASURED = 100


def write_costs(
    folder: Path, n_samples: int = MEASURED, repeats: int = 31
) -> Measurement:
    """Measure on some windows and write ``costs.json`` into a folder."""
    windows, _ = simulated_walks(n_samples)
    measurement = sklearn_features().measure(windows, repeats)
    write_bundled(folder, measurement)
    return measurement


main = partial(folder_command, write_costs, "solvers.datasets.makers.gait")

if __name__ == "__main__":
    raise SystemExit(main())
