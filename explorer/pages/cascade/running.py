"""One prediction of the cascade page, from a raw sample: it really stops early."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from solvers.errors import DataError
from solvers.evaluation import Split
from solvers.methods.tefe import Journey, TEFEClassifier

from .training import TrainedCascade

__all__ = ["PredictionRun", "microseconds", "run_prediction", "sample_row"]

_MICROSECONDS = {"us": 1.0, "µs": 1.0, "ms": 1e3, "s": 1e6}
_REPEATS = 9


@dataclass(frozen=True, eq=False)
class PredictionRun:
    """One prediction that really stopped early."""

    row: int  # Row of the data set that the sample belongs to
    truth: str  # Its label
    journey: Journey  # The way of the run whose time is the median
    # What the hypergraph charges and what it took here, in microseconds
    predicted: float
    measured: float
    full_predicted: float  # The same of the whole way, to the last stage
    full_measured: float


def run_prediction(
    cascade: TrainedCascade, model: TEFEClassifier, count: int
) -> Iterator[float | PredictionRun]:
    """Yield how far it is, then a prediction of a sample, computed lazily.

    `count`: which of the test samples, from 0; after the last comes the first again.
    """
    data = cascade.dataset
    row = sample_row(cascade.split, count)
    early, whole = copy.copy(model), copy.copy(model).set_params(threshold=np.inf)
    journeys: list[tuple[Journey, Journey]] = []
    for repeat in range(_REPEATS + 1):  # the first warms up, and does not count
        yield repeat / (_REPEATS + 1)
        both = []
        for cascading in (early, whole):
            sample = data.pipeline.open(data.samples[row])
            reader = _scaled_reader(cascade, sample.feature)
            both.append(cascading.predict_one(reader))
        journeys.append((both[0], both[1]))
    stopped, finished = (
        sorted(way, key=lambda journey: journey.seconds)[_REPEATS // 2]
        for way in zip(*journeys[1:], strict=True)
    )
    scale = microseconds(data.unit)
    yield PredictionRun(
        row,
        str(data.y[row]),
        stopped,
        stopped.cost * scale,
        1e6 * stopped.seconds,
        finished.cost * scale,
        1e6 * finished.seconds,
    )


def sample_row(split: Split, count: int) -> int:
    """Return the row of a test sample whose features can be computed and timed.

    `count`: which of the test samples, from 0; after the last comes the first again.
    """
    data = split.dataset
    if data.pipeline is None or data.samples is None:
        raise DataError(f"{data.name} has no feature functions to run; choose scenes.")
    microseconds(data.unit)
    with_samples = [r for r in split.rows["test"] if r < len(data.samples)]
    if not with_samples:
        raise DataError(f"{data.name} keeps no sample of a test row; choose scenes.")
    return int(with_samples[count % len(with_samples)])


def microseconds(unit: str) -> float:
    """Return how many microseconds a unit of time has."""
    if unit not in _MICROSECONDS:
        raise DataError(
            f"Costs are in {unit!r}, not in a unit of time; measure them first."
        )
    return _MICROSECONDS[unit]


def _scaled_reader(
    cascade: TrainedCascade, read: Callable[[str], float]
) -> Callable[[str], float]:
    index = {name: j for j, name in enumerate(cascade.dataset.feature_names)}

    def value(name: str) -> float:
        j = index[name]
        return (read(name) - cascade.centre[j]) / cascade.width[j]

    return value
