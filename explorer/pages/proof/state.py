"""The proof page's state: what is asked, and what is proven so far."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Hashable, MutableMapping
from dataclasses import replace
from typing import Any

import numpy as np
import param
from cachetools import LRUCache

from solvers import FeatureHypergraph
from solvers.certify import CertifiedBudget
from solvers.costs.budgets import room_of

from ...compute.shared import SHARED, data_key
from ...session.state import DEFAULT_DATASET, bundled
from .questions import (
    ASKED,
    BudgetAnswer,
    BudgetQuestion,
    FloorQuestion,
    FloorRun,
    KnownBounds,
    KnownNow,
    MethodPoint,
    ProofChoices,
    ProofData,
    open_data,
)
from .streams import Chosen

# Questions whose answers are kept, so that turning a knob back costs nothing.
KEPT = 12
# A selection is better where its objective is lower by more than rounding.
LEAST_BETTER = 1e-6
_Answered = tuple[float, float, float]  # floor, cost and objective


class _Answers(LRUCache[Any, Any]):
    """Answers by question. A search takes memory: only what is shown keeps its own."""

    def __setitem__(self, question: Hashable, answer: Any, *given: Any) -> None:
        super().__setitem__(question, replace(answer, search=None), *given)


class ProofState(ProofChoices):
    """What the proof page has been asked, and what has been computed for it."""

    data: Any = param.ClassSelector(class_=ProofData, doc="What is trained on.")
    floors: Any = param.ClassSelector(class_=FloorRun, doc="What is proven so far.")
    base: Any = param.ClassSelector(class_=FloorRun, doc="With nothing ruled out.")
    points = param.Parameter(default=(), doc="What each linear method chose.")
    answer: Any = param.ClassSelector(class_=BudgetAnswer, doc="Of the budget.")

    def __init__(self, **params: Any) -> None:
        params.setdefault("dataset", bundled(DEFAULT_DATASET))
        super().__init__(**params)
        # By question, and how often more was asked of it
        self.runs, self.answers = _Answers(KEPT), _Answers(KEPT)
        self._more: Counter[Hashable] = Counter()
        # What was answered of some floors, by budget
        self._answered: MutableMapping[FloorQuestion, dict[float, _Answered]] = (
            LRUCache(KEPT)
        )
        self._chosen: MutableMapping[Any, tuple[Chosen, ...]] = LRUCache(KEPT)
        self._points_of: Any = None
        self._prices_of: Any = None
        self._prices: dict[tuple[str, bytes], tuple[float, Any]] = {}
        self._tables: MutableMapping[Any, ProofData] = LRUCache(2)
        self._reading = threading.Lock()
        self._data_for: Any = None
        self.follow("share")
        self.param.watch(lambda *_: self._tell_apart(), list(ASKED))

    @property
    def waits(self) -> str:
        """What its views wait for, in words; empty once it is there."""
        if self.floors is not None:
            return ""
        return "proven floors: FLOORS.answer(state), of explorer.pages.proof.queries"

    @property
    def hypergraph(self) -> FeatureHypergraph | None:
        """What is paid for; of the open problem it is known before its rows are."""
        if self.data is not None:
            return self.data.hypergraph
        return self.dataset.hypergraph if self.source == "session" else None

    @property
    def budget(self) -> float:
        """The budget in the unit of the data; 0 before there are any."""
        graph = self.hypergraph
        return 0.0 if graph is None else float(self.share * graph.total_cost)

    # ------------------------------------------------------------------------- floors

    def turn(self, question: FloorQuestion | BudgetQuestion) -> tuple[Any, int]:
        """Return a question, and how often more was asked of it."""
        return question, self._more[question]

    def ask_more(self, question: FloorQuestion | BudgetQuestion) -> None:
        """Ask that a search goes on where it has stopped."""
        self._more[question] += 1

    def table(self, question: FloorQuestion) -> ProofData:
        """Return the rows that a question is of, read once."""
        key = question.source, question.dataset
        with self._reading:
            if key not in self._tables:
                self._tables[key] = open_data(*key)
            return self._tables[key]

    def _tell_apart(self) -> None:
        """Let the old floors be told apart from what is asked now."""
        if self.floors is not None and not self.are_floors_asked:
            self.param.trigger("floors")

    @property
    def are_floors_asked(self) -> bool:
        """Whether the floors that are shown are those that are asked for now."""
        return self.floors is not None and self.floors.question == self.question()

    @property
    def is_open(self) -> bool:
        """Whether more time could close a gap of the floors that are asked for."""
        return self.are_floors_asked and bool(self.floors.has_gap)

    def show_floors(self, run: FloorRun) -> None:
        """Show a table as soon as it is read, and its floors once they are whole.

        The old floors stay until every budget has a report.
        """
        asked, told = self.question(), run.question
        if self._is_shown(run):
            return
        self._data_for = told.source, told.dataset
        change: dict[str, Any] = {}
        if run.data is not self.data:
            self._tables[self._data_for] = run.data
            gone = dict.fromkeys(["floors", "base", "answer"])
            change = {"data": run.data, "points": (), **gone}
            self._points_of = None  # what methods chose there is weighed anew
        if run.is_whole and not told.without:
            change["base"] = self._informed(run, None)
        base = change.get("base", self.base)
        if run.is_whole and told == asked:
            change["floors"] = self._informed(run, base)
        elif "base" in change and (shown := change.get("floors", self.floors)):
            change["floors"] = self._informed(shown, base)
        self.param.update(**change)

    def _is_shown(self, run: FloorRun) -> bool:
        """Whether floors stand already wherever they are to be seen."""
        told = run.question
        places = [self.floors] if told == self.question() else []
        places += [] if told.without else [self.base]
        return all(
            shown is not None
            and shown.question == told
            and shown.certified is run.certified
            and shown.is_final == run.is_final
            for shown in places
        )

    @property
    def is_read(self) -> bool:
        """Whether the table that is asked for is the one at hand."""
        question = self.question()
        return self._data_for == (question.source, question.dataset)

    # ------------------------------------------------------------------- one budget

    def show_answer(self, answer: BudgetAnswer) -> None:
        """Show an answer, and at once what it proves in the floors that are shown."""
        shown = self.answer
        if shown is not None and (
            (shown.question, shown.is_final) == (answer.question, answer.is_final)
            and shown.certified is answer.certified
            and shown.nearly is answer.nearly
        ):
            return
        change: dict[str, Any] = {"answer": answer}
        one, asked = answer.certified, answer.question.floors
        best = one.upper, answer.data.hypergraph.cost(one.features)
        if answer.nearly is not None and answer.nearly.found.count:
            near = answer.nearly.found
            best = min(best, (float(near.objectives[0]), float(near.costs[0])))
        told = one.lower, best[1], best[0]
        answered = self._answered.setdefault(asked, {})
        if answered.get(one.budget) != told:
            answered[one.budget] = told
            if asked in [run.question for run in (self.floors, self.base) if run]:
                change |= self._both_informed()
        self.param.update(**change)

    @property
    def is_beaten(self) -> bool:
        """Whether floors or a method found better than the answer that is shown."""
        known = self.known()
        if not self.is_answered or known is None:
            return False
        nearly = self.answer.nearly
        best = self.answer.certified.upper
        if nearly is not None:
            best = min(best, nearly.found.best)
        return known.upper < best - LEAST_BETTER

    def known(self) -> KnownNow | None:
        """Return what is known of the budget now, whoever found it.

        None where nothing is: while the first floors of what is asked are proven.
        """
        if self.are_floors_asked:
            gain = self.floors.full_gain
        elif self.is_answered:
            gain = self.answer.certified.full_gain
        else:
            return None
        return KnownNow(*self._bounds(), gain, float(self.tol))

    def known_before(self) -> KnownBounds | None:
        """Return what holds of what is asked while nothing of itself is proven.

        Floors of less ruled out, and the best of all selections so far that do without
        what is. They have no gap: what all allowed features bring is not known yet.
        """
        if self.known() is not None or not (self._holding() and self._candidates()):
            return None
        return KnownBounds(*self._bounds())

    def _bounds(self) -> tuple[Any, float, float, float]:
        lower = [run.at(self.budget).lower for run in self._holding()]
        if self.is_answered:
            lower.append(self.answer.certified.lower)
        upper, cost, features = min(self._candidates(), key=lambda one: one[:2])
        return features, cost, upper, max(lower)

    def proof(self) -> CertifiedBudget | None:
        """Return whose certificate proves most of the budget; None before there is one.

        A floor holds for less money and with more ruled out, so it may be another's.
        """
        found = [one for run in self._holding() for one in run.certified.values()]
        found += [
            one.certified
            for one in [*self.answers.values(), self.answer]
            if one is not None and self._holds(one.question.floors)
        ]
        return max(
            (one for one in found if room_of(one.budget) >= self.budget),
            key=lambda one: (one.certificate.lower, -one.budget),
            default=None,
        )

    def _is_weighed_as_asked(self, told: FloorQuestion) -> bool:
        """Whether objectives of some floors are those of what is asked."""
        asked = self.question()
        knobs = {"tol": asked.tol, "seconds": asked.seconds, "without": asked.without}
        return replace(told, **knobs) == asked

    def _runs_at_hand(self) -> list[FloorRun]:
        """Return the floors that are shown and weigh selections as is asked."""
        runs = {id(run): run for run in (self.floors, self.base) if run is not None}
        return [one for one in runs.values() if self._is_weighed_as_asked(one.question)]

    def _holding(self) -> list[FloorRun]:
        """Return those that rule out nothing that is allowed: their floors hold."""
        return [one for one in self._runs_at_hand() if self._holds(one.question)]

    def _holds(self, told: FloorQuestion) -> bool:
        return self._is_weighed_as_asked(told) and {*self.without} >= {*told.without}

    def _candidates(self) -> list[tuple[float, float, Any]]:
        """Return objective, cost and columns of what is allowed and paid for.

        Whatever was asked when it was found.
        """
        data, graph, answer = self.data, self.data.hypergraph, self.answer
        banned = graph.component_mask(data.known(tuple(self.without)))
        room = room_of(self.budget)
        certified = [o for run in self._runs_at_hand() for o in run.certified.values()]
        found = []
        if answer is not None and self._is_weighed_as_asked(answer.question.floors):
            certified.append(answer.certified)
            if answer.nearly is not None:
                near = answer.nearly.found
                fits = (near.costs <= room) & ~near.selections[:, banned].any(axis=1)
                for first in np.flatnonzero(fits)[:1]:  # they come best first
                    columns = data.columns_of(near.selections[first])
                    found.append((near.objectives[first], near.costs[first], columns))
        found += [(o.upper, self._priced(o.features)[0], o.features) for o in certified]
        if self._points_of == (data, float(self.ridge)):
            points = self.allowed_points()
            found += [(p.objective, p.cost, p.features) for p in points]
        return [
            one
            for one in found
            if one[1] <= room and not self._priced(one[2])[1][banned].any()
        ]

    def _priced(self, features: Any) -> tuple[float, Any]:
        """Return what columns cost and which components they need.

        Kept, as every move of the budget asks for all that were ever found.
        """
        graph, columns = self.data.hypergraph, np.asarray(features)
        if self._prices_of is not graph:
            self._prices_of, self._prices = graph, {}
        key = columns.dtype.str, columns.tobytes()
        if key not in self._prices:
            needs = graph.required_components(features)
            self._prices[key] = graph.cost(features), needs
        return self._prices[key]

    @property
    def is_answer_open(self) -> bool:
        """Whether more time could add to the answer of what is asked."""
        return self.is_answered and self.answer.is_open

    def selections(self) -> list[Any]:
        """Return what is known to be good within the budget."""
        graph, best = self.data.hypergraph, [one[2] for one in self._candidates()]
        room = room_of(self.budget)
        chosen = [one for one in self.chosen_well() if graph.cost(one) <= room]
        return [*best, *chosen]

    # ------------------------------------------------------------------------ methods

    def chosen(self) -> tuple[Chosen, ...]:
        """Return what methods chose on these rows, where they were trained before."""
        key = data_key(self.data.dataset)
        return self._chosen.get(self.data) or SHARED.choices.get(key, ())

    def keep_points(self) -> None:
        """Remember what the methods chose, which does not hang on the ridge."""
        if not self.points:
            return
        chosen = tuple((one.method, one.features) for one in self.points)
        self._chosen[self.data] = chosen
        if (key := data_key(self.data.dataset)) is not None:
            SHARED.choices[key] = chosen
        self._points_of = (self.data, float(self.ridge))
        self.param.update(**self._both_informed())

    def _both_informed(self) -> dict[str, FloorRun]:
        """Return floors and those of nothing ruled out, with what is known now."""
        base = self.base and self._informed(self.base, None)
        floors = self.floors and self._informed(self.floors, base)
        return {name: run for name, run in (("base", base), ("floors", floors)) if run}

    def _informed(self, run: FloorRun, base: FloorRun | None) -> FloorRun:
        """Return floors with what methods and answers found above and below them.

        `base`: floors of nothing ruled out, which hold whatever is ruled out.
        """
        answered, known = self._answered.get(run.question, {}), []
        if self._points_of == (run.data, run.question.ridge):
            points = self.points_beside(run.question)
            known = [(p.cost, p.objective) for p in points]
        beside = [(at, lower) for at, (lower, _, _) in answered.items()]
        everything = replace(run.question, without=())
        if base is not None and run.question != base.question == everything:
            beside += ((one.budget, one.lower) for one in base.certified.values())
            beside += base.beside
        return replace(
            run,
            known=(*known, *((cost, upper) for _, cost, upper in answered.values())),
            beside=tuple(beside),
        )

    def chosen_well(self) -> list[Any]:
        """Return the choices of methods that no cheaper one is as good as."""
        points = self._allowed(tuple(self.without))
        points.sort(key=lambda p: (p.cost, p.objective))
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
        """Return the points at this ridge that buy nothing that is ruled out."""
        return self.points_beside(self.question())

    def points_beside(self, question: FloorQuestion) -> list[MethodPoint]:
        """Return the points that can stand beside some floors."""
        allowed = self._allowed(question.without)
        return [point for point in allowed if point.ridge == question.ridge]

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
