"""One sample's way through the hypergraph cascade, computing features on the way."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
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

__all__ = ["Guide", "Journey", "Stop"]

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


#: A halt on the way: when, the leaf, the halt, the table of what is known, what the
#: stage says, and the score.
_Visit: TypeAlias = tuple[float, int, Halt, _Numbers, _Numbers, float]


class Journey(lazy_features.Journey):
    """A finished way through the cascade.

    Attributes
    ----------
    stops : tuple of Stop
        One for each stage where the row might have left; made when they are looked at.
    leaf : int
        The leaf of the tree that it was led to; 0 without routing.
    label : object
        The prediction.
    cost : float
        What the row paid, in the hypergraph's unit.
    seconds : float
        Measured time, features and decisions.
    """

    def __init__(
        self, guide: Guide, started: float, visits: list[_Visit], label: Any
    ) -> None:
        now, leaf, halt = visits[-1][:3]
        # Past the frozen setter of the base class, which would take as long again.
        self.__dict__.update(
            leaf=leaf,
            label=label,
            stage=halt.stage,
            cost=guide.costs[leaf][halt.stage],
            seconds=now - started,
            _told=(guide, started, visits),
        )

    @cached_property
    def stops(self) -> tuple[Stop, ...]:
        guide, started, visits = self.__dict__["_told"]
        return tuple(guide.stops(started, visits))


class Guide:
    """What leads one sample after the other, with all look-ups made before.

    `label`: from what the model of a leaf and a stage says to what that predicts.
    """

    def __init__(
        self, member: Member, policy: Policy, names: Sequence[str], label: Label
    ) -> None:
        self.names, self.label = names, label
        self.costs = tuple(leaf.plan.costs.tolist() for leaf in member.leaves)
        self.ways = ways_of(member, policy, names)
        self.decide = decider(member, policy, names, label)

    def lead(self, extractor: Extractor) -> Journey:
        """Send one sample through the stages, computing what each needs and no more."""
        visits: list[_Visit] = []
        clock, add = time.perf_counter, visits.append
        started = clock()
        label = self.decide(extractor, lambda *said: add((clock(), *said)))
        return Journey(self, started, visits, label)

    def stops(self, started: float, visits: Sequence[_Visit]) -> Iterator[Stop]:
        """Yield what each halt saw and said."""
        told = 1
        for number, (now, leaf, halt, values, outputs, score) in enumerate(visits):
            route = self.ways[leaf].route if number == 0 else ()
            yield Stop(
                halt.stage,
                tuple(self.names[feature] for feature in (*route, *halt.features)),
                values[told : halt.n_known].copy(),
                min(max(score, -SURE), SURE),
                halt.low,
                halt.high,
                self.label(outputs, leaf, halt.stage),
                self.costs[leaf][halt.stage],
                now - started,
                number == len(visits) - 1,
            )
            told = halt.n_known
