"""A DAG as a decision program: a state scores a row, its gate's matches send it on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ...decisions.program import GatedFork, Program, ProgramNode
from ...numerics.ridge_logistic import LogisticModel
from .filter_tree import FilterTree
from .scores import SURE

#: What a state has computed, and how it scores that.
State: TypeAlias = tuple[list[int], LogisticModel]


def gated_program(
    states: Sequence[State],
    gates: Sequence[FilterTree],
    children: Sequence[Sequence[int]],
) -> Program:
    """Return the nodes of all states; rows come in at the first."""
    # Gates are trained backwards, and lead to later states only: so do nodes, if those
    # of a state stand before those of its children. The places are known once all are.
    plans = [
        _tournament(gate, [None, *onward])
        for gate, onward in zip(gates, children, strict=True)
    ]
    starts = np.cumsum([0, *(_size(plan) for plan in plans)]).tolist()
    nodes: list[ProgramNode] = []
    for state, plan in zip(states, plans, strict=True):
        _lay_out(state, plan, starts, nodes)
    return Program(tuple(nodes))


@dataclass(frozen=True, eq=False)
class _Played:
    """A match, and what follows where the first of two wins, or the second."""

    match: LogisticModel
    below: Any
    above: Any


def _tournament(gate: FilterTree, actions: Sequence[int | None]) -> Any:
    """Return the matches as a tree; its leaves are states, None: answer here."""
    if gate.constant >= 0:
        return actions[gate.constant]
    return _round(list(actions), [], gate.matches)


def _round(arms: list[Any], won: list[Any], matches: Sequence[LogisticModel]) -> Any:
    """Return the tree of what is left of a round: `arms`, behind the winners so far."""
    if len(arms) > 1:
        ways = (_round(arms[2:], [*won, one], matches[1:]) for one in arms[:2])
        return _Played(matches[0], *ways)
    return _round([*won, *arms], [], matches) if won else arms[0]


def _size(plan: Any) -> int:
    """Return how many nodes a plan takes: one a match, one an answer or a way on."""
    if isinstance(plan, _Played):
        return 1 + _size(plan.below) + _size(plan.above)
    return 1


def _lay_out(
    state: State, plan: Any, starts: Sequence[int], nodes: list[ProgramNode]
) -> None:
    """Add the nodes of a plan, the first of which is where rows come in."""
    columns, machine = state
    score, bought = machine.weights.tolist(), tuple(columns)
    if plan is None:
        terms = tuple((c, (w,)) for c, w in zip(columns, score, strict=True))
        nodes.append(ProgramNode((machine.intercept,), terms, bought, bound=SURE))
        return
    if not isinstance(plan, _Played):
        way = starts[plan]
        # Odds without a weight are 0, and those lead below.
        rule = GatedFork((0.0, 0.0, 0.0, 0.0), way, way)
        nodes.append(ProgramNode((0.0, 0.0), (), bought, rule))
        return
    match, n, here = plan.match, len(columns), len(nodes)
    weights = match.weights.tolist()
    nodes.append(ProgramNode())
    _lay_out(state, plan.below, starts, nodes)
    above = len(nodes)
    _lay_out(state, plan.above, starts, nodes)
    nodes[here] = ProgramNode(
        (machine.intercept, match.intercept),
        tuple(zip(columns, zip(score, weights[:n], strict=True), strict=True)),
        bought,
        GatedFork(tuple(weights[n:]), here + 1, above),
        bound=SURE,
    )
