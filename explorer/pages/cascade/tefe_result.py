"""The cascade of one threshold (TEFE) as the views see it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from solvers.methods.tefe import Journey, TEFEClassifier
from solvers.methods.tefe.classifier import MarginStop
from solvers.papers.cascades import (
    ExitRound,
    Linearity,
    PrefixComparison,
    ThresholdOutcome,
    compare_with_prefix,
    linearity,
    rounds_of,
)
from solvers.papers.cascades.decided import threshold_at, time_cap
from solvers.papers.verdicts import paired_verdict
from solvers.values.rounding import number, rounded

from ...widgets.text import cost_text, percent_text
from .result import (
    CascadeMethod,
    CascadeResult,
    PredictionRun,
    RowJourney,
    TableText,
    price_text,
    sampled_text,
)
from .training import TrainedCascade

TEFE = CascadeMethod(
    name="tefe",
    style="tefe",
    inputs=("cascade", "confidence", "cap"),
    moved="share",
    trained="cascade",
    runs="runs",
    first_stage=1,
    figures={"stages": "stages", "journey": "journey", "timing": "timing"},
    stages=TableText(
        "Stages of the cascade",
        (
            "Stage",
            "Adds",
            "Cost so far",
            "Leave right",
            "Leave wrong",
            "Go on",
            "Accuracy for every row",
        ),
        (True, False, True, True, True, True, True),
        300,
    ),
    stops=TableText(
        "Stops of one row",
        ("Stage", "Confidence", "Would say", "Then", "Paid so far", "Margin", "Adds"),
        (True, True, False, False, True, False, False),
        260,
    ),
    score_axes=("stage", "confidence"),
    charged="predicted: what the hypergraph charges",
    marks=("stops when sure", "goes to the end"),
    before_training="Training the first cascade.",
    before_runs=(
        "A prediction computes one group of features after the other from the raw "
        "sample, and stops when it is sure. Run one to see what it takes here."
    ),
)


class CascadePicture:
    """A trained cascade under one confidence and one time cap, at every threshold."""

    def __init__(self, cascade: TrainedCascade, kind: str, cap: float) -> None:
        self.cascade, self.kind = cascade, kind
        self.time_cap = time_cap(cascade.model.stage_costs_, cap)
        self.validation = cascade.rows("validation", kind).capped(self.time_cap)
        self.test = cascade.rows("test", kind).capped(self.time_cap)
        self._last: tuple[float, ThresholdResult] | None = None

    @cached_property
    def line(self) -> Linearity:
        """The paper's straight line, on test rows."""
        return linearity(self.test.curve)

    @cached_property
    def against_prefix(self) -> list[PrefixComparison]:
        """The cascade beside the static prefix within several budgets."""
        return compare_with_prefix(self.validation, self.test)

    def threshold(self, share: float) -> float:
        """Return the threshold at a quantile of the confidences of validation rows.

        `share`: from 0, nothing is passed on, to 1, everything is.
        """
        return self.at(share).threshold

    def at(self, share: float) -> ThresholdResult:
        """Return what the threshold at a quantile does; the same for the same share."""
        if self._last is None or self._last[0] != share:
            self._last = share, ThresholdResult(self, share)
        return self._last[1]

    def model(self, threshold: float) -> TEFEClassifier:
        """Return the cascade that stops at a threshold."""
        return self.cascade.with_confidence(
            self.kind, threshold=threshold, time_cap=self.time_cap
        )


class ThresholdResult(CascadeResult):
    """What one threshold does with the test rows."""

    def __init__(self, picture: CascadePicture, share: float) -> None:
        self.picture, self.share = picture, share
        self.threshold = threshold_at(picture.validation, share)
        self.split, test = picture.cascade.split, picture.test
        self.n_rows, self.costs = test.n_rows, test.stage_costs
        outcome = ThresholdOutcome(test, self.threshold)
        exits, is_right = outcome.exits, outcome.is_right
        self.exits, self.is_right = exits, is_right
        self.added = np.diff(self.costs, prepend=0.0)
        self.cost, self.accuracy = outcome.cost, outcome.accuracy
        self.right = np.bincount(exits[is_right], minlength=test.n_stages)
        self.wrong = outcome.leaving - self.right
        self.on = test.n_rows - np.cumsum(outcome.leaving)
        self.wrong_rows = np.flatnonzero(~is_right)

    @property
    def stage_names(self) -> list[str]:
        """What each stage adds, in a few words."""
        return self.picture.cascade.stage_names[: len(self.costs)]

    @cached_property
    def rounds(self) -> list[ExitRound]:
        """Who leaves in which round."""
        return rounds_of(self.picture.test, self.threshold)

    @cached_property
    def model(self) -> TEFEClassifier:
        """The cascade that stops at the threshold."""
        return self.picture.model(self.threshold)

    # ------------------------------------------------------------------------ in words

    def summary(self) -> str:
        """Return what the threshold does, and what its money does without one."""
        test, unit = self.picture.test, self.dataset.unit
        return (
            f"{self._rule()}: {cost_text(self.cost, unit)} a row on average, "
            f"{percent_text(self.accuracy)} of {test.n_rows} test rows right. "
            f"{self._alike()}{sampled_text(self.split)}"
        )

    def _rule(self) -> str:
        """Return when rows leave; the slider counts in quantiles."""
        if np.isfinite(self.threshold):
            sure = f"a confidence of {number(self.threshold)} (quantile {self.share:g})"
            return f"Rows leave at {sure}"
        last = "last" if self.threshold > 0 else "first"
        return f"Every row leaves at the {last} stage"

    def _alike(self) -> str:
        """Return how right the best prefix is that everybody gets for no more.

        It is chosen on validation rows; the difference is paired, row by row.
        """
        test = self.picture.test
        stage = self.picture.validation.best_prefix(self.cost)
        right = test.right[:, stage]
        gain = right.astype(float) - self.is_right
        alike = "the first stage" if stage == 0 else f"the first {stage + 1} stages"
        accuracy = percent_text(float(right.mean()))
        is_better = paired_verdict(gain).outcome == "holds"
        begins = "Better for no more money" if is_better else "For no more money"
        cost = cost_text(test.stage_costs[stage], self.dataset.unit)
        return f"{begins}: {alike}, alike for everybody, {accuracy} for {cost}."

    def lead(self) -> str:
        unit, full = self.dataset.unit, float(self.picture.cascade.full_cost)
        # Beyond the cap, too.
        every = self.picture.cascade.rows("test", self.picture.kind)
        best = float(every.prefix_accuracy[-1])
        mine, whole = percent_text(self.accuracy), percent_text(best)
        price = price_text(self.cost, full, unit)
        if mine == whole:
            return f"{price}, same accuracy as with all features: {mine}."
        return f"{price}: {mine} right, {whole} with all features."

    def stage_table(self) -> list[list[Any]]:
        accuracy = self.picture.test.prefix_accuracy
        return [
            [
                stage + TEFE.first_stage,
                name,
                rounded(self.costs[stage], 4),
                int(self.right[stage]),
                int(self.wrong[stage]),
                int(self.on[stage]),
                round(float(accuracy[stage]), 3),
            ]
            for stage, name in enumerate(self.stage_names)
        ]

    def timing_text(self, run: PredictionRun) -> str:
        return (
            f"Row {run.row}, {run.truth}: {run.journey.label} at stage "
            f"{run.journey.stage + TEFE.first_stage}. Predicted "
            f"{cost_text(run.charged, 'us')} "
            f"({100 * run.charged / run.reference_charged:.0f} % of the whole way), "
            f"measured {cost_text(run.measured, 'us')} "
            f"({100 * run.measured / run.reference_measured:.0f} % of the whole way, "
            f"{cost_text(run.reference_measured, 'us')}), decisions included; median "
            f"of nine. {self.dataset.costs_note}"
        )

    # ------------------------------------------------------------------------- one row

    def journey(self, row: int) -> Journey:
        values = self.picture.cascade.scaled("test")[row]
        known = dict(zip(self.split.hypergraph.features, values, strict=True))
        return self.model.predict_one(known.__getitem__)

    def drawn_journey(self, row: int, step: int) -> RowJourney:
        journey = self.journey(row)
        shown = journey.stops[:step]
        scores = np.array([stop.confidence for stop in shown])
        marks = [stop.confidence for stop in journey.stops] + [self.threshold]
        finite = [0.0, *(mark for mark in marks if np.isfinite(mark))]
        features = self.bought(stop.features for stop in shown)
        return RowJourney(
            stages=np.array([stop.stage + 1.0 for stop in shown]),
            scores=np.where(np.isfinite(scores), scores, np.nan),
            bands={"stage": np.empty(0), "low": np.empty(0), "high": np.empty(0)},
            threshold=self.threshold,
            last_stage=len(self.costs),
            score_range=(min(finite), 1.15 * max(finite) or 1.0),
            table=[
                [*_cells(self, stop), self.values(row, computed)]
                for stop, computed in zip(shown, features, strict=True)
            ],
            sentence=_sentence(self, row, journey, shown[-1]),
            image=(
                int(self.split.rows["test"][row])
                if self.dataset.name == "scenes"
                else None
            ),
        )

    def predictors(
        self, row: int
    ) -> tuple[Callable[[], Journey], Callable[[], Journey]]:
        whole = copy.copy(self.model).set_params(threshold=np.inf)
        return (lambda: self._open(self.model, row)), (lambda: self._open(whole, row))

    def _open(self, model: TEFEClassifier, row: int) -> Journey:
        """Send a sample through the stages, scaling each feature as it is read."""
        data, cascade = self.dataset, self.picture.cascade
        index = {name: j for j, name in enumerate(data.feature_names)}
        read = data.pipeline.open(data.samples[row]).feature

        def scaled(name: str) -> float:
            j = index[name]
            return float((read(name) - cascade.centre[j]) / cascade.width[j])

        return model.predict_one(scaled)


def _cells(result: ThresholdResult, stop: MarginStop) -> list[Any]:
    may_answer = np.isfinite(stop.confidence)
    return [
        stop.stage + 1,
        rounded(stop.confidence, 4) if may_answer else "may not answer",
        str(stop.label),
        "leaves" if stop.leaves else "goes on",
        cost_text(stop.cost, result.dataset.unit),
        _margins(stop, result.model.classes_),
    ]


def _sentence(
    result: ThresholdResult, row: int, journey: Journey, stop: MarginStop
) -> str:
    data, truth = result.dataset, result.split.y("test")[row]
    who = f"Test row {row}, in truth {truth}"
    if not stop.leaves:
        return f"{who}: after stage {stop.stage + 1} not sure enough, and goes on."
    verdict = "right" if stop.label == truth else "wrong"
    why = (
        "sure enough"
        if stop.confidence >= result.threshold
        else "the last stage answers in any case"
    )
    n_bought = sum(map(len, result.bought(one.features for one in journey.stops)))
    return (
        f"{who}: leaves at stage {stop.stage + 1} of {len(result.costs)} as "
        f"{stop.label} ({verdict}; {why}), for {cost_text(stop.cost, data.unit)} "
        f"with {n_bought} of {data.n_features} features."
    )


def _margins(stop: MarginStop, classes: Any) -> str:
    """Return the margin of two classes, or the two best of more."""
    if len(stop.margins) == 1:
        return f"{stop.margins[0]:z.3f}"
    best = np.argsort(-stop.margins)[:2]
    return ", ".join(f"{classes[k]} {stop.margins[k]:.2f}" for k in best)
