"""One row's way through the hypergraph cascade: scores, intervals, exit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from solvers.methods.hypergraph_cascade import RoutedJourney, ScoreStop

from ...widgets.text import cost_text
from .result import RowJourney, bound_text, values_text

if TYPE_CHECKING:
    from .hypergraph_result import PolicyResult

__all__ = ["drawn_journey"]


def drawn_journey(result: PolicyResult, row: int, step: int) -> RowJourney:
    """Return the way of a test row as it is drawn."""
    journey, trained = result.journey(row), result.trained
    shown = journey.stops[:step]
    scores = [stop.score for stop in journey.stops]
    low = min(float(trained.edges[0]), *scores)
    high = max(float(trained.edges[-1]), *scores)
    room = 0.05 * (high - low)
    low, high = low - room, high + room
    going_on = [stop for stop in shown if stop.low < stop.high]
    n_stages = trained.replay.sheets[result.policy.member].scores.shape[1]
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
        table=[_cells(stop, trained.dataset.unit) for stop in shown],
        sentence=_sentence(result, row, journey, shown[-1]),
    )


def _cells(stop: ScoreStop, unit: str) -> list[Any]:
    return [
        stop.stage,
        float(f"{stop.score:.4g}"),
        f"{bound_text(stop.low)} and {bound_text(stop.high)}"
        if stop.low < stop.high
        else "nothing: all leave",
        str(stop.label),
        "leaves" if stop.leaves else "goes on",
        cost_text(stop.cost, unit),
        values_text(stop.features, stop.values.tolist()),
    ]


def _sentence(
    result: PolicyResult, row: int, journey: RoutedJourney, stop: ScoreStop
) -> str:
    data, truth = result.dataset, result.split.y("test")[row]
    has_leaves = any(m.tree.n_leaves > 1 for m in result.trained.model.members_)
    leaf = f" (leaf {journey.leaf + 1})" if has_leaves else ""
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
    return (
        f"{who}: leaves at stage {stop.stage} as {stop.label} ({verdict}; {why}), "
        f"for {cost_text(stop.cost, data.unit)} with {len(journey.features)} of "
        f"{data.n_features} features."
    )
