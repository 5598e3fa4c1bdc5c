"""The proof page's state: what is asked, and what is proven so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, MutableMapping
from dataclasses import replace
from typing import Any

import numpy as np
import param
from cachetools import LRUCache

from solvers import Dataset

from ...compute.debounced import Debounced
from ...compute.shared import SHARED
from ...session.declared import Names, linked, open_panels
from .data import SOURCES, ProofData
from .result import BudgetAnswer, BudgetQuestion, FloorQuestion, FloorRun, MethodPoint
from .streams import (
    Chosen,
    answer_steps,
    floor_runs,
    method_points,
    more_answers,
    more_floors,
)

__all__ = ["ProofState"]

# Questions whose answers are kept, so that turning a knob back costs nothing.
KEPT = 12
# A selection is better where its objective is lower by more than rounding.
LEAST_BETTER = 1e-6


class ProofState(Debounced):
    """What a person asks to be proven, and what has been computed for it."""

    dataset: Any = param.ClassSelector(class_=Dataset, doc="The session's data set.")
    source = param.Selector(
        default="heart",
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

    data: Any = param.ClassSelector(class_=ProofData, doc="What is trained on.")
    floors: Any = param.ClassSelector(class_=FloorRun, doc="What is proven so far.")
    base: Any = param.ClassSelector(class_=FloorRun, doc="With nothing ruled out.")
    points = param.Parameter(default=(), doc="What each linear method chose.")
    answer: Any = param.ClassSelector(class_=BudgetAnswer, doc="Of the budget.")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._runs: MutableMapping[FloorQuestion, FloorRun] = LRUCache(KEPT)
        self._answers: MutableMapping[BudgetQuestion, BudgetAnswer] = LRUCache(KEPT)
        self._chosen: MutableMapping[Any, tuple[Chosen, ...]] = LRUCache(KEPT)
        self._points_of: Any = None
        self._data_for: Any = None
        self.follow("share")

    # ---------------------------------------------------------------------- questions

    def question(self) -> FloorQuestion:
        """Return which floors are asked for."""
        dataset = self.dataset if self.source == "session" else None
        without = tuple(self.without)
        knobs = float(self.ridge), float(self.tol), float(self.seconds)
        return FloorQuestion(self.source, dataset, *knobs, without)

    def budget_question(self) -> BudgetQuestion:
        """Return what is asked of the budget."""
        return BudgetQuestion(self.question(), float(self.share), float(self.within))

    @property
    def budget(self) -> float:
        """The budget in the unit of the data; 0 before there are any."""
        return 0.0 if self.data is None else self.share * self._total

    @property
    def _total(self) -> float:
        return float(self.data.hypergraph.total_cost)

    def rule_out(self, name: str) -> None:
        """Rule a component out, or allow it again."""
        others = [one for one in self.without if one != name]
        self.without = others if name in self.without else [*self.without, name]

    # ------------------------------------------------------------------------- floors

    def floor_request(self) -> Callable[[], Iterator[FloorRun]] | None:
        """Return what proves floors: those asked for, then those of nothing ruled out.

        None where both are at hand, which are then shown.
        """
        question = self.question()
        asked = dict.fromkeys([question, replace(question, without=())])
        missing = [one for one in asked if one not in self._runs]
        for one in asked:
            if one in self._runs:
                self._show(self._runs[one])
        data = self.data if self.is_read else None
        known = self._chosen_well() if self.is_read else []
        before = self.floors
        if not missing:
            return None
        return lambda: floor_runs(missing, data, known, before)

    def more_request(self) -> Callable[[], Iterator[FloorRun]]:
        """Return what goes on with the floors that are shown."""
        run, known = self.floors, self._chosen_well()
        return lambda: more_floors(run, known)

    @property
    def is_open(self) -> bool:
        """Whether more time could close a gap of the floors that are asked for."""
        run = self.floors
        return run is not None and run.question == self.question() and run.has_gap

    def take_floors(self, runs: Iterable[FloorRun]) -> None:
        """Show how far floors have come, and keep them at their end.

        The old floors stay until every budget has a report.
        """
        for run in {run.question: run for run in runs}.values():
            if run.is_final:  # a search takes memory: only what is shown keeps its own
                self._runs[run.question] = replace(run, search=None)
            self._show(run)

    def _show(self, run: FloorRun) -> None:
        """Show a table as soon as it is read, and its floors once they are whole."""
        asked, told = self.question(), run.question
        self._data_for = told.source, told.dataset
        run = self._with_points(run)
        change: dict[str, Any] = {}
        if run.data is not self.data:
            gone = dict.fromkeys(["floors", "base", "answer"])
            change = {"data": run.data, "points": (), **gone}
        if run.is_whole and told == asked:
            change["floors"] = run
        if run.is_whole and not told.without:
            change["base"] = run
        self.param.update(**change)

    @property
    def is_read(self) -> bool:
        """Whether the table that is asked for is the one at hand."""
        question = self.question()
        return self._data_for == (question.source, question.dataset)

    # ------------------------------------------------------------------- one budget

    def answer_request(self) -> Callable[[], Iterator[BudgetAnswer]] | None:
        """Return what answers the budget; None where its answer is at hand."""
        question = self.budget_question()
        kept = self._answers.get(question)
        if kept is not None:
            self.answer = kept
            return None
        data, known = self.data, self._selections()
        return lambda: answer_steps(question, data, known)

    def take_answers(self, answers: Iterable[BudgetAnswer]) -> None:
        """Show how far the answer has come; keep it at its end."""
        self.answer = list(answers)[-1]
        if self.answer.is_final:  # as of floors: only what is shown keeps its search
            kept = replace(self.answer, search=None)
            self._answers[self.answer.question] = kept

    def more_answer_request(self) -> Callable[[], Iterator[BudgetAnswer]]:
        """Return what goes on with the answer that is shown."""
        answer, known = self.answer, self._selections()
        return lambda: more_answers(answer, known)

    @property
    def is_beaten(self) -> bool:
        """Whether a method chose something better than the answer that is shown."""
        if not (self.is_answered and self._are_points_of(self.answer.data)):
            return False
        costs_and_values = [(p.cost, p.objective) for p in self.allowed_points()]
        within = [value for cost, value in costs_and_values if cost <= self.budget]
        return min(within, default=np.inf) < self.answer.certified.upper - LEAST_BETTER

    @property
    def is_answer_open(self) -> bool:
        """Whether more time could add to the answer of what is asked."""
        return self.is_answered and self.answer.is_open

    def _selections(self) -> list[Any]:
        """Return what is known to be good within the budget."""
        run, graph = self.floors, self.data.hypergraph
        found = self._chosen_well()
        if run is not None and run.question == self.question():
            found += [one.features for one in run.certified.values()]
        return [one for one in found if graph.cost(one) <= self.budget]

    # ------------------------------------------------------------------------ methods

    def points_request(self) -> Callable[[], Iterator[MethodPoint]] | None:
        """Return what trains the methods; None where their points are at hand."""
        data, ridge = self.data, float(self.ridge)
        if self._points_of == (data, ridge):
            return None
        known = self._chosen.get(data) or SHARED.choices.get(self._data_for[0], ())
        return lambda: method_points(data, ridge, known)

    def points_collector(self) -> Callable[[Iterable[MethodPoint]], None]:
        """Return what takes points; the old ones stay until the first new one."""
        found: list[MethodPoint] = []

        def collect(items: Iterable[MethodPoint]) -> None:
            found.extend(items)
            self.points = tuple(found)

        return collect

    def keep_points(self) -> None:
        """Remember what the methods chose, which does not hang on the ridge."""
        chosen = tuple((one.method, one.features) for one in self.points)
        self._chosen[self.data] = chosen
        if self._data_for[0] != "session":
            SHARED.choices[self._data_for[0]] = chosen
        self._points_of = (self.data, float(self.ridge))
        if self.floors is not None:
            self.floors = self._with_points(self.floors)
        if self.base is not None:
            self.base = self._with_points(self.base)

    def _are_points_of(self, data: ProofData) -> bool:
        return self._points_of == (data, float(self.ridge))

    def _with_points(self, run: FloorRun) -> FloorRun:
        """Return floors with what the methods found above them."""
        if self._points_of != (run.data, run.question.ridge):
            return run
        points = self._allowed(run.question.without)
        return replace(run, known=tuple((p.cost, p.objective) for p in points))

    def _chosen_well(self) -> list[Any]:
        """Return the choices of methods that no cheaper one is as good as."""
        points = sorted(self.allowed_points(), key=lambda p: (p.cost, p.objective))
        found: list[MethodPoint] = []
        for point in points:
            if not found or point.objective < found[-1].objective:
                found.append(point)
        return [point.features for point in found]

    @property
    def unrestricted(self) -> FloorRun | None:
        """The floors with nothing ruled out, if they are of what is asked else."""
        base = self.base
        wanted = replace(self.question(), without=())
        return base if base is not None and base.question == wanted else None

    @property
    def is_answered(self) -> bool:
        """Whether the answer is one to what is asked now, whole or not."""
        answer = self.answer
        return answer is not None and answer.question == self.budget_question()

    def allowed_points(self) -> list[MethodPoint]:
        """Return the points that buy nothing that is ruled out."""
        return self._allowed(tuple(self.without))

    def _allowed(self, without: tuple[str, ...]) -> list[MethodPoint]:
        if self.data is None:
            return []
        graph = self.data.hypergraph
        banned = graph.component_mask(self.data.known(without))
        return [
            point
            for point in self.points
            if not (graph.required_components(point.features) & banned).any()
        ]
