"""What the cascade page computes of a hypergraph cascade, all budgets at once."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers import Dataset
from solvers.cascades import Series
from solvers.evaluation import Split
from solvers.methods.hypergraph_cascade import (
    HypergraphCascadeClassifier,
    Journey,
    Policy,
    Replay,
    StageRow,
)

from .running import microseconds, sample_row
from .training import read_rows

__all__ = [
    "HypergraphPicture",
    "HypergraphRequest",
    "HypergraphRun",
    "TrainedHypergraph",
    "run_hypergraph",
    "train_hypergraph",
]

# Bars of the scores of a stage.
N_BINS = 24
_REPEATS = 9


@dataclass(frozen=True)
class HypergraphRequest:
    """What is to be trained."""

    source: str  # A name of `SOURCES`
    dataset: Dataset | None  # The session's own, which "session" means
    order: Any  # As of the classifier
    model: Any
    routing: int  # As of the classifier
    objective: Any  # As of the classifier


class HypergraphPicture:
    """What becomes of the test rows under one policy, stage by stage.

    Stages of several leaves stand one after the other.
    """

    def __init__(self, trained: TrainedHypergraph, number: int) -> None:
        self.trained = trained
        self.policy: Policy = trained.model.policies_[number]
        sheet = trained.replay.sheets[self.policy.member]
        exits, right = (
            trained.replay.exits(self.policy),
            trained.replay.right(self.policy),
        )
        self.n_rows = len(exits)
        sizes = [len(low) for low in self.policy.low]
        #: Place of the first stage of each leaf among all stages.
        self.first = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
        self.low, self.high = (
            np.concatenate(bounds) for bounds in (self.policy.low, self.policy.high)
        )
        self.costs = np.concatenate(
            [sheet.costs[leaf, :size] for leaf, size in enumerate(sizes)]
        )
        place = self.first[sheet.leaf_of]
        is_right = right[np.arange(self.n_rows), exits]
        self.right = np.bincount((place + exits)[is_right], minlength=self.n_stages)
        self.wrong = np.bincount((place + exits)[~is_right], minlength=self.n_stages)
        reaches = np.arange(sheet.scores.shape[1]) <= exits[:, np.newaxis]
        row, stage = np.nonzero(reaches)
        at = place[row] + stage
        self.reached = np.bincount(at, minlength=self.n_stages)
        self.on = self.reached - self.right - self.wrong
        self.cost = float(sheet.costs[sheet.leaf_of, exits].mean())
        self.accuracy = float(is_right.mean())
        bins = trained.bins[self.policy.member][row, stage] + N_BINS * at
        told = right[row, stage]
        shape, length = (self.n_stages, N_BINS), N_BINS * self.n_stages
        #: Rows that reach each stage by score: those it would be right about, and not.
        self.right_scores = np.bincount(bins[told], minlength=length).reshape(shape)
        self.wrong_scores = np.bincount(bins[~told], minlength=length).reshape(shape)

    @property
    def n_stages(self) -> int:
        """How many stages all leaves have."""
        return int(self.first[-1])

    @cached_property
    def rows(self) -> dict[int, StageRow]:
        """The stages that rows may reach, by their place among all."""
        model = self.trained.at_policy(self.policy)
        return {
            int(self.first[row.leaf]) + row.stage: row for row in model.stage_table()
        }

    def name(self, place: int) -> str:
        """Return what people call a stage.

        Its number from 0, the free answer; with its leaf where there are more.
        """
        leaf = int(np.searchsorted(self.first, place, side="right")) - 1
        stage = str(place - self.first[leaf])
        return stage if len(self.first) == 2 else f"{leaf + 1}.{stage}"


@dataclass(frozen=True, eq=False)
class TrainedHypergraph:
    """A cascade for every budget, and what all its stages say of the test rows."""

    request: HypergraphRequest  # What was asked for
    split: Split  # The rows
    model: HypergraphCascadeClassifier  # Fitted
    replay: Replay  # Of the test rows
    seconds: float  # How long training took

    @property
    def dataset(self) -> Dataset:
        """What was learned from."""
        return self.split.dataset

    @property
    def full_cost(self) -> float:
        """What all features cost."""
        return float(self.dataset.hypergraph.total_cost)

    @cached_property
    def edges(self) -> NDArray[np.float64]:
        """Edges of the bars of scores; what lies outside counts at the ends."""
        scores = np.concatenate([s.scores.ravel() for s in self.replay.sheets])
        known = scores[np.isfinite(scores)]
        # Only the undecided reach late stages: what is far out would take their room.
        low, high = np.quantile(known, [0.1, 0.9])
        if not high > low:
            low, high = low - 1.0, low + 1.0
        # Two classes part at 0, and more begin there: an edge stands there.
        if low < 0.0 < high:
            width = max(-low, high)
            low, high = -width, width
        return np.linspace(low, high, N_BINS + 1)

    @cached_property
    def bins(self) -> tuple[NDArray[np.int_], ...]:
        """Bar of each row's score at each stage, one table a member."""
        return tuple(
            np.clip(np.searchsorted(self.edges, s.scores) - 1, 0, N_BINS - 1)
            for s in self.replay.sheets
        )

    @cached_property
    def curve(self) -> Series:
        """Accuracy against mean cost on test rows, of every policy."""
        found = [self.replay.outcome(policy) for policy in self.model.policies_]
        costs, scores = np.array(sorted(found)).T
        return Series(self.model.title, "hypergraph_cascade", costs, scores)

    @cached_property
    def _pictures(self) -> dict[int, HypergraphPicture]:
        return {}

    def picture(self, number: int) -> HypergraphPicture:
        """Return what a policy makes of the test rows; the same object each time."""
        if number not in self._pictures:
            self._pictures[number] = HypergraphPicture(self, number)
        return self._pictures[number]

    def policy_within(self, share: float) -> int:
        """Return which policy a budget buys: a look-up."""
        found = self.model.at_budget(share * self.full_cost).policy_
        return self.model.policies_.index(found)

    def at_policy(self, policy: Policy) -> HypergraphCascadeClassifier:
        """Return the cascade at a policy."""
        return self.model.at_budget(policy.mean)

    def at(self, number: int) -> HypergraphCascadeClassifier:
        """Return the cascade at a policy, by its number."""
        return self.at_policy(self.model.policies_[number])


def train_hypergraph(
    request: HypergraphRequest,
) -> Iterator[float | TrainedHypergraph]:
    """Yield the share that is done, and the cascade at the end."""
    split = read_rows(request.source, request.dataset)
    model = HypergraphCascadeClassifier(
        split.dataset.hypergraph,
        order=request.order,
        model=request.model,
        routing=request.routing or None,  # "auto" then tries it by itself
        objective=request.objective,
    )
    started = time.perf_counter()
    for step in model.iter_fit(split.X("train"), split.y("train")):
        yield step.done / (step.total + 1)
    seconds = time.perf_counter() - started
    replay = Replay(model, split.X("test"), split.y("test"))
    trained = TrainedHypergraph(request, split, model, replay, seconds)
    # Computed here, so that nothing waits for it on the page's thread.
    _ = trained.curve, trained.bins
    yield trained


@dataclass(frozen=True, eq=False)
class HypergraphRun:
    """One prediction that computed features only until it might leave."""

    row: int  # Row of the data set that the sample belongs to
    truth: str  # Its label
    journey: Journey  # The way of the run whose time is the median
    # What the hypergraph charges, what it took here, and what it took once all features
    # were known, in microseconds
    charged: float
    measured: float
    deciding: float


def run_hypergraph(
    trained: TrainedHypergraph, number: int, count: int
) -> Iterator[float | HypergraphRun]:
    """Yield how far it is, then a prediction of a sample, computed lazily.

    `count`: which of the test samples, from 0; after the last comes the first again.
    """
    data, model = trained.dataset, trained.at(number)
    row = sample_row(trained.split, count)
    known = dict(zip(data.feature_names, data.X[row].tolist(), strict=True))
    journeys, deciding = list[Journey](), list[float]()
    for repeat in range(_REPEATS + 1):  # the first warms up, and does not count
        yield repeat / (_REPEATS + 1)
        journeys.append(model.predict_one(data.pipeline.open(data.samples[row])))
        deciding.append(model.predict_one(known.__getitem__).seconds)
    middle = sorted(journeys[1:], key=lambda journey: journey.seconds)[_REPEATS // 2]
    scale = microseconds(data.unit)
    yield HypergraphRun(
        row,
        str(data.y[row]),
        middle,
        middle.cost * scale,
        1e6 * middle.seconds,
        1e6 * float(np.median(deciding[1:])),
    )
