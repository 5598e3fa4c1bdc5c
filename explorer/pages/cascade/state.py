"""The cascade page's state: its knobs, and what a threshold makes of a cascade."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import param
from numpy.typing import NDArray

from solvers import Dataset
from solvers.cascades import (
    FIGURES,
    BudgetRow,
    CascadeRows,
    Figure,
    Linearity,
    Round,
    Series,
    compare_with_prefix,
    linearity,
    rounds_of,
)
from solvers.methods.tefe import Journey, TEFEClassifier

from .hypergraph_state import HypergraphChoices
from .running import PredictionRun
from .training import SOURCES, TrainedCascade, TrainingRequest

__all__ = ["CONFIDENCES", "ORDERS", "CascadePicture", "CascadeState", "Outcome"]

ORDERS = {
    "by own cost (as published)": "alone",
    "by added cost": "marginal",
    "by amortised cost": "amortised",
    "by Relief value per cost": "value",
}
CONFIDENCES = {
    "distance (as published)": "distance",
    "raw decision": "raw",
    "gap to the second": "gap",
    "calibrated gap": "calibrated",
}
# Trained cascades that are kept, so that turning a knob back costs nothing.
KEPT = 8
# Predictions that the timing picture shows.
KEPT_RUNS = 50


@dataclass(frozen=True, eq=False)
class Outcome:
    """What becomes of the test rows at one threshold."""

    threshold: float  # The confidence that is enough
    cost: float  # Mean cost of a test row, and share that is right
    accuracy: float
    # (n_stages,) Test rows that leave right, that leave wrong and that go on at each
    # stage
    right: NDArray[np.int_]
    wrong: NDArray[np.int_]
    on: NDArray[np.int_]


def _outcome(test: CascadeRows, threshold: float) -> Outcome:
    exits = test.exits(threshold)
    is_right = test.right[np.arange(test.n_rows), exits]
    leaving = np.bincount(exits, minlength=test.n_stages)
    right = np.bincount(exits[is_right], minlength=test.n_stages)
    return Outcome(
        threshold,
        float(test.stage_costs[exits].mean()),
        float(is_right.mean()),
        right,
        leaving - right,
        test.n_rows - np.cumsum(leaving),
    )


class CascadePicture:
    """A trained cascade under one confidence and one time cap."""

    def __init__(self, cascade: TrainedCascade, kind: str, cap: float) -> None:
        self.cascade, self.kind = cascade, kind
        self.time_cap = max(
            cap * cascade.full_cost, float(cascade.model.stage_costs_[0])
        )
        self.validation = cascade.rows("validation", kind).capped(self.time_cap)
        self.test = cascade.rows("test", kind).capped(self.time_cap)
        # Of the last share alone: all views ask for the same.
        self._threshold_at: tuple[float, float] | None = None
        self._outcome_at: tuple[float, Outcome] | None = None

    @cached_property
    def line(self) -> Linearity:
        """The paper's straight line, on test rows."""
        return linearity(self.test.curve)

    @cached_property
    def against_prefix(self) -> list[BudgetRow]:
        """The cascade beside the static prefix within several budgets."""
        return compare_with_prefix(self.validation, self.test)

    def threshold(self, share: float) -> float:
        """Return the threshold at a quantile of the confidences of validation rows.

        `share`: from 0, nothing is passed on, to 1, everything is.
        """
        if share in (0.0, 1.0):  # whatever validation rows have not shown
            return float("inf" if share else "-inf")
        if self._threshold_at is None or self._threshold_at[0] != share:
            found = self.validation.curve.threshold_at_share(share)
            self._threshold_at = share, found
        return self._threshold_at[1]

    def outcome(self, share: float) -> Outcome:
        """Return what becomes of the test rows at a quantile of the confidences."""
        if self._outcome_at is None or self._outcome_at[0] != share:
            found = _outcome(self.test, self.threshold(share))
            self._outcome_at = share, found
        return self._outcome_at[1]

    def model(self, threshold: float) -> TEFEClassifier:
        """Return the cascade that stops at a threshold."""
        return self.cascade.with_confidence(
            self.kind, threshold=threshold, time_cap=self.time_cap
        )


class CascadeState(HypergraphChoices):
    """What a person asks of a cascade, and what has been computed."""

    source = param.Selector(
        default="breast_cancer", objects=list(SOURCES), doc="What is learned from."
    )
    session_dataset: Any = param.ClassSelector(
        class_=Dataset, allow_None=True, doc="What the other pages learn from."
    )
    share = param.Number(
        default=0.5,
        bounds=(0, 1),
        label="Exit threshold",
        doc="As a quantile of confidence.",
    )
    C = param.Number(default=1.0, bounds=(1e-3, 1e3), label="Regularisation C")
    order = param.Selector(default="alone", objects=list(ORDERS.values()))
    confidence = param.Selector(default="distance", objects=list(CONFIDENCES.values()))
    cap = param.Number(default=1.0, bounds=(0, 1), label="Time cap", doc="A share.")
    row = param.Integer(default=0, bounds=(0, None), doc="Which test row travels.")
    step = param.Integer(
        default=100_000, bounds=(1, None), doc="Stops that are shown, at most."
    )
    cascade: Any = param.ClassSelector(class_=TrainedCascade, allow_None=True)
    rivals = param.Dict(default={}, doc="Series of each rival that has come.")
    images = param.Dict(default={}, doc="Pictures of rows, as data URIs.")
    figure: Any = param.ClassSelector(class_=Figure, allow_None=True)
    asked: Any = param.Selector(
        default="", objects=["", *FIGURES], doc="Figure of the paper that is asked for."
    )
    runs = param.List(default=[], doc="Predictions that were run, newest last.")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._kept: dict[TrainingRequest, TrainedCascade] = {}
        self._picture: CascadePicture | None = None
        self._picture_key: Any = None
        self._rivals_of: Any = None
        self.follow("share")

    # ------------------------------------------------------------ what must be computed

    def training_request(self) -> TrainingRequest | None:
        """Return what has to be trained; what was trained before is taken at once."""
        wanted = self._wanted(self.confidence == "calibrated")
        for known in (wanted, self._wanted(True)):
            if known in self._kept:
                if self.cascade is not self._kept[known]:
                    self.take_cascade(self._kept[known])
                return None
        return wanted

    def _wanted(self, is_calibrated: bool) -> TrainingRequest:
        dataset = self.session_dataset if self.source == "session" else None
        return TrainingRequest(
            self.source, dataset, float(self.C), self.order, is_calibrated
        )

    # ----------------------------------------------------------------- what has arrived

    def take_cascade(self, cascade: TrainedCascade) -> None:
        """Take a trained cascade, and keep it for when it is asked for again."""
        self._kept[cascade.request] = cascade
        while len(self._kept) > KEPT:
            self._kept.pop(next(iter(self._kept)))
        update: dict[str, Any] = {"cascade": cascade}
        if self.cascade is None or self.cascade.dataset is not cascade.dataset:
            update |= {"rivals": {}, "images": {}, "runs": [], "row": 0}
        self.row = min(self.row, len(cascade.split.rows["test"]) - 1)
        self.param.update(**update)

    def take_rivals(self, series: Iterable[Series]) -> None:
        """Take the rivals' lines as they grow."""
        self.rivals = {**self.rivals, **{one.method: one for one in series}}

    def wants_rivals(self) -> bool:
        """Return whether the rivals of this cascade have not all come yet."""
        return self._rivals_of != self._rivals_key()

    def end_rivals(self) -> None:
        """Remember that all rivals of this cascade have come."""
        self._rivals_of = self._rivals_key()

    def _rivals_key(self) -> Any:
        return id(self.cascade.dataset), self.cascade.request.C

    def take_images(self, images: Iterable[tuple[int, str]]) -> None:
        """Take pictures of rows."""
        self.images = {**self.images, **dict(images)}

    def take_runs(self, runs: Iterable[PredictionRun]) -> None:
        """Take predictions that were run.

        `runs`: in order.
        """
        self.runs = [*self.runs, *runs][-KEPT_RUNS:]

    # -------------------------------------------------------------------- what it shows

    @property
    def picture(self) -> CascadePicture | None:
        """The cascade under the confidence and the cap; the same while these are."""
        if self.cascade is None:
            return None
        kind = self.confidence
        if kind == "calibrated" and not self.cascade.request.is_calibrated:
            kind = self._picture.kind if self._picture else "distance"
        key = (id(self.cascade), kind, self.cap)
        if key != self._picture_key:
            self._picture = CascadePicture(self.cascade, kind, self.cap)
            self._picture_key = key
        return self._picture

    @property
    def has_images(self) -> bool:
        """Whether rows are images that can be shown."""
        return self.cascade is not None and self.cascade.dataset.name == "scenes"

    def outcome(self) -> Outcome | None:
        """Return what becomes of the test rows at the threshold.

        None before the first cascade.
        """
        picture = self.picture
        return None if picture is None else picture.outcome(self.share)

    def here(self) -> tuple[float, float] | None:
        """Return cost and accuracy of what is chosen, by the way that rows leave.

        None before the first cascade.
        """
        found = (
            self.hyper_picture
            if self.way == "hypergraph" and self.hyper_curve() is not None
            else self.outcome()
        )
        return None if found is None else (found.cost, found.accuracy)

    def hyper_curve(self) -> Series | None:
        """Return all policies of the hypergraph cascade, beside the same data's curve.

        None unless there is one of the data that are drawn.
        """
        if self.hyper is None or self.cascade is None:
            return None
        mine, other = self.hyper.request, self.cascade.request
        is_same = (mine.source, mine.dataset) == (other.source, other.dataset)
        return self.hyper.curve if is_same else None

    def rounds(self) -> list[Round]:
        """Return who leaves in which round, of the test rows.

        Empty before the first cascade.
        """
        picture = self.picture
        if picture is None:
            return []
        return rounds_of(picture.test, picture.threshold(self.share))

    def journey(self) -> Journey | None:
        """Return the way of the chosen test row.

        Its values are those that the SVMs see: centred, in units of spread.
        """
        picture = self.picture
        if picture is None:
            return None
        values = picture.cascade.scaled("test")[self.row]
        known = dict(zip(picture.cascade.dataset.feature_names, values, strict=True))
        return picture.model(picture.threshold(self.share)).predict_one(
            known.__getitem__
        )

    @property
    def test_rows(self) -> CascadeRows | None:
        """What the stages say of the test rows."""
        return None if self.picture is None else self.picture.test
