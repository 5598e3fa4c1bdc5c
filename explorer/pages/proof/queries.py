"""What the proof page asks: floors, one budget, and what methods choose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...compute.query import Query, appended
from .questions import ASKED, BudgetAnswer, FloorRun, MethodPoint
from .streams import (
    answer_steps,
    floor_runs,
    method_points,
    methods_in_turn,
    more_answers,
    more_floors,
)

if TYPE_CHECKING:
    from .state import ProofState

# What is asked for, and the same with nothing ruled out.
WANTED, EVERYTHING = "wanted", "everything"
# Tables and ridges whose methods are kept.
KEPT = 8


def _floors(state: ProofState) -> dict[str, tuple[Any, int]]:
    question = state.question()
    asked = {WANTED: state.turn(question)}
    if question.without:
        asked[EVERYTHING] = state.turn(replace(question, without=()))
    return asked


def _proved(state: ProofState, part: str) -> Iterator[FloorRun]:
    """Return what is proven of floors; where more is asked, the search goes on."""
    question, turn = _floors(state)[part]
    known = state.chosen_well() if state.is_read else []
    shown = state.floors
    before = None
    if turn > 0:
        is_of_it = shown is not None and shown.question == question
        before = shown if is_of_it else state.runs.get((question, turn - 1))

    def found() -> Iterator[FloorRun]:
        if before is not None:
            yield from more_floors(before, known)
        else:
            yield from floor_runs(question, state.table(question), known, shown)

    return found()


def _show_floors(state: ProofState, found: Mapping[str, FloorRun]) -> None:
    for run in found.values():
        state.show_floors(run)


def _budget(state: ProofState) -> tuple[Any, int] | None:
    """Return what is asked of the budget, once its table is read."""
    return state.turn(state.budget_question()) if state.is_read else None


def _answered(state: ProofState) -> Iterator[BudgetAnswer]:
    """Return what answers the budget; where more is asked, it is gone on with."""
    question, turn = state.turn(state.budget_question())
    data, known = state.data, state.selections()
    if turn > 0 and state.is_answered:
        return more_answers(state.answer, known)
    return answer_steps(question, data, known)


def _show_answer(state: ProofState, found: Mapping[Any, BudgetAnswer]) -> None:
    for answer in found.values():
        state.show_answer(answer)


def _trained(points: tuple[MethodPoint, ...]) -> float:
    """Return how many methods of all have chosen."""
    order = [*methods_in_turn()]
    return order.index(points[-1].method) / len(order)


FLOORS = Query(
    "floors",
    asks=_floors,
    work=_proved,
    follows=ASKED,
    has_parts=True,
    shows=_show_floors,
    share=lambda run: run.progress,
    kept=lambda state: state.runs,
)
# Beside the floors, and of its own: a hand at the budget waits for no other.
ANSWER = Query(
    "answer",
    asks=_budget,
    work=_answered,
    follows=("rests", "within", "data", *ASKED),
    shows=_show_answer,
    share=lambda answer: answer.progress,
    kept=lambda state: state.answers,
)
# Asked once the budget is answered.
POINTS = Query(
    "points",
    asks=lambda state: state.data and (state.data, float(state.ridge)),
    work=lambda state: method_points(state.data, float(state.ridge), state.chosen()),
    joins=appended,
    share=_trained,
    keeps=KEPT,
    is_long=True,
)
