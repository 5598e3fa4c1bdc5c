"""Frontiers that were put aside, to be seen beside what came later."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, TypeAlias, get_args

from solvers import Frontier
from solvers.errors import InterchangeError, shown
from solvers.row_costs import Accounting

from .checked import demand

__all__ = ["MAX_NAME", "MAX_PINS", "Pin", "Steps", "bought", "read_pin", "steps_of"]

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
    within = [step for step in steps if step[0] <= budget * (1 + 1e-12)]
    return within[-1][3] if within else None


def read_pin(given: Any) -> Pin:
    """Return a pin that somebody's file holds."""
    names = {field.name for field in fields(Pin)}
    demand(isinstance(given, Mapping) and set(given) == names, _BROKEN)
    for key in ("name", "data", "hypergraph", "unit"):
        _refuse_odd_text(given[key])
    if given["accounting"] not in get_args(Accounting):
        raise InterchangeError(
            f"A pinned frontier is charged by {shown(given['accounting'])}; a session "
            'says "mean", "p95" or "max".'
        )
    demand(_is_number(given["rows"]) and _is_number(given["full_cost"]), _BROKEN)
    runs = _listed(given["runs"], MAX_RUNS)
    return Pin(
        **{
            **given,
            "rows": int(given["rows"]),
            "full_cost": float(given["full_cost"]),
            "methods": tuple(map(_refuse_odd_text, _listed(given["methods"], 100))),
            "steps": _steps(given["steps"]),
            "runs": tuple(_steps(run) for run in runs),
        }
    )


def _steps(given: Any) -> Steps:
    steps = []
    for step in _listed(given, MAX_STEPS):
        demand(isinstance(step, list) and len(step) == 4, _BROKEN)
        demand(all(map(_is_number, step)) and max(step[2:]) <= 1, _BROKEN)
        steps.append(tuple(float(value) for value in step))
    rises = all(before[0] <= after[0] for before, after in itertools.pairwise(steps))
    demand(rises, _BROKEN)
    return tuple(steps)


def _listed(given: Any, most: int) -> Sequence[Any]:
    demand(isinstance(given, list) and len(given) <= most, _BROKEN)
    return given


def _is_number(value: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and 0 <= value < 1e15 and math.isfinite(value)


def _refuse_odd_text(value: Any) -> str:
    demand(isinstance(value, str) and len(value) <= 3 * MAX_NAME, _BROKEN)
    demand(value.isprintable(), _BROKEN)
    return value
