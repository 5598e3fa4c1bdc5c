"""Makes the bundled scenes anew, with costs measured on this machine."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from ...timing import Measurement
from .features import GROUPS, SHARED, scenes_pipeline
from .images import KINDS
from .table import BUNDLED_SAMPLES, BUNDLED_SEED, scene_table

__all__ = ["write_bundle"]

_TIMED_IMAGES = 50


def write_bundle(
    folder: Path, n_samples: int = BUNDLED_SAMPLES, repeats: int = 15
) -> Measurement:
    """Paint the scenes, compute their features, measure costs, and write all of it.

    `folder`: where to write ``table.npz`` and ``costs.json``; made if it is not there.
    """
    X, y, images = scene_table(n_samples, BUNDLED_SEED, keep=_TIMED_IMAGES)
    measurement = scenes_pipeline().measure(images, repeats)
    folder.mkdir(parents=True, exist_ok=True)
    kinds = np.array([KINDS.index(kind) for kind in y], dtype=np.uint8)
    np.savez_compressed(folder / "table.npz", X=X.astype(np.float32), kind=kinds)
    (folder / "costs.json").write_text(_as_json(measurement), "utf-8")
    return measurement


def _as_json(measurement: Measurement) -> str:
    hypergraph = measurement.hypergraph
    priced = set(SHARED) | set(GROUPS)
    costs = zip(hypergraph.components, hypergraph.component_costs, strict=True)
    facts = {
        "machine": measurement.machine,
        "n_samples": measurement.n_samples,
        "repeats": measurement.repeats,
        "unit": hypergraph.unit,
        "costs": {name: round(float(c), 3) for name, c in costs if name in priced},
    }
    return json.dumps(facts, indent=1) + "\n"
