"""One sample's way through a cascade: features are computed until a stage is sure."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...lazy_features import Extractor, Journey
from ...numerics.svm_stages import STEPS
from .deciding import Step, decided

__all__ = ["Stop", "run_sample"]


@dataclass(frozen=True, eq=False)
class Stop:
    """What one stage saw and said."""

    stage: int  # Its number, from 0
    features: tuple[str, ...]  # What it added
    values: NDArray[np.float64]  # (len(features),) Their values
    margins: NDArray[np.float64]  # (n_outputs,) Decisions of its machines
    confidence: float  # How sure it is; minus infinity if it may not answer
    label: Any  # What it would predict
    cost: float  # What the row has paid so far, in the hypergraph's unit
    seconds: float  # Time spent so far, features and decisions
    leaves: bool  # Whether the row leaves here


def run_sample(
    steps: Sequence[Step],
    threshold: float,
    extractor: Extractor,
    classes: NDArray,
    costs: NDArray[np.float64],
) -> Journey:
    """Send one sample through the stages, and tell what each saw and said.

    ``costs``, (n_stages,), are cumulative; ``classes`` are the labels.
    """
    visits: list[tuple[float, int, NDArray[np.float64], list[float], float, int]] = []
    tell, clock = visits.append, time.perf_counter
    started = clock()
    decided(steps, threshold, extractor, lambda *said: tell((clock(), *said)))
    margins = np.array([scores for _, _, _, scores, _, _ in visits]) / STEPS
    paid = costs[: len(visits)].tolist()
    stops = [
        Stop(
            stage,
            steps[stage][1],
            values,
            own,
            confidence,
            classes[winner],
            cost,
            now - started,
            stage == len(visits) - 1,
        )
        for (now, stage, values, _, confidence, winner), own, cost in zip(
            visits, margins, paid, strict=True
        )
    ]
    return Journey(tuple(stops))
