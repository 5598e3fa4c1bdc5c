"""One sample's way through a cascade: features are computed until a stage is sure."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...lazy_features import Extractor, Journey, Stop
from ...numerics.svm_stages import STEPS
from .deciding import Step, decided

__all__ = ["MarginStop", "run_sample"]


@dataclass(frozen=True, eq=False, kw_only=True)
class MarginStop(Stop):
    """A stop, and how sure its SVMs were."""

    margins: NDArray[np.float64]  # (n_outputs,) Decisions of its SVMs
    confidence: float  # How sure it is; minus infinity if it may not answer


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
        MarginStop(
            stage=stage,
            features=steps[stage][1],
            values=values,
            margins=own,
            confidence=confidence,
            label=classes[winner],
            cost=cost,
            seconds=now - started,
            leaves=stage == len(visits) - 1,
        )
        for (now, stage, values, _, confidence, winner), own, cost in zip(
            visits, margins, paid, strict=True
        )
    ]
    return Journey(tuple(stops))
