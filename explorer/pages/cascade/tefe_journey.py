"""One row's way through the cascade of one threshold: margins, confidence, exit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from solvers.methods.tefe import Journey
from solvers.methods.tefe.journey import MarginStop

from ...widgets.text import cost_text
from .result import RowJourney, values_text

if TYPE_CHECKING:
    from .tefe_result import ThresholdResult

__all__ = ["drawn_journey"]


def drawn_journey(result: ThresholdResult, row: int, step: int) -> RowJourney:
    """Return the way of a test row as it is drawn."""
    journey = result.journey(row)
    shown = journey.stops[:step]
    scores = np.array([stop.confidence for stop in shown])
    marks = [stop.confidence for stop in journey.stops] + [result.threshold]
    finite = [mark for mark in marks if np.isfinite(mark)]
    own_row = int(result.split.rows["test"][row])
    return RowJourney(
        stages=np.array([stop.stage + 1.0 for stop in shown]),
        scores=np.where(np.isfinite(scores), scores, np.nan),
        bands={"stage": np.empty(0), "low": np.empty(0), "high": np.empty(0)},
        threshold=result.threshold,
        last_stage=len(result.costs),
        score_range=(min(0.0, *finite, 0.0), 1.15 * max(*finite, 0.0) or 1.0),
        table=[_cells(result, own_row, stop) for stop in shown],
        sentence=_sentence(result, row, journey, shown[-1]),
        image=own_row if result.dataset.name == "scenes" else None,
    )


def _cells(result: ThresholdResult, row: int, stop: MarginStop) -> list[Any]:
    data = result.dataset
    index = {name: j for j, name in enumerate(data.feature_names)}
    # As they are in the table, not as the stages see them.
    values = [float(data.X[row, index[name]]) for name in stop.features]
    may_answer = np.isfinite(stop.confidence)
    return [
        stop.stage + 1,
        float(f"{stop.confidence:.4g}") if may_answer else "may not answer",
        str(stop.label),
        "leaves" if stop.leaves else "goes on",
        cost_text(stop.cost, data.unit),
        _margins(stop, result.model.classes_),
        values_text(stop.features, values),
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
    return (
        f"{who}: leaves at stage {stop.stage + 1} of {len(result.costs)} as "
        f"{stop.label} ({verdict}; {why}), for {cost_text(stop.cost, data.unit)} "
        f"with {len(journey.features)} of {data.n_features} features."
    )


def _margins(stop: MarginStop, classes: Any) -> str:
    """Return the margin of two classes, or the two best of more."""
    if len(stop.margins) == 1:
        return f"{stop.margins[0]:.3f}"
    best = np.argsort(-stop.margins)[:2]
    return ", ".join(f"{classes[k]} {stop.margins[k]:.2f}" for k in best)
