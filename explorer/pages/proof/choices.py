"""What a person asks of the proof page: a table, a budget, and how to search."""

from __future__ import annotations

from typing import Any

import param

from solvers import Dataset

from ...compute.debounced import Debounced
from ...session.declared import Names, linked, open_panels
from .data import SOURCES
from .result import BudgetQuestion, FloorQuestion

# What floors are asked by.
ASKED = ("source", "dataset", "ridge", "tol", "seconds", "without")


class ProofChoices(Debounced):
    """What is to be proven, of which table, and how long one waits for it."""

    dataset: Any = param.ClassSelector(class_=Dataset, doc="The session's data set.")
    source = param.Selector(
        default="session",
        objects=list(SOURCES.values()),
        doc="What models are trained on.",
        metadata=linked("table"),
    )
    share = param.Number(
        default=0.35,
        bounds=(0, 1),
        label="Budget",
        doc="As a share of the cost of everything.",
        metadata=linked("share"),
    )
    ridge = param.Number(
        default=1e-2, bounds=(1e-4, 10), label="Ridge", metadata=linked("ridge")
    )
    without: Any = Names(
        default=[],
        item_type=str,
        label="Rule out",
        doc="Components that must not be bought.",
        metadata=linked("without"),
    )
    within = param.Number(
        default=0.01,
        bounds=(0, 0.2),
        label="Nearly as good",
        doc="How far above the best, as a share of what all features bring.",
        metadata=linked("within"),
    )
    tol = param.Number(
        default=0.01,
        bounds=(1e-4, 0.2),
        label="Tolerance",
        doc="Gap at which a budget is closed, as a share likewise.",
        metadata=linked("tol"),
    )
    seconds = param.Number(
        default=20.0,
        bounds=(1, 600),
        label="Seconds",
        doc="When the search for floors stops.",
        metadata=linked("seconds"),
    )
    unfolded: Any = open_panels("Components to rule out, how the search runs.")

    def question(self) -> FloorQuestion:
        """Return which floors are asked for."""
        dataset = self.dataset if self.source == "session" else None
        without = tuple(self.without)
        knobs = float(self.ridge), float(self.tol), float(self.seconds)
        return FloorQuestion(self.source, dataset, *knobs, without)

    def budget_question(self) -> BudgetQuestion:
        """Return what is asked of the budget."""
        return BudgetQuestion(self.question(), float(self.share), float(self.within))

    def rule_out(self, name: str) -> None:
        """Rule a component out, or allow it again."""
        others = [one for one in self.without if one != name]
        self.without = others if name in self.without else [*self.without, name]
