"""One sample's way through the hypergraph cascade, computing features on the way."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import lazy_features
from ...lazy_features import Extractor, feature_reader
from .members import Member
from .policies import Policy
from .ways import Halt, Said, Way, go, lead, ways_of

__all__ = ["Journey", "Stop", "decider", "travel"]


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
    ways = ways_of(member, policy, names)
    started = time.perf_counter()
    leaf, values, read = _begun(member, ways, names, extractor)
    visits: list[tuple[Halt, Said, float]] = []

    def note(halt: Halt, said: Said) -> None:
        visits.append((halt, said, time.perf_counter() - started))

    go(ways[leaf], read, values, note)
    found, told = [], 1
    for number, (halt, (said, score), seconds) in enumerate(visits):
        route = ways[leaf].route if number == 0 else ()
        stop = Stop(
            halt.stage,
            tuple(names[feature] for feature in (*route, *halt.features)),
            values[told : halt.n_known].copy(),
            score,
            halt.low,
            halt.high,
            label(said, leaf, halt.stage),
            float(member.leaves[leaf].plan.costs[halt.stage]),
            seconds,
            number == len(visits) - 1,
        )
        told = halt.n_known
        found.append(stop)
    return Journey(tuple(found), leaf)


def decider(
    member: Member,
    policy: Policy,
    names: Sequence[str],
    label: Callable[[list[float], int, int], Any],
) -> Callable[[Extractor], Any]:
    """Return what predicts one sample after the other, with all look-ups made before.

    Parameters
    ----------
    member : Member
        The cascade.
    policy : Policy
        When rows leave.
    names : sequence of str
        Names of the features.
    label : callable
        From what the model of a leaf and a stage says to what that predicts.

    Returns
    -------
    callable
        From an extractor to a label.
    """
    ways = ways_of(member, policy, names)

    def decide(extractor: Extractor) -> Any:
        leaf, values, read = _begun(member, ways, names, extractor)
        halt, (said, _) = go(ways[leaf], read, values)
        return label(said, leaf, halt.stage)

    return decide


def _begun(
    member: Member,
    ways: Sequence[Way],
    names: Sequence[str],
    extractor: Extractor,
) -> tuple[int, NDArray[np.float64], Callable[[str], Any]]:
    """Return a sample's leaf, its table as it begins, and what reads the rest."""
    read = extractor if callable(extractor) else extractor.feature
    if not member.tree.splits:
        return 0, ways[0].first.copy(), read
    known: dict[int, float] = {}
    look = feature_reader(extractor, names)

    def value(feature: int) -> float:
        if feature not in known:
            known[feature] = look(feature)
        return known[feature]

    leaf = lead(member, value)
    values = ways[leaf].first.copy()
    for place, feature in enumerate(ways[leaf].route, 1):
        values[place] = known[feature]
    return leaf, values, read
