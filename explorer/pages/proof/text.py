"""The proof page's answers in words, for those who read and those who listen."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import param

from solvers import FeatureHypergraph, all_methods
from solvers.certify import FloorStep
from solvers.costs.budgets import room_of
from solvers.values.rounding import fixed

from ...export.plain_answer import PlainAnswer
from ...session.answer_view import StateAnswer
from ...widgets.figure_view import TextView
from ...widgets.markup import summary_markup
from ...widgets.text import cost_text, counted, list_text, objective_text, percent_text
from .questions import BudgetAnswer, MethodPoint, NearlyAsGood
from .state import ProofState

LIMIT = (
    "The objective is the mean logistic loss on the training rows plus the ridge; a "
    "floor under it says nothing of F1, and nothing of rows that were not seen."
)
# True of a search that was cancelled or refused, too.
WAITING = "The answer is not proven yet; the top line says how far it is, or why not."


class ProofSummary(TextView):
    """The answer in one line, as a live region."""

    state = param.ClassSelector(class_=ProofState)
    follows = ("floors", "answer", "share", "without")
    margin, min_height = (4, 10), 52

    def _markup(self) -> str:
        names = self.state.data.dataset.feature_names if self.state.data else ()
        lead, rest = answer_of(self.state)
        known = self.state.known()
        is_true = known is not None and known.is_closed
        return summary_markup(rest, names, lead=lead, is_true=is_true)


class ProofText(StateAnswer):
    """What to buy, what is nearly as good, and what the proof does not say.

    Words stand once the answer is whole: before, they would change while one reads.
    """

    state = param.ClassSelector(class_=ProofState)
    follows = ("floors", "base", "answer", "points", "share", "within")

    def _write(self) -> None:
        state, view = self.state, self.view
        if state.is_answered and state.answer.is_final:
            said = self._answer()
            if (said, "") != (view.answer, view.waiting):
                view.param.update(answer=said, waiting="")
        elif state.answer is None:
            view.param.update(answer=None, waiting=WAITING)
        else:
            view.waiting = WAITING if view.answer is None else f"{WAITING} {EARLIER}"

    def _answer(self) -> PlainAnswer:
        return proof_answer(self.state)


def proof_answer(state: ProofState) -> PlainAnswer:
    """Return the answer of the budget in words."""
    answer, graph = state.answer, state.data.hypergraph
    opening = [summary_text(state), compared_text(state)]
    closing = [*nearly_texts(answer.nearly, answer)] if answer.nearly else []
    exchanges = exchange_texts(answer.nearly, graph) if answer.nearly else []
    if exchanges:
        closing.append(f"Interchangeable: {'; '.join(exchanges[:MOST_TOLD])}.")
    closing += [methods_text(state), LIMIT]
    return PlainAnswer(
        tuple(filter(None, opening)),
        _purchases(state),
        tuple(filter(None, closing)),
        tuple(state.data.dataset.feature_names),
    )


def _purchases(state: ProofState) -> tuple[str, ...]:
    """Return a line a component of the best selection known, the costliest first."""
    data, graph, known = state.data, state.data.hypergraph, state.known()
    names, needs = graph.component_names or (), graph.incidence.toarray().astype(bool)
    bought = np.flatnonzero(graph.required_components(known.features))
    paid = [c for c in bought if graph.component_costs[c] > 0]
    lines = []
    for c in sorted(paid, key=lambda c: -graph.component_costs[c]):
        served = data.names_of(needs[c] & known.features)
        cost = cost_text(float(graph.component_costs[c]), graph.unit)
        used = (
            ""
            if served == [names[c]]
            else f", which {list_text(served, MOST_NAMED)} need"
        )
        used += "s" if used and len(served) == 1 else ""
        lines.append(f"Buy {names[c]} ({cost}){used}.")
    return tuple(lines) or ("Buy nothing: always say how frequent the class is.",)


# Before what is still shown of another question, until this one has its own.
EARLIER = "Of what was asked before:"
# Exchanges and methods that are told; the tables have the others.
MOST_TOLD = 4
# Names in one sentence; the matrix shows as many.
MOST_NAMED = 24


def asked_text(share: float) -> str:
    """Return a share that somebody has asked for, in percent."""
    return f"{100 * share:g} %"


def summary_text(state: ProofState) -> str:
    """Return what is proven of the budget, in a few sentences."""
    return " ".join(filter(None, answer_of(state)))


def answer_of(state: ProofState) -> tuple[str, str]:
    """Return what is proven of the budget, and by which numbers."""
    known = state.known()
    bounds = known or state.known_before()
    if bounds is None:
        return "", "No floor is proven yet of what is asked."
    unit = state.data.dataset.unit
    money = f"{cost_text(state.budget, unit)}{_ruled_out(state)}"
    if known is None:
        lead = f"Still proving {money}."
        told = " Shown is what was known before."
    elif known.is_closed:
        gap = percent_text(known.gap)
        more = "is" if gap == "0 %" else f"can be more than {gap}"
        lead = (
            f"No linear model for {money} {more} better than the best one known "
            "(proved)."
        )
        told = ""
    else:
        lead = (
            f"A linear model for {money} may still be up to {percent_text(known.gap)} "
            "better than the best one known."
        )
        told = ""
    return lead, (
        f"The best selection known costs {cost_text(bounds.cost, unit)} and reaches "
        f"an objective of {objective_text(bounds.upper)}; no linear model has an "
        f"objective below {objective_text(bounds.lower)}.{told} Per cent are of what "
        "all features bring."
    )


def _ruled_out(state: ProofState) -> str:
    names = state.data.known(tuple(state.without))
    return f" and without {list_text(names, MOST_NAMED)}" if names else ""


def searched_text(state: ProofState) -> str:
    """Return how far the search for floors is: nodes, what is open, time."""
    if not state.are_floors_asked:
        return ""
    run = state.floors
    found = run.certified.values()
    nodes, seconds = sum(one.nodes for one in found), max(one.seconds for one in found)
    return (
        f"{nodes} nodes in {fixed(seconds, 1)} s at {len(found)} budgets; widest gap "
        f"of any budget {percent_text(run.widest_gap)}."
    )


def listed_text(state: ProofState) -> str:
    """Return how far the list of what is nearly as good is."""
    if not state.is_answered or state.answer.nearly is None:
        return ""
    found = state.answer.nearly.found
    within = asked_text(state.answer.question.within)
    many = "selection comes" if found.count == 1 else "selections come"
    count = f"{'Exactly' if found.complete else 'At least'} {found.count}"
    return f"{count} {many} within {within} of the best."


def floor_text(state: ProofState) -> str:
    """Return what the staircase says, for those who do not see it."""
    run = state.floors
    if run is None:
        return "No floor is proven yet."
    low, high = map(objective_text, run.ends)
    before = "" if state.are_floors_asked else f"{EARLIER} "
    text = (
        f"{before}Nothing bought: {high}; everything allowed: {low}. The gap is closed "
        f"to {asked_text(run.question.tol)} on {_share(run.closed_share)} budgets"
    )
    n_open = sum(not step.closed for step in run.steps)
    return f"{text}, and open on {counted(n_open, 'step')}." if n_open else f"{text}."


def _share(share: float) -> str:
    return "all" if share > 1 - 1e-9 else f"{percent_text(share)} of all"


def compared_text(state: ProofState) -> str:
    """Return what ruling out costs at the budget; empty where nothing is ruled out."""
    base = state.unrestricted
    if base is None or not state.data.known(tuple(state.without)):
        return ""
    step: FloorStep = base.at(state.budget)
    lower, upper = objective_text(step.lower), objective_text(step.upper)
    between = f"is {upper}" if lower == upper else f"lies between {lower} and {upper}"
    return f"With nothing ruled out the best for this money {between}."


def nearly_texts(nearly: NearlyAsGood, answer: BudgetAnswer) -> list[str]:
    """Return how many selections are nearly as good, and what they have in common."""
    found, graph = nearly.found, answer.data.hypergraph
    within = asked_text(answer.question.within)
    are = "is" if found.count == 1 else "are"
    count = f"{counted(found.count, 'selection')} {are} within {within} of"
    if found.complete:
        said = [f"{count} the best, and no other is."]
    else:
        said = [
            f"At least {count} the best that was found, {found.count_sure} of them "
            "surely of the best there is; the search was cut short, so there may be "
            "more, and a better best."
        ]
    in_all, in_none = "In all of them", "In none"
    if not found.complete:
        in_all, in_none = "In all of those found", "In none of those found"
    names = np.array(graph.component_names, dtype=object)
    could = np.asarray(graph.component_costs > 0)
    could[graph.component_mask(answer.data.known(answer.question.floors.without))] = (
        False
    )
    for mask, text in ((found.in_all, in_all), (found.in_none, in_none)):
        chosen = list_text(names[mask & could], MOST_NAMED)
        said.append(f"{text}: {chosen or 'nothing'}.")
    return said


def exchange_texts(nearly: NearlyAsGood, graph: FeatureHypergraph) -> list[str]:
    """Return what can stand for what, the most frequent exchange first."""
    names = graph.component_names or ()

    def named(components: Iterable[int]) -> str:
        return list_text((names[c] for c in components), MOST_NAMED)

    return [
        f"{named(one)} or {named(other)} (in {counted(times, 'pair')})"
        for one, other, times in nearly.exchanges
    ]


def best_points(points: Iterable[MethodPoint], budget: float) -> dict[str, MethodPoint]:
    """Return the best point of each method that a budget pays for, by method."""
    found: dict[str, MethodPoint] = {}
    room = room_of(budget)
    for point in points:
        best = found.get(point.method)
        if point.cost <= room and (best is None or point.objective < best.objective):
            found[point.method] = point
    return found


def methods_text(state: ProofState) -> str:
    """Return how far the methods are above the floor at the budget."""
    known = state.known()
    if known is None:
        return ""
    above = {
        all_methods()[name].title: (point.objective - known.lower) / known.full_gain
        for name, point in best_points(state.allowed_points(), state.budget).items()
    }
    ranked = sorted(above.items(), key=lambda one: one[1])
    near, far = ranked[:MOST_TOLD], ranked[MOST_TOLD:]
    told = [f"{title} {percent_text(max(gap, 0.0))}" for title, gap in near]
    if far:
        widest = percent_text(far[-1][1])
        told.append(f"{counted(len(far), 'other method')}, up to {widest}")
    return f"Above the floor at most: {list_text(told)}." if told else ""
