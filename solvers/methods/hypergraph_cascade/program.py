"""A hypergraph cascade as a decision program: a tree routes, then a leaf's stages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

from ...decisions.program import (
    Answered,
    ExitIf,
    Opaque,
    Program,
    ProgramNode,
    Rule,
    is_linear,
    linear_machine,
    question,
    refusal,
)
from .members import LeafCascade, Member
from .policies import Policy
from .rows import ExpandedColumns
from .stages import SURE, Platt, StageModel


def cascade_program(member: Member, policy: Policy, n_classes: int) -> Program:
    """Return the tree of a member, and the stages of its leaves under a policy."""
    splits = member.tree.splits
    nodes = [ProgramNode()] * len(splits)
    starts = []
    for leaf, stops in zip(member.leaves, policy.stops, strict=True):
        starts.append(len(nodes))
        _stages(member, leaf, stops, policy.cut, n_classes, nodes)
    for place, split in enumerate(splits):
        below, above = (
            way if way >= 0 else starts[-1 - way] for way in (split.below, split.above)
        )
        nodes[place] = question(split.feature, split.threshold, below, above)
    return Program(tuple(nodes))


def exit_places(member: Member, policy: Policy) -> dict[int, dict[str, Any]]:
    """Return leaf, stage and interval of each node at which rows may leave."""
    found, place = {}, len(member.tree.splits)
    for leaf, stops in enumerate(policy.stops):
        for stage, low, high in stops:
            found[place] = {"leaf": leaf, "stage": stage, "low": low, "high": high}
            place += 1
    return found


def _stages(
    member: Member,
    leaf: LeafCascade,
    stops: Sequence[tuple[int, float, float]],
    cut: float,
    n_classes: int,
    nodes: list[ProgramNode],
) -> None:
    """Add the stages of a leaf at which rows may leave."""
    known, first = list(leaf.route), len(nodes)
    for number, (stage, low, high) in enumerate(stops):
        chosen = leaf.plan.bought(stage)
        parents = member.columns.parents[chosen].tolist()
        news = tuple(j for j in dict.fromkeys(parents) if j not in known)
        known += news
        seen = [_column(member.columns, column) for column in chosen.tolist()]
        node = _weighing(leaf.models[stage], seen, n_classes)
        rule: Rule = Answered()
        if stage != stops[-1][0]:
            units = (1.0,) * len(node.base)  # not looked at
            rule = ExitIf("outside", units, (low, high), first + number + 1)
        scale, shift = _calibration(leaf, stage, cut, n_classes)
        nodes.append(
            replace(node, buys=news, rule=rule, bound=SURE, scale=scale, shift=shift)
        )


def _calibration(
    leaf: LeafCascade, stage: int, cut: float, n_classes: int
) -> tuple[float, float]:
    """Return by what a stage's score is multiplied, and what is added to it."""
    curve = leaf.calibrations[stage]
    if n_classes > 2:
        return 1.0, 0.0
    if not isinstance(curve, Platt):
        return 1.0, -cut
    return curve.slope, curve.intercept - cut


def _weighing(
    answering: StageModel, seen: Sequence[Any], n_classes: int
) -> ProgramNode:
    """Return a node that weighs columns, or asks an estimator about them."""
    coef, intercept = answering.coef, answering.intercept
    if coef is None or intercept is None:
        foreign = answering.estimator
        if not is_linear(foreign):
            return _asking(answering, seen, n_classes)
        coef, intercept = linear_machine(None, foreign)
    terms = zip(seen, map(tuple, coef.T.tolist()), strict=True)
    return ProgramNode(tuple(intercept.tolist()), tuple(terms))


def _asking(answering: StageModel, seen: Sequence[Any], n_classes: int) -> ProgramNode:
    estimator = answering.estimator
    expanded = None
    if isinstance(estimator, HistGradientBoostingClassifier):
        expanded = partial(boosted_parts, estimator, seen)
    asked = Opaque(type(estimator).__name__, answering.answer, expanded)
    base = (0.0,) * (1 if n_classes == 2 else n_classes)
    return ProgramNode(base, tuple((column, ()) for column in seen), opaque=asked)


def _column(columns: ExpandedColumns, column: int) -> Any:
    """Return a feature, or one that is hinged where the cascade expanded it."""
    kind, feature = divmod(column, columns.n_features)
    if kind == 0 or columns.knots is None:
        return feature
    low, middle, high = columns.knots[:, feature].tolist()
    hinges = {1: ("fold", middle), 2: ("above", high), 3: ("below", low)}
    return (feature, *hinges[kind])


def boosted_parts(
    estimator: HistGradientBoostingClassifier, columns: Sequence[Any], begin: int
) -> tuple[ProgramNode, list[ProgramNode]]:
    """Return a node that adds up the answers of boosted trees; and the trees.

    `columns`: what the estimator's columns are in the policy.
    """
    base = np.ravel(estimator._baseline_prediction).tolist()
    trees: list[ProgramNode] = []
    roots = []
    for round_ in estimator._predictors:
        for output, tree in enumerate(round_):
            roots.append(begin + len(trees))
            trees += _tree(tree.nodes, columns, roots[-1], output, len(base))
    return ProgramNode(tuple(base), parts=tuple(roots)), trees


def _tree(
    rows: Any, columns: Sequence[Any], begin: int, output: int, n_outputs: int
) -> list[ProgramNode]:
    if rows["is_categorical"].any():
        raise refusal(None, "boosted trees that cut sets of categories")
    found = []
    for row in rows:
        if row["is_leaf"]:
            said = [0.0] * n_outputs
            said[output] = float(row["value"])
            found.append(ProgramNode(tuple(said)))
        else:
            ways = begin + int(row["left"]), begin + int(row["right"])
            column, at = columns[row["feature_idx"]], float(row["num_threshold"])
            found.append(question(column, at, *ways))
    return found
