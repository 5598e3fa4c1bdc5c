"""One prediction of the cascade page, from a raw sample: it really stops early."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from solvers.errors import DataError, shown
from solvers.frontier.evaluation import Split

from .result import CascadeResult, PredictionRun

_MICROSECONDS = {"us": 1.0, "µs": 1.0, "ms": 1e3, "s": 1e6}
_REPEATS = 9
UNTRAINED = (
    "No cascade has learned from these data yet; wait until it is trained, then run it."
)


def missing_for_a_run(trained: Any, source: str) -> str:
    """Return what is missing before a prediction can run; empty if nothing.

    `trained`: the last cascade that was trained; `source`: what is to be learned from.
    """
    if trained is None or trained.request.source != source:
        return UNTRAINED
    try:
        _sample_row(trained.split, 0)
    except DataError as error:
        return str(error)
    return ""


def run_prediction(
    result: CascadeResult, count: int
) -> Iterator[float | PredictionRun]:
    """Yield how far it is, then a prediction of a sample, computed lazily.

    `count`: which of the test samples, from 0; after the last comes the first again.
    """
    data = result.dataset
    row = _sample_row(result.split, count)
    predict, reference = result.predictors(row)
    pairs = []
    for repeat in range(_REPEATS + 1):  # the first warms up, and does not count
        yield repeat / (_REPEATS + 1)
        pairs.append((predict(), reference()))
    early, other = (
        sorted(journeys, key=lambda journey: journey.seconds)[_REPEATS // 2]
        for journeys in zip(*pairs[1:], strict=True)
    )
    scale = _microseconds(data.unit)
    yield PredictionRun(
        row,
        str(data.y[row]),
        early,
        early.cost * scale,
        1e6 * early.seconds,
        other.cost * scale,
        1e6 * other.seconds,
    )


def _sample_row(split: Split, count: int) -> int:
    """Return the row of a test sample whose features can be computed and timed."""
    data = split.dataset
    if data.pipeline is None or data.samples is None:
        raise DataError(f"{data.name} has no feature functions to run; choose scenes.")
    _microseconds(data.unit)
    with_samples = [r for r in split.rows["test"] if r < len(data.samples)]
    if not with_samples:
        raise DataError(f"{data.name} keeps no sample of a test row; choose scenes.")
    return int(with_samples[count % len(with_samples)])


def _microseconds(unit: str) -> float:
    """Return how many microseconds a unit of time has."""
    if unit not in _MICROSECONDS:
        raise DataError(
            f"Costs are in {shown(unit)}, not in a unit of time; measure them first."
        )
    return _MICROSECONDS[unit]
