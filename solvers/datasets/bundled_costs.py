"""Costs that were measured once and are bundled, as a file of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from ..resources import sample_data
from ..timing import Measurement

__all__ = ["bundled_costs", "costs_json"]


def bundled_costs(dataset: str) -> Mapping[str, Any]:
    """Return the bundled costs of a data set: by component, with unit and machine."""
    facts: Mapping[str, Any] = json.loads(
        sample_data(dataset, "costs.json").read_text("utf-8")
    )
    return facts


def costs_json(measurement: Measurement) -> str:
    """Return measured costs as they are bundled, to thousandths of their unit."""
    hypergraph = measurement.hypergraph
    facts = {
        "machine": measurement.machine,
        "n_samples": measurement.n_samples,
        "repeats": measurement.repeats,
        "unit": hypergraph.unit,
        "costs": _named(hypergraph.components, hypergraph.component_costs),
        "spread": _named(hypergraph.components, measurement.spread),
    }
    return json.dumps(facts, indent=1) + "\n"


def _named(names: Sequence[str], values: NDArray[Any]) -> dict[str, float]:
    return {name: round(float(v), 3) for name, v in zip(names, values, strict=True)}
