"""The proof page's computations as plain streams, from immutable requests."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solvers import LinearClassifier, all_methods
from solvers.certify import (
    CertifiedSearch,
    RidgeObjective,
    certified_frontier,
    near_optimal_stream,
)
from solvers.errors import DataError

from .data import ProofData, open_data
from .result import (
    BudgetAnswer,
    BudgetQuestion,
    FloorQuestion,
    FloorRun,
    MethodPoint,
    NearlyAsGood,
)

__all__ = [
    "MOST_LISTED",
    "Chosen",
    "answer_steps",
    "asked_budgets",
    "floor_runs",
    "linear_methods",
    "method_points",
    "more_floors",
]

# Selections that are nearly as good and are listed: more are only counted so far.
MOST_LISTED = 300
# More than rounding, less than any cost: as a share of the cost of everything.
JUST_BELOW = 3e-9
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
    questions: Iterable[FloorQuestion], data: ProofData | None = None
) -> Iterator[FloorRun]:
    """Yield what is proven for one question after the other, on one table.

    `data`: where the table is at hand.
    """
    for question in questions:
        data = data or open_data(question.source, question.dataset)
        _refuse_free(data)
        budgets = asked_budgets(data)
        search = _search(question, data)
        run = FloorRun(question, data, {}, len(budgets), search=search)
        yield from _proved(run, budgets)


def more_floors(run: FloorRun) -> Iterator[FloorRun]:
    """Yield what more time proves: the search goes on, or starts anew if it is gone."""
    search = run.search or _search(run.question, run.data)
    run = replace(run, is_final=False, search=search)
    asked = [one.budget for one in run.certified.values() if not one.proven]
    return _proved(run, asked or _open_ends(run))


def _proved(run: FloorRun, budgets: list[float]) -> Iterator[FloorRun]:
    """Yield a run as its budgets are proven, and then those between them."""
    began, seconds = time.perf_counter(), run.question.seconds
    known = [one.features for one in run.certified.values()]
    while budgets and (left := began + seconds - time.perf_counter()) > 0:
        for one in run.search.stream(budgets, seconds=left, known=known):
            before = run.certified.get(one.budget)
            if before is None or one.gap <= before.gap:
                run = replace(run, certified={**run.certified, one.budget: one})
            yield run
        budgets, known = _open_ends(run), []
    yield replace(run, is_final=True)


def _search(question: FloorQuestion, data: ProofData) -> CertifiedSearch:
    """Return one search for all budgets, those that are asked for later too."""
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

    At the end of an open step a dearer selection comes within reach: just below it the
    floor may be higher. What was asked before is not asked again.
    """
    just = JUST_BELOW * run.data.hypergraph.total_cost
    steps = sorted(run.steps, key=lambda step: step.end - step.start, reverse=True)
    ends = [step.end - just for step in steps if not step.closed]
    asked = np.array([*run.certified])
    return [one for one in ends if np.abs(asked - one).min() > 0.5 * just][:N_EVEN]


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
    floors = question.floors
    budget = question.share * data.hypergraph.total_cost
    asked = {
        "ridge": floors.ridge,
        "seconds": question.seconds,
        "without": data.known(floors.without),
        "sample_weight": data.weight,
    }
    rows = data.X, data.y, data.hypergraph
    for one in certified_frontier(
        *rows, budgets=[budget], tol=floors.tol, known=known, **asked
    ):
        answer = BudgetAnswer(question, data, one)
        yield answer
    for found in near_optimal_stream(
        *rows, budget=budget, within=question.within, limit=MOST_LISTED, **asked
    ):
        answer = replace(answer, nearly=NearlyAsGood(found))
        yield answer
    exchanges = tuple((*pair, times) for pair, times in found.exchanges().items())
    yield replace(answer, nearly=NearlyAsGood(found, exchanges), is_final=True)


def linear_methods() -> dict[str, type[LinearClassifier]]:
    """Return the methods whose models floors bound; the slowest path comes last."""
    found = {
        name: method
        for name, method in all_methods().items()
        if issubclass(method, LinearClassifier)
    }
    return {name: found[name] for name in sorted(found, key=lambda n: n == "acafh")}


def method_points(
    data: ProofData, ridge: float, known: tuple[Chosen, ...] = ()
) -> Iterator[MethodPoint]:
    """Yield what each linear method chooses along its path, each choice once.

    `known`: choices of all methods, where they were trained before.
    """
    graph = data.hypergraph
    rows = data.X, data.y, graph
    objective = RidgeObjective(*rows, ridge=ridge, sample_weight=data.weight)
    for name, chosen in known or _choices(data):
        yield MethodPoint(name, chosen, graph.cost(chosen), objective(chosen))


def _choices(data: ProofData) -> Iterator[Chosen]:
    for name, method in linear_methods().items():
        seen: set[bytes] = set()
        model = method(hypergraph=data.hypergraph)
        weight = {} if data.weight is None else {"sample_weight": data.weight}
        for one in model.path(data.X, data.y, **weight):
            if one.support_.tobytes() not in seen:
                seen.add(one.support_.tobytes())
                yield name, one.support_.copy()
