"""The selectivity page's state: the knobs that were turned and the answers to them."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

import param
from cachetools import LRUCache

from solvers import Dataset

from ...session.declared import linked, open_panels
from ...session.state import DEFAULT_DATASET, bundled
from .data import SOURCES
from .streams import SMALLEST, PreparedProblem, RidgeQuestion, ScoredFit

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
        return "an answer: explorer.pages.selectivity.queries.ANSWER.answer(state)"

    def question(self) -> RidgeQuestion:
        """Return what is asked, but for the selectivity."""
        dataset = self.dataset if self.source == "session" else None
        return RidgeQuestion(
            self.source, dataset, self.gamma, self.loss, self.is_priced
        )
