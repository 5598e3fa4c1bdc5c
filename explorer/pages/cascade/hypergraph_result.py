"""The hypergraph cascade as the views see it: what one policy does, stage by stage."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import groupby
from typing import Any

import numpy as np

from solvers.methods.hypergraph_cascade import (
    Journey,
    Policy,
    ScoreStop,
    StageRow,
)
from solvers.values.rounding import fixed, rounded

from ...widgets.text import cost_text, percent_text
from .result import (
    CascadeMethod,
    CascadeResult,
    PredictionRun,
    RowJourney,
    TableText,
    bound_text,
    price_text,
    sampled_text,
)
from .training import N_BINS, TrainedHypergraph

# Features of a stage that are named.
MOST_NAMES = 3

HYPERGRAPH = CascadeMethod(
    name="hypergraph",
    style="hypergraph_cascade",
    inputs=("hyper",),
    moved="policy",
    trained="hyper",
    runs="hyper_runs",
    first_stage=0,
    figures={
        "stages": "exits",
        "journey": "hypergraph_journey",
        "timing": "hypergraph_timing",
    },
    stages=TableText(
        "Stages of the hypergraph cascade",
        (
            "Stage",
            "Computes",
            "Cost so far",
            "Go on between scores",
            "Leave right",
            "Leave wrong",
            "Go on",
        ),
        (False, False, False, False, True, True, True),
        340,
    ),
    stops=TableText(
        "Stops of one row in the hypergraph cascade",
        (
            "Stage",
            "Score",
            "Goes on between",
            "Would say",
            "Then",
            "Paid so far",
            "Computes",
        ),
        (True, True, False, False, False, True, False),
        260,
    ),
    score_axes=("stage at which the row may leave", "score u"),
    charged="charged by the hypergraph",
    marks=(),
    before_training="Training the first hypergraph cascade.",
    before_runs=(
        "A prediction computes one stage's features after the other from the raw "
        "sample, and stops when its score leaves the interval. Run one to see what it "
        "takes here, beside what it is charged."
    ),
)


class PolicyResult(CascadeResult):
    """What one policy does with the test rows.

    Stages of several leaves stand one after the other.
    """

    def __init__(self, trained: TrainedHypergraph, number: int) -> None:
        self.trained, self.number = trained, number
        self.split = trained.split
        self.policy: Policy = trained.model.policies_[number]
        if trained.replay.is_binary:
            self.score_note = (
                f" Scores are log-odds of {trained.model.classes_[1]}, calibrated; the "
                "u of a stage is what they are before that."
            )
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
        self.added = np.concatenate(
            [
                np.diff(sheet.costs[leaf, :size], prepend=0.0)
                for leaf, size in enumerate(sizes)
            ]
        )
        place = self.first[sheet.leaf_of]
        is_right = right[np.arange(self.n_rows), exits]
        self.exits, self.is_right = place + exits, is_right
        self.wrong_rows = np.flatnonzero(~is_right)
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

    @classmethod
    def of(cls, trained: TrainedHypergraph, number: int) -> PolicyResult:
        """Return what a policy does; the same object each time."""
        if number not in trained.results:
            trained.results[number] = cls(trained, number)
        found: PolicyResult = trained.results[number]
        return found

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

    @cached_property
    def features(self) -> dict[int, list[int]]:
        """The features of the table that each of these stages buys."""
        found: dict[int, list[int]] = {}
        for _, stages in groupby(self.rows.items(), lambda stage: stage[1].leaf):
            places, rows = zip(*stages, strict=True)
            bought = self.bought(row.features for row in rows)
            found |= zip(places, bought, strict=True)
        return found

    @property
    def stage_names(self) -> list[str]:
        return [self.name(place) for place in range(self.n_stages)]

    def name(self, place: int) -> str:
        """Return what people call a stage.

        Its number from 0, the free answer; with its leaf where there are more.
        """
        leaf = int(np.searchsorted(self.first, place, side="right")) - 1
        stage = str(place - self.first[leaf])
        return stage if len(self.first) == 2 else f"{leaf + 1}.{stage}"

    # ------------------------------------------------------------------------ in words

    def summary(self) -> str:
        """Return what the budget buys."""
        unit, policies = self.dataset.unit, self.trained.model.policies_
        leaving = self.right + self.wrong
        stops = int(np.count_nonzero(leaving))
        costliest = float(np.max(self.costs[leaving > 0]))
        return (
            f"Policy {self.number + 1} of {len(policies)}, all from one training: "
            f"{cost_text(self.cost, unit)} a test row on average "
            f"({cost_text(self.policy.mean, unit)} on held-out training rows), at most "
            f"{cost_text(costliest, unit)}; {percent_text(self.accuracy)} of "
            f"{self.n_rows} test rows are right. Rows leave at {stops} of "
            f"{self.n_stages} stages.{self._first_buy()}{sampled_text(self.split)}"
        )

    def _first_buy(self) -> str:
        """Return what the least is for which anything is bought, where nothing is."""
        if self.cost > 0:
            return ""
        full = self.trained.full_cost
        buying = [one.mean for one in self.trained.model.policies_ if one.mean > 0]
        least = min(buying, default=full)
        return (
            f" The cheapest policy that buys anything costs "
            f"{cost_text(least, self.dataset.unit)} a row, "
            f"{fixed(100 * least / full, 0)} % of all features."
        )

    def lead(self) -> str:
        price = price_text(self.cost, self.trained.full_cost, self.dataset.unit)
        return f"{price}: {percent_text(self.accuracy)} right."

    def stage_table(self) -> list[list[Any]]:
        # Those that rows may reach.
        return [self._stage(place) for place in self.rows]

    def _stage(self, place: int) -> list[Any]:
        row = self.rows[place]
        named = self.names(self.features[place], MOST_NAMES)
        return [
            self.name(place),
            named or "what costs nothing",
            cost_text(row.cost, self.dataset.unit),
            _interval(row.low, row.high),
            int(self.right[place]),
            int(self.wrong[place]),
            int(self.on[place]),
        ]

    def timing_text(self, run: PredictionRun) -> str:
        return (
            f"Row {run.row}, {run.truth}: {run.journey.label} at stage "
            f"{run.journey.stage}. Charged {cost_text(run.charged, 'us')}, "
            f"measured {cost_text(run.measured, 'us')}, of which the decisions take "
            f"{cost_text(run.reference_measured, 'us')}; median of nine. "
            f"{self.dataset.costs_note}"
        )

    # ------------------------------------------------------------------------- one row

    def journey(self, row: int) -> Journey:
        values = self.split.X("test")[row].tolist()
        known = dict(zip(self.split.hypergraph.features, values, strict=True))
        return self.trained.at(self.number).predict_one(known.__getitem__)

    def drawn_journey(self, row: int, step: int) -> RowJourney:
        journey, trained = self.journey(row), self.trained
        shown = journey.stops[:step]
        features = self.bought(stop.features for stop in shown)
        scores = [stop.score for stop in journey.stops]
        low = min(float(trained.edges[0]), *scores)
        high = max(float(trained.edges[-1]), *scores)
        room = 0.05 * (high - low)
        low, high = low - room, high + room
        going_on = [stop for stop in shown if stop.low < stop.high]
        n_stages = trained.replay.sheets[self.policy.member].scores.shape[1]
        return RowJourney(
            stages=np.array([float(stop.stage) for stop in shown]),
            scores=np.array([stop.score for stop in shown]),
            bands={
                "stage": np.array([float(stop.stage) for stop in going_on]),
                "low": np.array([max(stop.low, low) for stop in going_on]),
                "high": np.array([min(stop.high, high) for stop in going_on]),
            },
            threshold=np.nan,
            last_stage=n_stages - 1,
            score_range=(low, high),
            table=[
                [*_cells(stop, trained.dataset.unit), self.values(row, computed)]
                for stop, computed in zip(shown, features, strict=True)
            ],
            sentence=_sentence(self, row, journey, shown[-1]),
        )

    def predictors(
        self, row: int
    ) -> tuple[Callable[[], Journey], Callable[[], Journey]]:
        # Beside what decides where all is known.
        data, model = self.dataset, self.trained.at(self.number)
        known = dict(zip(data.feature_names, data.X[row].tolist(), strict=True))
        return (
            lambda: model.predict_one(data.pipeline.open(data.samples[row])),
            lambda: model.predict_one(known.__getitem__),
        )


def _cells(stop: ScoreStop, unit: str) -> list[Any]:
    return [
        stop.stage,
        rounded(stop.score, 4),
        f"{bound_text(stop.low)} and {bound_text(stop.high)}"
        if stop.low < stop.high
        else "nothing: all leave",
        str(stop.label),
        "leaves" if stop.leaves else "goes on",
        cost_text(stop.cost, unit),
    ]


def _sentence(result: PolicyResult, row: int, journey: Journey, stop: ScoreStop) -> str:
    data, truth = result.dataset, result.split.y("test")[row]
    has_leaves = any(m.tree.n_leaves > 1 for m in result.trained.model.members_)
    leaf = f" (leaf {stop.leaf + 1})" if has_leaves else ""
    who = f"Test row {row}{leaf}, in truth {truth}"
    if not stop.leaves:
        return (
            f"{who}: at stage {stop.stage} its score {stop.score:.2f} lies inside "
            "of the interval, and it goes on."
        )
    verdict = "right" if stop.label == truth else "wrong"
    why = (
        "its score lies outside of the interval"
        if stop.low < stop.high
        else "here every row leaves"
    )
    n_bought = sum(map(len, result.bought(one.features for one in journey.stops)))
    return (
        f"{who}: leaves at stage {stop.stage} as {stop.label} ({verdict}; {why}), "
        f"for {cost_text(stop.cost, data.unit)} with {n_bought} of "
        f"{data.n_features} features."
    )


def _interval(low: float, high: float) -> str:
    if not low < high:
        return "none: all leave"
    if np.isinf(low) and np.isinf(high):
        return "any: nobody is asked"
    if np.isinf(low):
        return f"below {high:.2f}"
    return f"above {low:.2f}" if np.isinf(high) else f"{low:.2f} and {high:.2f}"
