"""What the cascade page computes of a hypergraph cascade, all budgets at once."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers import Dataset
from solvers.frontier.evaluation import Split
from solvers.methods.hypergraph_cascade import (
    HypergraphCascadeClassifier,
    Policy,
    Replay,
)
from solvers.papers.cascades import Series

from .result import early_row
from .training import read_rows

# Budget on which the page opens, as a share of the cost of all features.
OPENING_BUDGET = 0.3
# Bars of the scores of a stage.
N_BINS = 24


@dataclass(frozen=True)
class HypergraphRequest:
    """What is to be trained."""

    source: str  # A name of `SOURCES`
    dataset: Dataset | None  # The session's own, which "session" means
    order: Any  # As of the classifier
    model: Any
    routing: int  # As of the classifier
    objective: Any  # As of the classifier


@dataclass(frozen=True, eq=False)
class TrainedHypergraph:
    """A cascade for every budget, and what all its stages say of the test rows."""

    request: HypergraphRequest  # What was asked for
    split: Split  # The rows
    model: HypergraphCascadeClassifier  # Fitted
    replay: Replay  # Of the test rows
    seconds: float  # How long training took
    #: What each policy does that was looked at, by its number.
    results: dict[int, Any] = field(default_factory=dict, init=False)

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

    def policy_within(self, share: float) -> int:
        """Return which policy a budget buys: a look-up."""
        found = self.model.at_budget(share * self.full_cost).policy_
        return self.model.policies_.index(found)

    @cached_property
    def early_row(self) -> int:
        """A test row that buys something, and leaves early and right.

        At the budget on which the page opens: it stays while that moves.
        """
        policy = self.model.policies_[self.policy_within(OPENING_BUDGET)]
        exits, right = self.replay.exits(policy), self.replay.right(policy)
        return early_row(exits, right[np.arange(len(exits)), exits])

    def at_policy(self, policy: Policy) -> HypergraphCascadeClassifier:
        """Return the cascade at a policy."""
        return self.model.at_budget(policy.mean)

    def at(self, number: int) -> HypergraphCascadeClassifier:
        """Return the cascade at a policy, by its number."""
        return self.at_policy(self.model.policies_[number])


def train_hypergraph(request: HypergraphRequest) -> Iterator[float | TrainedHypergraph]:
    """Yield the share that is done, and the cascade at the end."""
    split = read_rows(request.source, request.dataset)
    model = HypergraphCascadeClassifier(
        split.hypergraph,
        order=request.order,
        model=request.model,
        routing=request.routing or None,  # "auto" then tries it by itself
        objective=request.objective,
    )
    started = time.perf_counter()
    for step in model.iter_fit(**split.training):
        yield step.done / (step.total + 1)
    seconds = time.perf_counter() - started
    replay = Replay(model, split.X("test"), split.y("test"))
    trained = TrainedHypergraph(request, split, model, replay, seconds)
    # Computed here, so that nothing waits for it on the page's thread.
    _ = trained.curve, trained.bins
    yield trained
