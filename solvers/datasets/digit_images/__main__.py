"""The command that makes the bundled features of the digits anew."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ...timing import Measurement
from ..bundled_costs import costs_json
from ..folder_command import folder_command
from . import digit_images, traced_images

__all__ = ["main", "write_bundle"]

MEASURED = 100


def write_bundle(
    folder: Path, n_samples: int | None = None, repeats: int = 31
) -> Measurement:
    """Extract the features of the digits, measure what they cost, and write both.

    `n_samples`: how many images; all by default.
    """
    images = digit_images()[0][:n_samples]
    traced = traced_images(images)
    measurement = traced.measure(images[:MEASURED], repeats)
    folder.mkdir(parents=True, exist_ok=True)
    X = traced.extract(images).astype(np.float32)
    np.savez_compressed(folder / "table.npz", X=X)
    (folder / "costs.json").write_text(costs_json(measurement), "utf-8")
    return measurement


def main(arguments: Sequence[str]) -> int:
    """Write the table and the costs into the folder that is named."""
    return folder_command(arguments, "solvers.datasets.digit_images", write_bundle)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
