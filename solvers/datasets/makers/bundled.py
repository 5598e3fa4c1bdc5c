"""Data that were made once and are bundled: a table, and measured costs as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...costs.hypergraph import FeatureHypergraph
from ...features.pipeline import FeaturePipeline
from ...features.timing import Measurement
from ...features.tracing import TracedExtractor
from ..resources import sample_data

__all__ = [
    "bundled_costs",
    "bundled_table",
    "folder_command",
    "in_single_precision",
    "priced_once",
    "write_bundled",
]


def bundled_table(dataset: str) -> dict[str, NDArray]:
    """Return the arrays of a bundled table by name, the rows as ``X``."""
    with np.load(sample_data(dataset, "table.npz"), allow_pickle=False) as table:
        return {**table, "X": table["X"].astype(np.float64)}


def in_single_precision(X: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return rows as a bundled table has them, so that both are the same rows."""
    return X.astype(np.float32).astype(np.float64)


def bundled_costs(dataset: str) -> Mapping[str, Any]:
    """Return the bundled costs of a data set: by component, with unit and machine."""
    facts: Mapping[str, Any] = json.loads(
        sample_data(dataset, "costs.json").read_text("utf-8")
    )
    return facts


def priced_once(
    dataset: str, extractor: FeaturePipeline | TracedExtractor
) -> tuple[FeatureHypergraph, str]:
    """Return what an extractor's features cost when it was bundled, and a note."""
    facts = bundled_costs(dataset)
    priced = extractor.hypergraph(facts["costs"], unit=facts["unit"])
    return priced, f"Measured once on a {facts['machine']}."


def write_bundled(
    folder: Path,
    measurement: Measurement,
    priced: Collection[str] | None = None,
    **table: NDArray,
) -> None:
    """Write what is bundled: costs to thousandths of their unit, and a table if any.

    `priced`: the components whose costs are written; all by default.
    """
    hypergraph = measurement.hypergraph

    def named(values: NDArray[np.float64]) -> dict[str, float]:
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
        arrays: Any = {**table, "X": table["X"].astype(np.float32)}
        np.savez_compressed(folder / "table.npz", **arrays)


def folder_command(
    write: Callable[[Path], Measurement],
    module: str,
    arguments: Sequence[str] | None = None,
) -> int:
    """Write bundled data anew into the folder that is named; say what was priced.

    `module`: as which it is run.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    if len(arguments) != 1:
        sys.stderr.write(f"usage: python -m {module} FOLDER\n")
        return 2
    measurement = write(Path(arguments[0]))
    sys.stdout.write(
        f"{measurement.hypergraph!r}, measured on {measurement.n_samples} samples\n"
    )
    return 0
