"""What the threshold or the budget does, in words: read aloud when it changes."""

from __future__ import annotations

import numpy as np
import param

from ...widgets.figure_view import TextView
from ...widgets.markup import summary_markup
from ...widgets.text import cost_text
from .result import CascadeResult
from .state import METHODS, ORDERS, CascadeState
from .tefe_result import ThresholdResult
from .training import TrainedCascade


class CascadeSummary(TextView):
    """The outcome in a few sentences, as a live region."""

    state = param.ClassSelector(class_=CascadeState)
    method = param.Selector(default="tefe", objects=list(METHODS))
    margin, min_height = (4, 10), 48

    def _watch(self) -> None:
        self.state.watch_moves(self.method, self._write)

    def _markup(self) -> str:
        result = self.state.result(self.method)
        if result is None:
            return summary_markup(METHODS[self.method].before_training)
        return answer_markup(result)


def answer_markup(result: CascadeResult) -> str:
    """Return the answer of the page, as it stands there."""
    return summary_markup(_summary(result), lead=result.lead())


def summary_text(state: CascadeState, method: str = "tefe") -> str:
    """Return what the threshold or the budget does."""
    result = state.result(method)
    return METHODS[method].before_training if result is None else _summary(result)


def _summary(result: CascadeResult) -> str:
    has_order = isinstance(result, ThresholdResult)
    return result.summary() + (order_text(result.picture.cascade) if has_order else "")


def order_text(cascade: TrainedCascade) -> str:
    """Return what an order has opened for less than the published one, at its most.

    Empty for the published one.
    """
    order, mine = cascade.request.order, cascade.model.stage_costs_
    if order == "alone":
        return ""
    title = next(title for title, name in ORDERS.items() if name == order)
    theirs, unit = cascade.costs_as_published, cascade.dataset.unit
    stage = int(np.argmax(np.abs(theirs - mine)))
    if np.isclose(theirs[stage], mine[stage]):
        return f" Ordered {title}, stages cost what they cost in the published order."
    count = "stage costs" if stage == 0 else f"{stage + 1} stages cost"
    return (
        f" Ordered {title}, the first {count} {cost_text(mine[stage], unit)}; by own "
        f"cost, as published, {cost_text(theirs[stage], unit)}."
    )
