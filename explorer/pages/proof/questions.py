"""The proof page: its tables, what is asked of them, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import param
from numpy.typing import NDArray

from solvers import Dataset
from solvers.certify import (
    CertifiedBudget,
    CertifiedSearch,
    FloorStep,
    NearOptimal,
    NearOptimalSearch,
    floor_steps,
)
from solvers.costs.budgets import room_of
from solvers.errors import DataError
from solvers.frontier.proof import ProofRows

from ...compute.debounced import Debounced
from ...session.declared import Names, linked, open_panels
from ...session.state import bundled
from ...widgets.text import cost_text, counted

#: What the page can prove something of, by what it is called.
SOURCES = {
    "The open data set": "session",
    "Heart, thirteen medical tests": "heart",
    "Breast cancer, 30 features": "breast_cancer",
    "Signals, 54 features": "signals",
    "Generated sources, 100 features": "sources",
}
# More rows than this are not waited for; the page says how many it takes.
MAX_ROWS = 2000


class ProofData(ProofRows):
    """Training rows, and what they are in words."""

    @property
    def line(self) -> str:
        """What it is, in one line."""
        data, graph = self.dataset, self.hypergraph
        rows = f"{len(self.y)} training rows"
        if self.n_train > len(self.y):
            rows = f"the first {len(self.y)} of {self.n_train} training rows"
        if self.weight is not None:
            rows += ", each with its weight"
        return (
            f"Data: {data.name}, {counted(data.n_features, 'feature')}, "
            f"{counted(graph.n_components, 'component')}, "
            f"{cost_text(graph.total_cost, data.unit)} for all; {rows}. "
            f"{data.costs_note}"
        )


def open_data(source: str, dataset: Dataset | None) -> ProofData:
    """Return the training rows of a choice.

    `dataset`: the session's own, which "session" means.
    """
    data = dataset if source == "session" else bundled(source)
    if data is None:
        raise DataError("No data set is open; choose other data.")
    return ProofData.of(data, MAX_ROWS)


# Of the time for all budgets, what one budget by itself may take.
MOST_SECONDS = 20.0


@dataclass(frozen=True)
class FloorQuestion:
    """What floors are asked for."""

    source: str  # Which table
    dataset: Dataset | None  # The session's data set where that is the table
    ridge: float
    tol: float  # Gap at which a budget is closed
    seconds: float  # When to stop
    without: tuple[str, ...] = ()  # Components that must not be bought


@dataclass(frozen=True)
class BudgetQuestion:
    """What is asked of one budget."""

    floors: FloorQuestion
    share: float  # The budget as a share of the cost of everything
    within: float  # How far above the best is nearly as good

    @property
    def seconds(self) -> float:
        """When the proof of one budget stops, and when the list of its selections."""
        return min(self.floors.seconds, MOST_SECONDS)


@dataclass(frozen=True, eq=False)
class FloorRun:
    """Floors at some budgets as they stand, and what they say of all others."""

    question: FloorQuestion
    data: ProofData
    certified: Mapping[float, CertifiedBudget]  # By budget
    n_budgets: int  # That are asked for at first
    is_final: bool = False  # Whether the search has come to its end
    spent: float = 0.0  # Of the time that it may take
    search: CertifiedSearch | None = None  # What can go on, where it is kept
    # Cost and objective of selections that others found
    known: tuple[tuple[float, float], ...] = ()
    # What was proven of budgets that were asked for by themselves
    beside: tuple[tuple[float, float], ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether every budget that was asked for at first has a floor."""
        return len(self.certified) >= self.n_budgets

    @property
    def progress(self) -> float:
        """How far it is: reports at first, then budgets that are closed, or time."""
        if not self.is_whole:
            return 0.5 * len(self.certified) / self.n_budgets
        return 0.5 + 0.5 * max(self.closed_share, self.spent)

    @cached_property
    def steps(self) -> tuple[FloorStep, ...]:
        """The staircase over all budgets."""
        return floor_steps(
            self.certified.values(),
            self.data.hypergraph,
            tol=self.question.tol,
            known=self.known,
            floors=self.beside,
        )

    @property
    def full_gain(self) -> float:
        """How far everything allowed lowers the objective; gaps are shares of it."""
        return self.certified[max(self.certified)].full_gain

    @property
    def ends(self) -> tuple[float, float]:
        """The objective with everything allowed bought, and with nothing."""
        bottom = self.certified[max(self.certified)].upper
        return bottom, bottom + self.full_gain

    @property
    def closed_share(self) -> float:
        """The share of budgets, up to the largest, at which the gap is closed."""
        closed = sum(one.end - one.start for one in self.steps if one.closed)
        return closed / (self.steps[-1].end - self.steps[0].start)

    @property
    def widest_gap(self) -> float:
        """The widest gap of any step, as a share of what all features bring."""
        return max(one.upper - one.lower for one in self.steps) / self.full_gain

    @property
    def has_gap(self) -> bool:
        """Whether some step is still open."""
        return any(not step.closed for step in self.steps)

    def at(self, budget: float) -> FloorStep:
        """Return what is known of a budget: of its step, and where it was asked for.

        A floor holds up to its budget, of which the next step is the first to begin.
        """
        # Everything can be bought: no step, for it has no width.
        whole = self.certified[max(self.certified)]
        everything = FloorStep(
            whole.budget, whole.budget, whole.lower, whole.upper, whole.proven
        )
        is_below = (step for step in self.steps if room_of(budget) < step.end)
        step = next(is_below, everything)
        proven = [*((o.budget, o.lower) for o in self.certified.values()), *self.beside]
        held = (low for at, low in proven if room_of(at) >= budget)
        lower = max([step.lower, *held])
        upper = max(step.upper, lower)
        is_closed = step.closed or upper - lower <= self.question.tol * self.full_gain
        return replace(step, lower=lower, upper=upper, closed=is_closed)


@dataclass(frozen=True)
class MethodPoint:
    """Columns that a method chose, and the objective of their best model."""

    method: str
    features: NDArray[np.bool_]  # (n_columns,)
    cost: float
    objective: float
    ridge: float  # Of the objective


@dataclass(frozen=True, eq=False)
class KnownBounds:
    """A floor of the budget, and the best selection that is known there."""

    features: NDArray[np.bool_]  # Of the best selection
    cost: float
    upper: float  # Its objective
    lower: float


@dataclass(frozen=True, eq=False)
class KnownNow(KnownBounds):
    """What is known of the budget at one moment: all words and marks say this."""

    full_gain: float
    tol: float

    @property
    def gap(self) -> float:
        """How far the two are apart, as a share of what all features bring."""
        return max(self.upper - self.lower, 0.0) / self.full_gain

    @property
    def is_closed(self) -> bool:
        """Whether the gap is within the tolerance."""
        return self.gap <= self.tol


@dataclass(frozen=True, eq=False)
class NearlyAsGood:
    """Selections that are nearly as good as the best of a budget."""

    found: NearOptimal
    # Components given up, those taken instead, and for how many pairs of selections
    exchanges: tuple[tuple[tuple[int, ...], tuple[int, ...], int], ...] = ()

    @property
    def shares(self) -> NDArray[np.float64]:
        """In which share of selections each component is, (n_components,)."""
        count = max(self.found.count, 1)
        return np.asarray(self.found.selections.sum(axis=0) / count)


@dataclass(frozen=True, eq=False)
class BudgetSearch:
    """What can go on at one budget: the proof, and the list of what is as good."""

    floor: CertifiedSearch
    nearly: NearOptimalSearch


@dataclass(frozen=True, eq=False)
class BudgetAnswer:
    """What is proven of one budget, and what is nearly as good there."""

    question: BudgetQuestion
    data: ProofData
    certified: CertifiedBudget
    nearly: NearlyAsGood | None = None
    is_final: bool = False
    progress: float = 0.0  # Of the time it may take: the proof first, then the list
    search: BudgetSearch | None = None  # What can go on, where it is kept

    @property
    def is_open(self) -> bool:
        """Whether more time could prove or list more."""
        if self.nearly is None or not self.is_final:
            return True
        return not (self.certified.proven and self.nearly.found.complete)


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
