"""One sample's way through a cascade: features are computed until a stage is sure."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...errors import DataError

__all__ = ["Extractor", "Journey", "Stop", "feature_reader"]


class LazySample(Protocol):
    """A sample that computes a feature when it is asked for."""

    def feature(self, name: str) -> float:
        """Return a feature by its name.

        Parameters
        ----------
        name : str
            Name of the feature.

        Returns
        -------
        float
        """


Extractor: TypeAlias = "Callable[[str], float] | LazySample"


@dataclass(frozen=True, eq=False)
class Stop:
    """What one stage saw and said.

    Parameters
    ----------
    stage : int
        Its number, from 0.
    features : tuple of str
        What it added.
    values : ndarray of float, shape (len(features),)
        Their values.
    margins : ndarray of float, shape (n_outputs,)
        Decisions of its machines.
    confidence : float
        How sure it is; minus infinity if it may not answer.
    label : object
        What it would predict.
    cost : float
        What the row has paid so far, in the hypergraph's unit.
    seconds : float
        Time spent so far, features and decisions.
    leaves : bool
        Whether the row leaves here.
    """

    stage: int
    features: tuple[str, ...]
    values: NDArray[np.float64]
    margins: NDArray[np.float64]
    confidence: float
    label: Any
    cost: float
    seconds: float
    leaves: bool


@dataclass(frozen=True, eq=False)
class Journey:
    """A finished way through the cascade.

    Parameters
    ----------
    stops : tuple of Stop
        One for each stage that was reached.
    """

    stops: tuple[Stop, ...]

    @property
    def label(self) -> Any:
        """The prediction."""
        return self.stops[-1].label

    @property
    def stage(self) -> int:
        """The stage at which the row left, from 0."""
        return self.stops[-1].stage

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the features that were computed, in order."""
        return tuple(name for stop in self.stops for name in stop.features)

    @property
    def cost(self) -> float:
        """What the row paid, in the hypergraph's unit."""
        return self.stops[-1].cost

    @property
    def seconds(self) -> float:
        """Measured time, features and decisions."""
        return self.stops[-1].seconds


def feature_reader(
    extractor: Extractor, names: Sequence[str]
) -> Callable[[int], float]:
    """Return what reads a feature by its index, refusing what is not a number.

    Parameters
    ----------
    extractor : callable, or object with a method ``feature``
        Called with the name of a feature.
    names : sequence of str
        Names of the features.

    Returns
    -------
    callable
        From the index of a feature to its value.
    """
    read = extractor if callable(extractor) else extractor.feature

    def value(j: int) -> float:
        answer = read(names[j])
        try:
            number = float(answer)
        except (TypeError, ValueError) as error:
            raise DataError(
                f"The extractor gave {answer!r} for feature {names[j]!r}; let it give "
                "one finite number."
            ) from error
        if not np.isfinite(number):
            raise DataError(
                f"The extractor gave {number} for feature {names[j]!r}; let it give "
                "one finite number."
            )
        return number

    return value


def travel(
    groups: Sequence[NDArray[np.int_]],
    names: Sequence[str],
    extractor: Extractor,
    judge: Callable[[NDArray[np.float64], int], tuple[NDArray, float, Any]],
    costs: NDArray[np.float64],
    threshold: float,
) -> Iterator[Stop]:
    """Yield stop after stop, computing a group of features before each.

    Parameters
    ----------
    groups : sequence of ndarray of int
        What each stage adds; the last one answers in any case.
    names : sequence of str
        Names of the features.
    extractor : callable, or object with a method ``feature``
        Where values come from; asked for each feature once, and for none in vain.
    judge : callable
        From a row, zero where nothing is known yet, and a stage to margins, confidence
        and label.
    costs : ndarray of float, shape (n_stages,)
        Cumulative costs.
    threshold : float
        Confidence that is enough.

    Yields
    ------
    Stop
    """
    read = feature_reader(extractor, names)
    row = np.zeros(len(names))
    started = time.perf_counter()
    for stage, group in enumerate(groups):
        row[group] = [read(int(j)) for j in group]
        margins, confidence, label = judge(row, stage)
        leaves = confidence >= threshold or stage == len(groups) - 1
        yield Stop(
            stage,
            tuple(names[j] for j in group),
            row[group].copy(),
            margins,
            confidence,
            label,
            float(costs[stage]),
            time.perf_counter() - started,
            leaves,
        )
        if leaves:
            return
