"""The selectivity page's state: knobs that were turned, and what is asked by them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any

import param
from cachetools import LRUCache

from solvers import Dataset

from ...compute.query import Query, appended
from ...session.declared import linked, open_panels
from ...session.state import DEFAULT_DATASET, bundled
from .streams import (
    PATH_POINTS,
    SMALLEST,
    SOURCES,
    PreparedProblem,
    RidgeQuestion,
    ScoredFit,
    answers,
    gap_points,
    path_answers,
)

LOSSES = {"Hinge": "hinge", "Logistic": "logistic", "Squared": "squared"}
# Questions whose bench is kept.
KEPT = 8


class SelectivityState(param.Parameterized):
    """What the selectivity page has been asked, and what has been computed for it."""

    dataset: Any = param.ClassSelector(class_=Dataset, doc="The session's data set.")
    source = param.Selector(
        default="session",
        objects=list(SOURCES.values()),
        doc="What is learned from.",
        metadata=linked("table"),
    )
    share = param.Number(
        default=0.1,
        bounds=(SMALLEST, 1.0),
        doc="Selectivity μ as a share of the largest, μ₀.",
        metadata=linked("share"),
    )
    gamma = param.Number(
        default=1.0, bounds=(1e-3, 1e3), label="Ridge γ", metadata=linked("gamma")
    )
    loss = param.Selector(
        default="hinge",
        objects=list(LOSSES.values()),
        doc="The loss of a row.",
        metadata=linked("loss"),
    )
    is_priced = param.Boolean(
        default=False,
        doc="Whether a feature that costs c has μᵢ = μ √c.",
        metadata=linked("priced"),
    )
    shown = param.Selector(
        default="coefficients",
        objects=["coefficients", "states"],
        doc="What the map is coloured by.",
        metadata=linked("map"),
    )
    unfolded: Any = open_panels("Algorithms and times of the paper, the path's table.")
    bench: Any = param.ClassSelector(
        class_=PreparedProblem, allow_None=True, doc="What is at hand for the question."
    )
    answer: Any = param.ClassSelector(
        class_=ScoredFit, allow_None=True, doc="The best answer so far."
    )
    path: Any = param.ClassSelector(
        class_=tuple, default=(), doc="Answers along the path."
    )
    gaps: Any = param.ClassSelector(
        class_=tuple, default=(), doc="Iterations of both algorithms."
    )
    rows: Any = param.ClassSelector(
        class_=tuple, default=(), doc="The counterexample's iterations."
    )
    timings: Any = param.ClassSelector(
        class_=tuple, default=(), doc="Seconds against features."
    )

    def __init__(self, **params: Any) -> None:
        params.setdefault("dataset", bundled(DEFAULT_DATASET))
        super().__init__(**params)
        # Problems that were prepared, with a warm solver each.
        self.benches: MutableMapping[RidgeQuestion, PreparedProblem] = LRUCache(KEPT)

    @property
    def waits(self) -> str:
        """What its views wait for, in words; empty once it is there."""
        if self.answer is not None:
            return ""
        return "an answer: explorer.pages.selectivity.state.ANSWER.answer(state)"

    def question(self) -> RidgeQuestion:
        """Return what is asked, but for the selectivity."""
        dataset = self.dataset if self.source == "session" else None
        return RidgeQuestion(
            self.source, dataset, self.gamma, self.loss, self.is_priced
        )


ASKED = ("source", "dataset", "gamma", "loss", "is_priced", "share")
# Questions whose answer and path are kept, so that turning a knob back costs nothing.
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
