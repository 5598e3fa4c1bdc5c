"""Whether trimmed extractors take the time that the measured hypergraph predicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checks import eager
from ..costs.selection import Selection
from .base import FeatureExtractor
from .timing import Measurement, checked_samples, summary, total_nanoseconds

__all__ = ["Verification", "verifying"]


@dataclass(frozen=True, eq=False)
class Verification:
    """Predicted beside measured times of some selections of features."""

    # (n_selections,) What the hypergraph of `measurement` charges for samples that have
    # been seen, as those are that are timed here, in microseconds per sample
    predicted: NDArray[np.float64]
    # (n_selections,) What the trimmed extractors took, in microseconds per sample
    measured: NDArray[np.float64]
    # (n_selections,) Interquartile range of `measured` over the repeats
    spread: NDArray[np.float64]
    # The costs of the components, measured in turn with the selections
    measurement: Measurement
    repeats: int  # How often each sample was timed

    @property
    def ratio(self) -> NDArray[np.float64]:
        """Measured over predicted time of each selection."""
        return self.measured / self.predicted


@eager
def verifying(
    extractor: FeatureExtractor,
    selections: Sequence[Selection],
    samples: Sequence[Any],
    repeats: int = 15,
) -> Iterator[Verification | None]:
    """Yield predicted and measured times after each repeat, steadier each time.

    Components and selections take turns, so that a machine that speeds up or slows
    down meanwhile does so for all. Those of a traced extractor are timed, as its
    components are, after all features have run: on a machine that does other things
    between two samples. Over and over, alone, cheap features take half of that, with
    all of their code in the caches. Steps of a pipeline are few lines: they stay in the
    caches in any case.

    `repeats`: how often each sample is timed, each time after a run that is not.
    """
    samples = checked_samples(samples, repeats)
    plans = [extractor.trim(selection).plan for selection in selections]
    measurements = extractor.measuring(samples, repeats)
    yield None
    passes: list[NDArray[np.float64]] = []
    for measurement in measurements:
        times = [total_nanoseconds(plan, samples, extractor.between) for plan in plans]
        passes.append(np.array(times).T / 1e3)
        measured, spread = summary(passes)
        costs = np.array([measurement.warm.cost(chosen) for chosen in selections])
        yield Verification(costs, measured, spread, measurement, measurement.repeats)
