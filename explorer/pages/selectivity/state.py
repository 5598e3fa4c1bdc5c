"""The selectivity page's state: the knobs that were turned and the answers to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, MutableMapping
from typing import Any

import param
from cachetools import LRUCache

from solvers import Dataset
from solvers.methods.selective_ridge.chronometry import ContenderTiming

from ...session.declared import linked, open_panels
from ...session.state import DEFAULT_DATASET, bundled
from .data import SOURCES
from .streams import (
    SMALLEST,
    GapPoint,
    PreparedProblem,
    RidgeQuestion,
    ScoredFit,
    answers,
    gap_points,
    path_answers,
)

LOSSES = {"Hinge": "hinge", "Logistic": "logistic", "Squared": "squared"}
# Questions whose bench and path are kept, so that turning a knob back costs nothing.
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
        self._benches: MutableMapping[RidgeQuestion, PreparedProblem] = LRUCache(KEPT)
        self._paths: MutableMapping[RidgeQuestion, tuple[ScoredFit, ...]] = LRUCache(
            KEPT
        )

    @property
    def waits(self) -> str:
        """What its views wait for, in words; empty once it is there."""
        if self.answer is not None:
            return ""
        return "an answer: state.collect_answers(state.answering()())"

    def question(self) -> RidgeQuestion:
        """Return what is asked, but for the selectivity."""
        dataset = self.dataset if self.source == "session" else None
        return RidgeQuestion(
            self.source, dataset, self.gamma, self.loss, self.is_priced
        )

    # ------------------------------------------------------------------------- answers

    def answering(self) -> Callable[[], Iterator[PreparedProblem | ScoredFit]]:
        """Return what answers the question as it is now."""
        question, share = self.question(), self.share
        bench = self._benches.get(question)
        return lambda: answers(question, bench, share)

    def collect_answers(self, items: Iterable[PreparedProblem | ScoredFit]) -> None:
        """Take in what `answering` has yielded.

        `items`: in order; the last answer is the one that is shown.
        """
        for item in items:
            bench = item if isinstance(item, PreparedProblem) else item.bench
            self._benches[bench.question] = bench
            changes: dict[str, Any] = {}
            if bench is not self.bench:
                changes["bench"] = bench
            if isinstance(item, ScoredFit):
                changes["answer"] = item
            self.param.update(**changes)

    # ---------------------------------------------------------------------- the path

    def path_request(self) -> Callable[[], Iterator[ScoredFit]] | None:
        """Return what computes the path of the bench; None where it is at hand."""
        bench = self.bench
        if bench.question in self._paths:
            self.path = self._paths[bench.question]
            return None
        return lambda: path_answers(bench)

    def path_collector(self) -> Callable[[Iterable[ScoredFit]], None]:
        """Return what takes in a new path; the old one stays until its first point."""
        found: list[ScoredFit] = []

        def collect(items: Iterable[ScoredFit]) -> None:
            found.extend(items)
            self.path = tuple(found)

        return collect

    def keep_path(self) -> None:
        """Remember the path, which has come to its end."""
        self._paths[self.path[0].bench.question] = self.path

    # ----------------------------------------------------------------- the iterations

    def gap_request(self) -> Callable[[], Iterator[GapPoint]]:
        """Return what runs both algorithms where the answer is."""
        bench, share = self.answer.bench, self.answer.share
        return lambda: gap_points(bench, share)

    def collector(self, name: str) -> Callable[[Iterable[Any]], None]:
        """Return what takes in a stream; what was there stays until its first item."""
        found: list[GapPoint | ContenderTiming] = []

        def collect(items: Iterable[Any]) -> None:
            found.extend(items)
            self.param.update(**{name: tuple(found)})

        return collect
