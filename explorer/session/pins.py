"""Frontiers that were put aside, to be seen beside what came later."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, TypeAlias, get_args

from solvers import Frontier
from solvers.costs.budgets import room_of
from solvers.decisions.row_costs import Accounting
from solvers.errors import InterchangeError, shown

from .checked import demand, is_list, is_number, is_text

MAX_PINS = 3
MAX_NAME = 80
MAX_STEPS = 2_000
MAX_RUNS = 10
Steps: TypeAlias = tuple[tuple[float, float, float, float], ...]
_BROKEN = "The session holds a pinned frontier that cannot be read; save it again."


@dataclass(frozen=True)
class Pin:
    """A frontier as it was when it was pinned: what each budget bought."""

    name: str  # What it is called
    data: str  # Name of the data set
    rows: int  # How many rows that has
    hypergraph: str  # What it was priced by, in a few words
    unit: str  # Of the costs
    accounting: Accounting  # Which cost over rows counts
    full_cost: float  # Cost of all features
    methods: tuple[str, ...]  # Titles of the methods that were ticked
    # Of the best over all methods, by rising cost: cost on validation rows, cost on
    # test rows, F1 on validation rows, F1 on test rows
    steps: Steps
    # The same on each of several splits; empty for a single one
    runs: tuple[Steps, ...] = ()

    def best_within(self, budget: float) -> float | None:
        """Return the F1 on test rows of what a budget buys.

        None where it buys nothing.
        `budget`: in `unit`, held against the cost on validation rows.
        """
        return bought(self.steps, budget)

    def plain(self) -> dict[str, Any]:
        """Return it in the types of JSON."""
        return asdict(self)


def steps_of(frontier: Frontier) -> Steps:
    """Return what each budget buys on a frontier."""
    return tuple(
        (
            float(frontier.held(point)),
            float(frontier.cost(point)),
            float(point.scores["validation"]["f1"]),
            float(point.scores["test"]["f1"]),
        )
        for point in frontier.undominated()
    )


def bought(steps: Steps, budget: float) -> float | None:
    """Return the F1 on test rows of what a budget buys.

    None where it buys nothing.
    """
    within = [step for step in steps if step[0] <= room_of(budget)]
    return within[-1][3] if within else None


def read_pin(given: Any) -> Pin:
    """Return a pin that somebody's file holds."""
    names = {field.name for field in fields(Pin)}
    demand(isinstance(given, Mapping) and set(given) == names, _BROKEN)
    for key in ("name", "data", "hypergraph", "unit"):
        demand(_is_text(given[key]), _BROKEN)
    demand(is_list(given["methods"], _is_text, 100), _BROKEN)
    demand(is_list(given["steps"], _is_step, MAX_STEPS), _BROKEN)
    demand(
        is_list(given["runs"], lambda run: is_list(run, _is_step, MAX_STEPS), MAX_RUNS),
        _BROKEN,
    )
    if given["accounting"] not in get_args(Accounting):
        raise InterchangeError(
            f"A pinned frontier is charged by {shown(given['accounting'])}; a session "
            'says "mean", "p95" or "max".'
        )
    demand(_is_positive(given["rows"]) and _is_positive(given["full_cost"]), _BROKEN)
    return Pin(
        **{
            **given,
            "rows": int(given["rows"]),
            "full_cost": float(given["full_cost"]),
            "methods": tuple(given["methods"]),
            "steps": _rising(given["steps"]),
            "runs": tuple(map(_rising, given["runs"])),
        }
    )


def _rising(steps: list[list[float]]) -> Steps:
    """Return steps, which go from cheap to dear."""
    demand(all(one[0] <= other[0] for one, other in itertools.pairwise(steps)), _BROKEN)
    return tuple(
        (float(held), float(cost), float(validation), float(test))
        for held, cost, validation, test in steps
    )


def _is_step(step: Any) -> bool:
    is_whole = is_list(step, _is_positive) and len(step) == 4
    return is_whole and max(step[2:]) <= 1


def _is_positive(value: Any) -> bool:
    return is_number(value, 1e15) and value >= 0


def _is_text(value: Any) -> bool:
    return is_text(value, 3 * MAX_NAME)
