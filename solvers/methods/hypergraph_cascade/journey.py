"""One sample's way through the hypergraph cascade, computing features on the way."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ... import lazy_features
from ...lazy_features import Extractor, feature_reader
from .members import Member
from .policies import Policy

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
class Journey(lazy_features.Journey):
    """A finished way through the cascade.

    Parameters
    ----------
    stops : tuple of Stop
        One for each stage where the row might have left.
    leaf : int
        The leaf of the tree that it was led to; 0 without routing.
    """

    leaf: int


class _Sample:
    """What is known of one sample so far, in the order in which it was computed."""

    def __init__(self, names: Sequence[str], extractor: Extractor) -> None:
        self.values: dict[int, float] = {}
        self._read = feature_reader(extractor, names)

    def look(self, feature: int) -> float:
        """Return a feature, computed if it is not known yet."""
        value = self.values.get(feature)
        if value is None:
            value = self.values[feature] = self._read(feature)
        return value


class _Visit(NamedTuple):
    """What happened at a stage, written down quickly."""

    stage: int
    n_known: int
    score: float
    said: list[float]
    seconds: float


def travel(
    member: Member,
    policy: Policy,
    names: Sequence[str],
    extractor: Extractor,
    label: Callable[[list[float], int, int], Any],
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
        From what the model of a leaf and a stage says to what that predicts.

    Returns
    -------
    Journey
    """
    started = time.perf_counter()
    sample = _Sample(names, extractor)
    leaf = _leaf(member, sample)
    visits = _visits(member, policy, leaf, sample, started)
    values, low, high = sample.values, policy.low[leaf], policy.high[leaf]
    found, told = [], 0
    for visit in visits:
        news = list(values)[told : visit.n_known]
        told = visit.n_known
        stop = Stop(
            visit.stage,
            tuple(names[feature] for feature in news),
            np.array([values[feature] for feature in news]),
            visit.score,
            float(low[visit.stage]),
            float(high[visit.stage]),
            label(visit.said, leaf, visit.stage),
            float(member.leaves[leaf].plan.costs[visit.stage]),
            visit.seconds,
            visit is visits[-1],
        )
        found.append(stop)
    return Journey(tuple(found), leaf)


def _leaf(member: Member, sample: _Sample) -> int:
    at = 0 if member.tree.splits else -1
    while at >= 0:
        split = member.tree.splits[at]
        is_below = sample.look(split.feature) <= split.threshold
        at = split.below if is_below else split.above
    return -1 - at


def _visits(
    member: Member, policy: Policy, leaf: int, sample: _Sample, started: float
) -> list[_Visit]:
    """Ask stage after stage until one lets the row leave."""
    own, limits = member.leaves[leaf], policy.stops[leaf]
    bought, visits = _Bought(member, leaf, sample), list[_Visit]()
    for stage, low, high in limits:
        said, score = own.models[stage].answer(bought.up_to(stage))
        seconds = time.perf_counter() - started
        visits.append(_Visit(stage, len(sample.values), score, said, seconds))
        if not low < score < high:
            break
    return visits


class _Bought:
    """Columns of one sample, bought as stages need them."""

    def __init__(self, member: Member, leaf: int, sample: _Sample) -> None:
        self._columns, self._sample = member.columns, sample
        self._plan, self._parents = member.leaves[leaf].plan, member.parents[leaf]
        self._values = np.empty(len(self._parents))
        self._n_bought = 0

    def up_to(self, stage: int) -> NDArray[np.float64]:
        """Return the columns of a stage, computing those that are new."""
        begin, end = self._n_bought, int(self._plan.ends[stage])
        self._n_bought = end
        look = self._sample.look
        self._values[begin:end] = [look(j) for j in self._parents[begin:end]]
        if self._columns.knots is not None:
            row = np.zeros((1, self._columns.n_features))
            row[0, self._parents[begin:end]] = self._values[begin:end]
            news = self._plan.columns[begin:end]
            self._values[begin:end] = self._columns.table(row, news)[0]
        return self._values[:end]
