"""The hypergraph cascade on the cascade page: its knobs, and what a budget makes of it.

Policies are chosen on held-out training rows; all numbers are of test rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import param

from solvers.methods.hypergraph_cascade import Journey

from ...compute.debounced import Debounced
from .hypergraph_training import (
    HypergraphPicture,
    HypergraphRequest,
    HypergraphRun,
    TrainedHypergraph,
)

__all__ = ["BUYING", "MODELS", "OBJECTIVES", "ROUTINGS", "WAYS", "HypergraphChoices"]

WAYS = {"One threshold (TEFE)": "tefe", "Hypergraph cascade": "hypergraph"}
BUYING = {
    "single features and blocks": "both",
    "single features": "forward",
    "blocks that share work": "block",
}
MODELS = {
    "logistic": "logistic",
    "logistic, features expanded": "expanded",
    "small boosted trees": "boosted",
    "all of these, routed too (takes longer)": "auto",
}
ROUTINGS = {"none": 0, "one split": 1, "two splits": 2}
OBJECTIVES = {"accuracy": "accuracy", "F1": "f1"}
# Trained cascades that are kept, so that turning a knob back costs nothing.
KEPT = 8
KEPT_RUNS = 50


class HypergraphChoices(Debounced):
    """What a person asks of a hypergraph cascade, and what has been computed."""

    way = param.Selector(
        default="tefe", objects=list(WAYS.values()), doc="How rows leave."
    )
    budget = param.Number(
        default=0.3,
        bounds=(0, 1),
        doc="Mean cost of a row, over the cost of all features.",
    )
    buying = param.Selector(default="both", objects=list(BUYING.values()))
    model = param.Selector(default="logistic", objects=list(MODELS.values()))
    routing = param.Selector(default=0, objects=list(ROUTINGS.values()))
    objective = param.Selector(default="accuracy", objects=list(OBJECTIVES.values()))
    hyper: Any = param.ClassSelector(class_=TrainedHypergraph, allow_None=True)
    policy = param.Integer(default=0, doc="Which policy the budget buys.")
    hyper_runs = param.List(default=[], doc="Predictions that were run, newest last.")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._kept_hypers: dict[HypergraphRequest, TrainedHypergraph] = {}
        self.follow("policy")

    def hyper_request(self) -> HypergraphRequest | None:
        """Return what has to be trained; what was trained before is taken at once."""
        dataset = self.session_dataset if self.source == "session" else None
        wanted = HypergraphRequest(
            self.source, dataset, self.buying, self.model, self.routing, self.objective
        )
        if wanted not in self._kept_hypers:
            return wanted
        if self.hyper is not self._kept_hypers[wanted]:
            self.take_hyper(self._kept_hypers[wanted])
        return None

    def take_hyper(self, trained: TrainedHypergraph) -> None:
        """Take a trained cascade, and keep it for when it is asked for again."""
        self._kept_hypers[trained.request] = trained
        while len(self._kept_hypers) > KEPT:
            self._kept_hypers.pop(next(iter(self._kept_hypers)))
        shown = None if self.hyper is None else self.hyper.request
        is_other = shown is None or (shown.source, shown.dataset) != (
            trained.request.source,
            trained.request.dataset,
        )
        self.param.update(
            hyper=trained,
            policy=trained.policy_within(self.budget),
            hyper_runs=[] if is_other else self.hyper_runs,
        )

    @param.depends("budget", watch=True)
    def _look_up(self) -> None:
        if self.hyper is not None:
            self.policy = self.hyper.policy_within(self.budget)

    def take_hyper_runs(self, runs: Iterable[HypergraphRun]) -> None:
        """Take predictions that were run.

        `runs`: in order.
        """
        self.hyper_runs = [*self.hyper_runs, *runs][-KEPT_RUNS:]

    @property
    def hyper_picture(self) -> HypergraphPicture | None:
        """The cascade under the policy; None before the first one is trained."""
        return None if self.hyper is None else self.hyper.picture(self.policy)

    def hyper_journey(self) -> Journey | None:
        """Return the way of the chosen test row.

        None before the first cascade.
        """
        if self.hyper is None:
            return None
        rows = self.hyper.split.X("test")
        names = self.hyper.dataset.feature_names
        known = dict(zip(names, rows[self.row % len(rows)].tolist(), strict=True))
        return self.hyper.at(self.policy).predict_one(known.__getitem__)
