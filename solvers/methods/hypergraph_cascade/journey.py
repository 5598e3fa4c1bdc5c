"""One sample's way through the hypergraph cascade, computing features on the way."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from ...decisions.lazy_features import Extractor, Journey, Stop
from ...numerics.arrays import Floats
from .compiled_policy import ExitPoint, compile_policy
from .deciding import Label, decider
from .members import Member
from .policies import Policy
from .stages import SURE

__all__ = ["RoutedJourney", "SampleRunner", "ScoreStop"]


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoreStop(Stop):
    """A stop, with the score of its stage and the interval in which rows go on."""

    score: float  #: u: what the stage tells rows apart by
    #: The row goes on if its score is strictly between them
    low: float
    high: float


#: An exit point on the way: when, the leaf, the point, the table of what is known, what
#: the stage says, and the score.
_Visit: TypeAlias = tuple[float, int, ExitPoint, Floats, Floats, float]


class RoutedJourney(Journey):
    """A finished way through the cascade.

    Attributes
    ----------
    stops : tuple of ScoreStop
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
        self, runner: SampleRunner, started: float, visits: list[_Visit], label: Any
    ) -> None:
        now, leaf, point = visits[-1][:3]
        # Past the frozen setter of the base class, which would take as long again.
        self.__dict__.update(
            leaf=leaf,
            label=label,
            stage=point.stage,
            cost=runner.costs[leaf][point.stage],
            seconds=now - started,
            _told=(runner, started, visits),
        )

    @cached_property
    def stops(self) -> tuple[ScoreStop, ...]:
        runner, started, visits = self.__dict__["_told"]
        return tuple(runner.stops(started, visits))


class SampleRunner:
    """What leads one sample after the other, with all look-ups made before.

    `label`: from what the model of a leaf and a stage says to what that predicts.
    """

    def __init__(
        self, member: Member, policy: Policy, names: Sequence[str], label: Label
    ) -> None:
        self.names, self.label = names, label
        self.costs = tuple(leaf.plan.costs.tolist() for leaf in member.leaves)
        self.compiled = compile_policy(member, policy, names)
        self.decide = decider(member.tree, self.compiled, names, label)

    def run_sample(self, extractor: Extractor) -> RoutedJourney:
        """Send one sample through the stages, computing what each needs and no more."""
        visits: list[_Visit] = []
        clock, add = time.perf_counter, visits.append
        started = clock()
        label = self.decide(extractor, lambda *said: add((clock(), *said)))
        return RoutedJourney(self, started, visits, label)

    def stops(self, started: float, visits: Sequence[_Visit]) -> Iterator[ScoreStop]:
        """Yield what each exit point saw and said."""
        told = 1
        for number, (now, leaf, point, values, outputs, score) in enumerate(visits):
            route = self.compiled[leaf].route if number == 0 else ()
            yield ScoreStop(
                stage=point.stage,
                features=tuple(self.names[f] for f in (*route, *point.features)),
                values=values[told : point.n_known].copy(),
                score=min(max(score, -SURE), SURE),
                low=point.low,
                high=point.high,
                label=self.label(outputs, leaf, point.stage),
                cost=self.costs[leaf][point.stage],
                seconds=now - started,
                leaves=number == len(visits) - 1,
            )
            told = point.n_known
