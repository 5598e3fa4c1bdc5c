"""The command that makes the bundled scenes anew."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from ....features.timing import Measurement
from ..bundled import folder_command, write_bundled
from .features import GROUPS, SHARED, scenes_pipeline
from .images import KINDS
from .table import BUNDLED_SAMPLES, BUNDLED_SEED, scene_table

__all__ = ["main", "write_bundle"]

_TIMED_IMAGES = 50


def write_bundle(
    folder: Path, n_samples: int = BUNDLED_SAMPLES, repeats: int = 15
) -> Measurement:
    """Paint the scenes, compute their features, measure costs, and write all of it.

    `folder`: where to write ``table.npz`` and ``costs.json``; made if it is not there.
    """
    X, y, images = scene_table(n_samples, BUNDLED_SEED, keep=_TIMED_IMAGES)
    measurement = scenes_pipeline().measure(images, repeats)
    kinds = np.array([KINDS.index(kind) for kind in y], dtype=np.uint8)
    # What takes a value out of a group costs next to nothing, and nothing here.
    write_bundled(folder, measurement, {*SHARED, *GROUPS}, X=X, kind=kinds)
    return measurement


main = partial(folder_command, write_bundle, "solvers.datasets.makers.scenes")

if __name__ == "__main__":
    raise SystemExit(main())
