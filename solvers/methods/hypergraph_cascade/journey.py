"""One sample's way through the hypergraph cascade, computing features on the way."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ... import lazy_features
from ...lazy_features import Extractor
from .deciding import Label, decider
from .members import Member
from .policies import Policy
from .stages import SURE
from .ways import Halt, ways_of

__all__ = ["Journey", "Stop", "travel"]

_Numbers: TypeAlias = NDArray[np.float64]


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
    label: Label,
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
    visits: list[tuple[float, int, Halt, _Numbers, _Numbers, float]] = []
    decide = decider(member, policy, names, label)
    started = time.perf_counter()
    decide(extractor, lambda *said: visits.append((time.perf_counter(), *said)))
    ways = ways_of(member, policy, names)
    found, told = [], 1
    for number, (now, leaf, halt, values, outputs, score) in enumerate(visits):
        route = ways[leaf].route if number == 0 else ()
        stop = Stop(
            halt.stage,
            tuple(names[feature] for feature in (*route, *halt.features)),
            values[told : halt.n_known].copy(),
            min(max(score, -SURE), SURE),
            halt.low,
            halt.high,
            label(outputs, leaf, halt.stage),
            float(member.leaves[leaf].plan.costs[halt.stage]),
            now - started,
            number == len(visits) - 1,
        )
        told = halt.n_known
        found.append(stop)
    return Journey(tuple(found), leaf)
