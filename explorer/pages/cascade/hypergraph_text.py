"""The hypergraph cascade at its budget, in plain words."""

from __future__ import annotations

import numpy as np
import param

from ...export.plain_answer import PlainAnswer
from ...session.answer_view import StateAnswer
from ...widgets.text import cost_text, right_text
from .hypergraph_result import PolicyResult
from .result import bound_text
from .state import CascadeState

__all__ = ["HypergraphText", "policy_answer"]

# More features than these are not said one by one.
MOST_NAMES = 8


class HypergraphText(StateAnswer):
    """What each stage computes, when to stop, and what became of the test rows."""

    state = param.ClassSelector(class_=CascadeState)

    def _watch(self) -> None:
        self.state.watch_rests("hypergraph", self._write)

    def _answer(self) -> PlainAnswer | None:
        result = self.state.policy_result()
        return None if result is None else policy_answer(result)


def policy_answer(result: PolicyResult) -> PlainAnswer:
    """Return what the policy does that the budget buys, in words."""
    n_leaves = len(result.first) - 1
    sent = (
        ()
        if n_leaves == 1
        else (
            f"Before anything is paid each row is sent to one of {n_leaves} branches, "
            "which have stages of their own.",
        )
    )
    places = [place for place in result.rows if _is_told(result, place)]
    return PlainAnswer(
        (result.summary(), *sent),
        tuple(_stage(result, place) for place in places),
        (_beyond(result),),
        tuple(result.dataset.feature_names),
    )


def _is_told(result: PolicyResult, place: int) -> bool:
    """Return whether anything happens at a stage: it computes, or rows may leave."""
    row = result.rows[place]
    return bool(result.features[place]) or row.is_stop


def _stage(result: PolicyResult, place: int) -> str:
    row, unit = result.rows[place], result.dataset.unit
    named = result.names(result.features[place], MOST_NAMES)
    computes = (
        f"compute {named}: {cost_text(row.cost, unit)} so far"
        if named
        else "compute nothing yet"
    )
    return f"Stage {result.name(place)}: {computes}. {_leaving(result, place)}"


def _leaving(result: PolicyResult, place: int) -> str:
    row = result.rows[place]
    right, wrong = int(result.right[place]), int(result.wrong[place])
    became = right_text(right + wrong, right)
    if not row.is_stop or (
        np.isinf(row.low) and np.isinf(row.high) and row.low < row.high
    ):
        return "Go on in any case."
    if not row.low < row.high:
        return f"Say what the score u speaks for ({became})."
    return (
        f"Go on where the score u lies between {bound_text(row.low)} and "
        f"{bound_text(row.high)}; else stop, and say what it speaks for ({became})."
    )


def _beyond(result: PolicyResult) -> str:
    """Return what the budget does not buy, and what the next step up would bring."""
    trained, own = result.trained, result.policy
    costlier = [
        (policy.mean, number)
        for number, policy in enumerate(trained.model.policies_)
        if policy.mean > own.mean and policy.score > own.score
    ]
    if not costlier:
        return "No costlier policy is better on held-out training rows."
    _, number = min(costlier)
    following, unit = PolicyResult.of(trained, number), result.dataset.unit
    return (
        f"Not bought: for {cost_text(following.cost - result.cost, unit)} more a row "
        f"({cost_text(following.cost, unit)}), {100 * following.accuracy:.1f} % of "
        f"{following.n_rows} test rows are right instead of "
        f"{100 * result.accuracy:.1f} %."
    )
