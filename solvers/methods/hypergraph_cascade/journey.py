"""One sample's way through the hypergraph cascade, computing features on the way."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...lazy_features import Extractor, feature_reader
from .members import Member, stops
from .policies import Policy
from .stages import confidences

__all__ = ["Journey", "Stop", "travel"]


@dataclass(frozen=True, eq=False)
class Stop:
    """What a stage saw and said, where a row may leave.

    Parameters
    ----------
    stage : int
        Its number, from 0.
    features : tuple of str
        What was computed since the last stop.
    values : ndarray of float, shape (len(features),)
        Their values.
    score : float
        u: what the stage tells rows apart by.
    low, high : float
        The row goes on if its score is strictly between them.
    label : object
        What the stage would predict.
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
    score: float
    low: float
    high: float
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
        One for each stage where the row might have left.
    leaf : int
        The leaf of the tree that it was led to; 0 without routing.
    """

    stops: tuple[Stop, ...]
    leaf: int

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


class _Sample:
    """What is known of one sample so far."""

    def __init__(self, names: Sequence[str], extractor: Extractor) -> None:
        self.row = np.zeros((1, len(names)))
        self.news: list[int] = []
        self._names = names
        self._read = feature_reader(extractor, names)
        self._known: set[int] = set()

    def look(self, features: Sequence[int]) -> None:
        """Compute the features that are not known yet."""
        for feature in features:
            if feature not in self._known:
                self._known.add(feature)
                self.row[0, feature] = self._read(feature)
                self.news.append(feature)

    def told(self) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """Return names and values since the last time."""
        features, self.news = self.news, []
        return tuple(self._names[j] for j in features), self.row[0, features]


def travel(
    member: Member,
    policy: Policy,
    names: Sequence[str],
    extractor: Extractor,
    label: Callable[[NDArray[np.float64]], Any],
) -> Journey:
    """Send one sample through the stages, computing what each needs and no more.

    Parameters
    ----------
    member : Member
        The cascade.
    policy : Policy
        When the row leaves.
    names : sequence of str
        Names of the features.
    extractor : callable, or object with a method ``feature``
        Where values come from; asked for each feature once, and for none in vain.
    label : callable
        From calibrated answers, shape (1, n_outputs), to what they predict.

    Returns
    -------
    Journey
    """
    started = time.perf_counter()
    sample = _Sample(names, extractor)
    leaf = _leaf(member, sample)
    found = _stops(member, policy, leaf, sample, label, started)
    return Journey(tuple(found), leaf)


def _leaf(member: Member, sample: _Sample) -> int:
    at = 0 if member.tree.splits else -1
    while at >= 0:
        split = member.tree.splits[at]
        sample.look([split.feature])
        is_below = sample.row[0, split.feature] <= split.threshold
        at = split.below if is_below else split.above
    return -1 - at


def _stops(
    member: Member,
    policy: Policy,
    leaf: int,
    sample: _Sample,
    label: Callable[[NDArray[np.float64]], Any],
    started: float,
) -> Iterator[Stop]:
    plan, low, high = member.leaves[leaf].plan, policy.low[leaf], policy.high[leaf]
    for stage in stops(low, high).tolist():
        sample.look(member.columns.parents[plan.bought(stage)].tolist())
        outputs = member.outputs(sample.row, leaf, stage)
        score = float(confidences(outputs)[0])
        leaves = not low[stage] < score < high[stage]
        yield Stop(
            stage,
            *sample.told(),
            score,
            float(low[stage]),
            float(high[stage]),
            label(member.calibrated(outputs, leaf, stage)),
            float(plan.costs[stage]),
            time.perf_counter() - started,
            leaves,
        )
        if leaves:
            return
