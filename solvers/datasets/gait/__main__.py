"""The command that measures the bundled costs of scikit-learn's features anew."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from ...timing import Measurement
from ..bundled_costs import costs_json
from ..folder_command import folder_command
from . import simulated_walks, sklearn_features

__all__ = ["main", "write_costs"]

MEASURED = 100


def write_costs(
    folder: Path, n_samples: int = MEASURED, repeats: int = 31
) -> Measurement:
    """Measure on some windows and write ``costs.json`` into a folder."""
    windows, _ = simulated_walks(n_samples)
    measurement = sklearn_features().measure(windows, repeats)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "costs.json").write_text(costs_json(measurement), "utf-8")
    return measurement


def main(arguments: Sequence[str]) -> int:
    """Write the costs into the folder that is named."""
    return folder_command(arguments, "solvers.datasets.gait", write_costs)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
