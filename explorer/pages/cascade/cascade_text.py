"""The cascade at its threshold, in plain words."""

from __future__ import annotations

import param

from ...export.plain_answer import PlainAnswer, words_of
from ...session.answer_view import StateAnswer
from ...widgets.text import cost_text, right_text
from .state import CascadeState
from .tefe_result import ThresholdResult

__all__ = ["CascadeText", "cascade_answer"]


class CascadeText(StateAnswer):
    """What each stage computes, when to stop, and what became of the test rows."""

    state = param.ClassSelector(class_=CascadeState)

    def _watch(self) -> None:
        self.state.watch_rests("tefe", self._write)

    def _answer(self) -> PlainAnswer | None:
        result = self.state.threshold_result()
        return None if result is None else cascade_answer(result)


def cascade_answer(result: ThresholdResult) -> PlainAnswer:
    """Return what the cascade does at its threshold, in words."""
    cascade, data = result.picture.cascade, result.dataset
    opening = (result.summary(),)
    closing = (_beyond(result),)
    procedure = result.model.procedure()
    if procedure is None:
        names = tuple(data.feature_names)
        return PlainAnswer(opening, _stages(result), closing, names)
    return words_of(
        procedure.in_columns(cascade.centre, cascade.width),
        result.split.X("test"),
        result.split.y("test"),
        data,
        opening,
        closing,
        result.columns,
    )


def _stages(result: ThresholdResult) -> tuple[str, ...]:
    """Return a line a stage, where sums of many classes are no words."""
    features, unit = result.picture.cascade.stage_features, result.dataset.unit
    return tuple(
        f"Compute {', '.join(features[stage])}: "
        f"{cost_text(cost, unit)} so far. Stop where the best class is sure enough "
        f"({right_text(right + wrong, right)})."
        for stage, (cost, right, wrong) in enumerate(
            zip(result.costs, result.right, result.wrong, strict=True)
        )
    )


def _beyond(result: ThresholdResult) -> str:
    """Return what the threshold does not buy."""
    test, unit = result.picture.test, result.dataset.unit
    more, best = float(test.stage_costs[-1]) - result.cost, test.prefix_accuracy[-1]
    if more <= 0:
        return "Every row goes all the way: there is nothing left to buy."
    if best <= result.accuracy:
        return (
            f"Nothing better to buy: all stages for every row cost "
            f"{cost_text(more, unit)} more a row and are right on "
            f"{100 * best:.1f} % of {test.n_rows} test rows, no more than now."
        )
    return (
        f"Not bought: for {cost_text(more, unit)} more a row, all stages for every row "
        f"are right on {100 * best:.1f} % of {test.n_rows} test rows instead of "
        f"{100 * result.accuracy:.1f} %."
    )
