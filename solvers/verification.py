"""Whether trimmed extractors take the time that the measured hypergraph predicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .pipeline import FeaturePipeline
from .selection import Selection
from .timing import Measurement, checked_samples, summary, total_nanoseconds

__all__ = ["Verification", "verifying"]


@dataclass(frozen=True, eq=False)
class Verification:
    """Predicted beside measured times of some selections of features.

    Parameters
    ----------
    predicted : ndarray of float, shape (n_selections,)
        What the hypergraph of `measurement` charges, in microseconds per sample.
    measured : ndarray of float, shape (n_selections,)
        What the trimmed extractors took, in microseconds per sample.
    spread : ndarray of float, shape (n_selections,)
        Interquartile range of `measured` over the repeats.
    measurement : Measurement
        The costs of the components, measured in turn with the selections.
    repeats : int
        How often each sample was timed.
    """

    predicted: NDArray[np.float64]
    measured: NDArray[np.float64]
    spread: NDArray[np.float64]
    measurement: Measurement
    repeats: int

    @property
    def ratio(self) -> NDArray[np.float64]:
        """Measured over predicted time of each selection."""
        return self.measured / self.predicted


def verifying(
    pipeline: FeaturePipeline,
    selections: Sequence[Selection],
    samples: Sequence[Any],
    repeats: int = 15,
) -> Iterator[Verification]:
    """Yield predicted and measured times after each repeat, steadier each time.

    Components and selections take turns, so that a machine that speeds up or slows
    down meanwhile does so for all.

    Parameters
    ----------
    pipeline : FeaturePipeline
        What computes the features.
    selections : sequence of bool masks, integer indices or names
        The selections, each of at least one feature.
    samples : sequence of mappings, or of bare values
        Real samples.
    repeats : int, default=15
        How often each sample is timed, each time after a run that is not.

    Yields
    ------
    Verification
        Of the repeats so far.

    Raises
    ------
    ThriftscopeError
        Before the first yield, if there are no samples or no repeats, or a feature is
        unknown.
    """
    samples = checked_samples(samples, repeats)
    plans = [pipeline.trim(selection).plan for selection in selections]
    measurements = pipeline.measuring(samples, repeats)

    def verifications() -> Iterator[Verification]:
        passes: list[NDArray[np.float64]] = []
        for measurement in measurements:
            times = [total_nanoseconds(plan, samples) for plan in plans]
            passes.append(np.array(times).T / 1e3)
            measured, spread = summary(passes)
            costs = [measurement.hypergraph.cost(chosen) for chosen in selections]
            yield Verification(
                np.array(costs), measured, spread, measurement, measurement.repeats
            )

    return verifications()
