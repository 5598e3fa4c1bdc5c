"""What the selectivity page asks: an answer, the path to it, and how algorithms do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...compute.query import Query, appended
from .streams import (
    PATH_POINTS,
    PreparedProblem,
    ScoredFit,
    answers,
    gap_points,
    path_answers,
)

if TYPE_CHECKING:
    from .state import SelectivityState

ASKED = ("source", "dataset", "gamma", "loss", "is_priced", "share")
# Questions whose answer and path are kept, so that turning a knob back costs nothing.
KEPT = 8
# The published iteration is stopped after so many, and usually stops itself before.
EXPECTED_ITERATIONS = 80


def _answers(state: SelectivityState) -> Iterator[PreparedProblem | ScoredFit]:
    question = state.question()
    return answers(question, state.benches.get(question), state.share)


def _show(
    state: SelectivityState, found: Mapping[Any, PreparedProblem | ScoredFit]
) -> None:
    """Show an answer beside what it was computed with, which comes first."""
    (item,) = found.values()
    bench = item if isinstance(item, PreparedProblem) else item.bench
    state.benches[bench.question] = bench
    changes: dict[str, Any] = {}
    if bench is not state.bench:
        changes["bench"] = bench
    if isinstance(item, ScoredFit) and item is not state.answer:
        changes["answer"] = item
    state.param.update(**changes)


def _where(state: SelectivityState) -> tuple[Any, float] | None:
    answer = state.answer
    return None if answer is None else (answer.bench.question, answer.share)


ANSWER = Query(
    "answer",
    asks=lambda state: (state.question(), state.share),
    work=_answers,
    follows=ASKED,
    trails=("share",),
    shows=_show,
    keeps=KEPT,
)
PATH = Query(
    "path",
    asks=lambda state: state.bench and state.bench.question,
    work=lambda state: path_answers(state.bench),
    follows=("bench",),
    joins=appended,
    expects=PATH_POINTS,
    keeps=KEPT,
)
# Both algorithms from nothing, where the answer is.
GAPS = Query(
    "gaps",
    asks=_where,
    work=lambda state: gap_points(state.answer.bench, state.answer.share),
    follows=ASKED,
    joins=appended,
    expects=EXPECTED_ITERATIONS,
)
