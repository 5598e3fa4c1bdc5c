"""One sample's way through a cascade: features are computed until a stage is sure."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...decisions.lazy_features import Extractor, Journey, Stop
from ...numerics.arrays import Floats
from ...numerics.svm_stages import STEPS
from .deciding import Step, decided


@dataclass(frozen=True, eq=False, kw_only=True)
class MarginStop(Stop):
    """A stop, and how sure its SVMs were."""

    margins: Floats  # (n_outputs,) Decisions of its SVMs
    confidence: float  # How sure it is; minus infinity if it may not answer


#: When a stage had answered, and what a `Note` is told.
_Visit: TypeAlias = tuple[float, int, Floats, list[float], float, int]


class MarginJourney(Journey):
    """A finished way through the cascade, told when it is looked at.

    Its stops take longer to make than the decisions that they tell of.
    """

    def __init__(
        self,
        steps: Sequence[Step],
        classes: NDArray,
        costs: Floats,
        started: float,
        visits: Sequence[_Visit],
    ) -> None:
        # Past the frozen setter of the base class.
        self.__dict__["_told"] = (steps, classes, costs, started, visits)

    @cached_property
    def stops(self) -> tuple[MarginStop, ...]:
        steps, classes, costs, started, visits = self.__dict__["_told"]
        return tuple(
            MarginStop(
                stage=stage,
                features=steps[stage][1],
                values=values,
                margins=np.array(scores) / STEPS,
                confidence=confidence,
                label=classes[winner],
                cost=float(costs[stage]),
                seconds=now - started,
                leaves=stage == len(visits) - 1,
            )
            for now, stage, values, scores, confidence, winner in visits
        )


def run_sample(
    steps: Sequence[Step],
    threshold: float,
    extractor: Extractor,
    classes: NDArray,
    costs: Floats,
) -> MarginJourney:
    """Send one sample through the stages; the journey tells what each saw and said.

    ``costs``, (n_stages,), are cumulative; ``classes`` are the labels.
    """
    visits: list[_Visit] = []
    tell, clock = visits.append, time.perf_counter
    started = clock()
    decided(steps, threshold, extractor, lambda *said: tell((clock(), *said)))
    return MarginJourney(steps, classes, costs, started, visits)
