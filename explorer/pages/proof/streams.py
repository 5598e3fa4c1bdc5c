"""The proof page's computations as plain streams, from immutable requests."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solvers import CostAwareClassifier, LinearClassifier, all_methods
from solvers.certify import CertifiedSearch, NearOptimalSearch, RidgeObjective
from solvers.costs.budgets import ROUNDING
from solvers.errors import DataError, ThriftscopeError
from solvers.methods.linear_choices import chosen_features

from .questions import (
    BudgetAnswer,
    BudgetQuestion,
    BudgetSearch,
    FloorQuestion,
    FloorRun,
    MethodPoint,
    NearlyAsGood,
    ProofData,
)

# Selections that are nearly as good and are listed; so many more by each search on.
MOST_LISTED = 300
# More than rounding, less than any cost: as a share of the budget.
JUST_BELOW = 3 * ROUNDING
# Evenly, and by factors from what can be bought at all.
N_EVEN, N_FACTORS = 12, 14
Chosen = tuple[str, NDArray[np.bool_]]


def asked_budgets(data: ProofData) -> list[float]:
    """Return the budgets at which floors are proven, from nothing to everything."""
    total = data.hypergraph.total_cost
    prices = data.hypergraph.marginal_costs()
    cheapest = float(prices[prices > 0].min(initial=total))
    evenly = total * np.arange(N_EVEN + 1) / N_EVEN
    return np.unique([*evenly, *np.geomspace(cheapest, total, N_FACTORS)]).tolist()


def floor_runs(
    question: FloorQuestion,
    data: ProofData,
    known: Iterable[NDArray[np.bool_]] = (),
    before: FloorRun | None = None,
) -> Iterator[FloorRun]:
    """Yield what is proven of a question on its table.

    `known`: selections to begin with.
    `before`: floors whose cuts hold at another ridge too.
    """
    _refuse_free(data)
    budgets = asked_budgets(data)
    search = _search(question, data, before)
    run = FloorRun(question, data, {}, len(budgets), search=search)
    yield from _proved(run, budgets, known)


def more_floors(
    run: FloorRun, known: Iterable[NDArray[np.bool_]] = ()
) -> Iterator[FloorRun]:
    """Yield what more time proves: the search goes on, or starts anew if it is gone."""
    search = run.search or _search(run.question, run.data)
    run = replace(run, is_final=False, search=search)
    asked = [one.budget for one in run.certified.values() if not one.proven]
    return _proved(run, asked or _open_ends(run), known)


def _proved(
    run: FloorRun, budgets: list[float], known: Iterable[NDArray[np.bool_]]
) -> Iterator[FloorRun]:
    """Yield a run as its budgets are proven, and then those between them."""
    seconds = run.question.seconds
    ends = time.perf_counter() + seconds
    known = [*known, *(one.features for one in run.certified.values())]
    while budgets and (left := ends - time.perf_counter()) > 0:
        for one in run.search.stream(budgets, seconds=left, known=known):
            before, certified = run.certified.get(one.budget), run.certified
            if before is None or one.gap <= before.gap:
                certified = {**certified, one.budget: one}
            run = replace(run, certified=certified, spent=_part(ends, seconds))
            yield run
        budgets, known = _open_ends(run), []
    yield replace(run, is_final=True)


def _search(
    question: FloorQuestion, data: ProofData, before: FloorRun | None = None
) -> CertifiedSearch:
    """Return one search for all budgets, those that are asked for later too."""
    if before is not None and before.search is not None and before.data is data:
        told = before.question
        if (told.tol, told.without) == (question.tol, question.without):
            return before.search.at_ridge(question.ridge)
    return CertifiedSearch(
        data.X,
        data.y,
        data.hypergraph,
        ridge=question.ridge,
        tol=question.tol,
        without=data.known(question.without),
        sample_weight=data.weight,
    )


def _open_ends(run: FloorRun) -> list[float]:
    """Return budgets whose floors may close what is still open between others.

    At the end of an open step a costlier selection comes within reach: just below it
    the floor may be higher. What was asked before is not asked again.
    """
    steps = sorted(run.steps, key=lambda step: step.end - step.start, reverse=True)
    ends = [step.end * (1.0 - JUST_BELOW) for step in steps if not step.closed]
    asked = np.array([*run.certified])
    return [one for one in ends if np.abs(asked - one).min() > 0.5 * JUST_BELOW * one][
        :N_EVEN
    ]


def _refuse_free(data: ProofData) -> None:
    if data.hypergraph.total_cost <= 0:
        raise DataError(
            f"All features of {data.dataset.name} cost nothing, so every budget buys "
            "everything; give at least one component a cost."
        )


def answer_steps(
    question: BudgetQuestion,
    data: ProofData,
    known: Iterable[NDArray[np.bool_]] = (),
) -> Iterator[BudgetAnswer]:
    """Yield what is proven of one budget, and then what is nearly as good.

    `known`: selections to begin with.
    """
    search = _budget_search(question, data)
    yield from _proved_budget(question, data, search, known)


def more_answers(
    answer: BudgetAnswer, known: Iterable[NDArray[np.bool_]] = ()
) -> Iterator[BudgetAnswer]:
    """Yield what more time proves and lists, or the same anew if its search is gone."""
    search = answer.search or _budget_search(answer.question, answer.data)
    known, limit = [*known, answer.certified.features], MOST_LISTED
    if answer.nearly is not None:
        known += map(answer.data.columns_of, answer.nearly.found.selections)
        limit += answer.nearly.found.count
    for one in _proved_budget(answer.question, answer.data, search, known, limit):
        yield one if one.nearly else replace(one, nearly=answer.nearly)


def _budget_search(question: BudgetQuestion, data: ProofData) -> BudgetSearch:
    nearly = NearOptimalSearch(
        data.X,
        data.y,
        data.hypergraph,
        ridge=question.floors.ridge,
        budget=question.share * data.hypergraph.total_cost,
        within=question.within,
        without=data.known(question.floors.without),
        sample_weight=data.weight,
    )
    return BudgetSearch(_search(question.floors, data), nearly)


def _proved_budget(
    question: BudgetQuestion,
    data: ProofData,
    search: BudgetSearch,
    known: Iterable[NDArray[np.bool_]],
    limit: int = MOST_LISTED,
) -> Iterator[BudgetAnswer]:
    budget = question.share * data.hypergraph.total_cost
    seconds, known = question.seconds, list(known)
    ends = time.perf_counter() + seconds
    for one in search.floor.stream([budget], seconds=seconds, known=known):
        answer = BudgetAnswer(question, data, one, search=search)
        yield replace(answer, progress=0.5 * _part(ends, seconds))
    ends, known = time.perf_counter() + seconds, [*known, one.features]
    for found in search.nearly.stream(seconds=seconds, limit=limit, known=known):
        progress = 0.5 + 0.5 * _part(ends, seconds)
        answer = replace(answer, nearly=NearlyAsGood(found), progress=progress)
        yield answer
    exchanges = tuple((*pair, times) for pair, times in found.exchanges().items())
    nearly = NearlyAsGood(found, exchanges)
    yield replace(answer, nearly=nearly, is_final=True, progress=1.0)


def _part(ends: float, seconds: float) -> float:
    """Return how much of some time is over."""
    return min(1.0, 1.0 - (ends - time.perf_counter()) / seconds)


def methods_in_turn() -> dict[str, type[CostAwareClassifier]]:
    """Return all methods: the linear ones first, of which the slowest comes last."""
    found = all_methods()

    def turn(name: str) -> tuple[bool, bool, str]:
        return not is_linear(name), name == "acafh", name

    return {name: found[name] for name in sorted(found, key=turn)}


def is_linear(name: str) -> bool:
    """Return whether floors bound a method's own models, and not its columns only."""
    return issubclass(all_methods()[name], LinearClassifier)


def method_points(
    data: ProofData, ridge: float, known: tuple[Chosen, ...] = ()
) -> Iterator[MethodPoint]:
    """Yield what each method chooses along its path, each choice once.

    `known`: choices of all methods, where they were trained before.
    """
    graph = data.hypergraph
    rows = data.X, data.y, graph
    objective = RidgeObjective(*rows, ridge=ridge, sample_weight=data.weight)
    for name, chosen in known or _choices(data):
        cost, value = graph.cost(chosen), objective(chosen)
        yield MethodPoint(name, chosen, cost, value, ridge)


def _choices(data: ProofData) -> Iterator[Chosen]:
    for name, method in methods_in_turn().items():
        model = method(hypergraph=data.hypergraph)
        # A method that refuses the table has no points.
        with contextlib.suppress(ThriftscopeError):
            found = chosen_features(
                model, data.X, data.y, data.weight, groups=data.groups
            )
            for chosen in found:
                yield name, chosen
