"""Trained cascades: a tree of leaves, and in each leaf stages that rows run through."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
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
from ...numerics.arrays import Floats, Integers, Mask
from .policies import Policy
from .routing import RoutingTree
from .rows import ExpandedColumns, WeightedRows
from .stages import SURE, Platt, Shares, StageModel, StagePlan, confidences
from .stopping import SAME

# The columns that a model sees of more rows are not held at a time.
ROWS_AT_ONCE = 2**15


@dataclass(frozen=True, eq=False)
class LeafCascade:
    """The stages that rows of one leaf run through."""

    route: tuple[int, ...]  #: Features that were computed on the way to the leaf
    plan: StagePlan  #: What each stage has bought, and what it has paid
    models: tuple[StageModel, ...]  #: What answers at each stage
    calibrations: tuple[Platt | Shares, ...]  #: How sure each may be


@dataclass(frozen=True, eq=False)
class Answers:
    """Where rows left, and what was said of them."""

    leaf: Integers  # (n_rows,) Where each row left
    stage: Integers
    # (n_rows, n_outputs) Calibrated log-odds of the second of two classes; log-
    # probabilities of more
    belief: Floats


@dataclass(frozen=True, eq=False)
class Member:
    """One cascade, or one in each leaf of a tree."""

    tree: RoutingTree  #: Which leaf a row belongs to
    columns: ExpandedColumns  #: What the models see
    leaves: tuple[LeafCascade, ...]  #: Their stages

    def outputs(self, X: Floats, leaf: int, stage: int) -> Floats:
        """Return what the model of a stage says; its features only are looked at.

        Parameters
        ----------
        X : ndarray of float, shape (n_rows, n_features)
            Rows of the leaf.
        leaf, stage : int
            Which model.

        Returns
        -------
        ndarray of float, shape (n_rows, n_outputs)
        """
        own = self.leaves[leaf]
        bought = own.plan.bought(stage)
        parts = [
            own.models[stage].outputs(
                self.columns.table(X[start : start + ROWS_AT_ONCE], bought)
            )
            for start in range(0, max(1, len(X)), ROWS_AT_ONCE)
        ]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def calibrated(self, outputs: Floats, leaf: int, stage: int) -> Floats:
        """Return calibrated log-odds of two classes; of more, outputs as they are.

        Parameters
        ----------
        outputs : ndarray of float, shape (n_rows, n_outputs)
            Of the stage's model.
        leaf, stage : int
            Which model.

        Returns
        -------
        ndarray of float, shape (n_rows, n_outputs)
        """
        calibration = self.leaves[leaf].calibrations[stage]
        is_odds = isinstance(calibration, Platt)
        return calibration.belief(outputs) if is_odds else outputs

    def run(self, X: Floats, policy: Policy, n_outputs: int) -> Answers:
        """Run rows through the stages until the policy lets them leave.

        Parameters
        ----------
        X : ndarray of float, shape (n_rows, n_features)
            The rows.
        policy : Policy
            Of this member.
        n_outputs : int
            Columns of the answers.

        Returns
        -------
        Answers
        """
        leaf_of = self.tree.leaves(X)
        stage_of = np.zeros(len(X), dtype=np.int64)
        belief = np.empty((len(X), n_outputs))
        for leaf, stops in enumerate(policy.stops):
            there = np.flatnonzero(leaf_of == leaf)
            for stage, low, high in stops:
                if not there.size:
                    break
                outputs = self.outputs(X[there], leaf, stage)
                u = confidences(outputs)
                leaves = ~((low < u) & (u < high))
                gone = there[leaves]
                stage_of[gone] = stage
                belief[gone] = self.calibrated(outputs[leaves], leaf, stage)
                there = there[~leaves]
        return Answers(leaf_of, stage_of, belief)

    def acquired(self, leaf: int, stage: int) -> Mask:
        """Return the features of a row that leaves at a stage.

        Parameters
        ----------
        leaf, stage : int
            Where.

        Returns
        -------
        ndarray of bool, shape (n_features,)
        """
        own = self.leaves[leaf]
        acquired = np.zeros(self.columns.n_features, dtype=bool)
        acquired[list(own.route)] = True
        acquired[self.columns.parents[own.plan.bought(stage)]] = True
        return acquired

    def acquirable(self, policy: Policy) -> Mask:
        """Return what rows of each leaf may compute under a policy.

        Shape: (n_leaves, n_features).
        """
        last = [stops[-1][0] for stops in policy.stops]
        return np.array([self.acquired(leaf, stage) for leaf, stage in enumerate(last)])


@dataclass(frozen=True, eq=False)
class Sheet:
    """What the stages of one member say of some rows."""

    leaf_of: Integers  #: (n_rows,) The leaf of each row
    #: (n_rows, n_stages) u of every stage of the row's leaf; NaN behind its last
    scores: Floats
    #: (n_rows, n_stages) Calibrated log-odds of the second of two classes; the code of
    #: the best of more
    beliefs: Floats
    #: (n_leaves, n_stages) What a row has paid that leaves at each stage; NaN behind
    #: the last
    costs: Floats

    @classmethod
    def of(cls, member: Member, rows: Floats, is_binary: bool) -> Sheet:
        leaf_of = member.tree.leaves(rows)
        n_stages = max(leaf.plan.n_stages for leaf in member.leaves)
        scores = np.full((len(rows), n_stages), np.nan)
        beliefs = np.full((len(rows), n_stages), np.nan)
        costs = np.full((len(member.leaves), n_stages), np.nan)
        for number, leaf in enumerate(member.leaves):
            here = np.flatnonzero(leaf_of == number)
            costs[number, : leaf.plan.n_stages] = leaf.plan.costs
            for stage in range(leaf.plan.n_stages if here.size else 0):
                outputs = member.outputs(rows[here], number, stage)
                scores[here, stage] = confidences(outputs)
                beliefs[here, stage] = (
                    member.calibrated(outputs, number, stage)[:, 0]
                    if is_binary
                    else np.argmax(outputs, axis=1)
                )
        return cls(leaf_of, scores, beliefs, costs)


# Exits that stand clear of every score: batches and single rows then agree.
#
# A score is a sum, and sums differ in their last places with the order in which they
# are added up. Where columns are binary many rows share a score, and a bound that
# stands on it would part them by chance.


def seated(
    policies: Sequence[Policy], members: Sequence[Member], rows: WeightedRows
) -> tuple[Policy, ...]:
    """Return the policies with every bound amid the training scores around it.

    No training row changes its way: bounds move within the gap that they stand in.
    """
    leaf_of = [member.tree.leaves(rows.X) for member in members]

    @cache
    def scores(member: int, leaf: int, stage: int) -> Floats:
        X = rows.X[leaf_of[member] == leaf]
        return np.unique(confidences(members[member].outputs(X, leaf, stage)))

    return tuple(_seated(policy, scores) for policy in policies)


def _seated(policy: Policy, scores: Callable[[int, int, int], Floats]) -> Policy:
    moved = []
    for leaf, pair in enumerate(zip(policy.low, policy.high, strict=True)):
        bounds = np.array(pair)
        for place in np.argwhere(np.isfinite(bounds)):
            side, stage = place.tolist()
            known = scores(policy.member, leaf, stage)
            bounds[side, stage] = amid(float(bounds[side, stage]), known)
        moved.append(bounds)
    return replace(
        policy, low=tuple(m[0] for m in moved), high=tuple(m[1] for m in moved)
    )


def amid(bound: float, scores: Floats) -> float:
    """Return the middle of the gap between scores that a bound stands in.

    Scores are rising. Scores that differ by rounding alone have no gap between them:
    the bound goes above them. What is as sure as can be is beyond every bound.
    """
    room = SAME * np.maximum(1.0, np.abs(scores))
    above = int(np.searchsorted(scores, bound))
    while 0 < above < len(scores) and scores[above] - scores[above - 1] <= room[above]:
        above += 1
    if 0 < above < len(scores):
        bound = float(scores[above - 1] + scores[above]) / 2.0
    elif above == 0 and scores[0] - bound <= room[0]:
        bound = float(scores[0]) - 1.0
    elif above == len(scores) and bound - scores[-1] <= room[-1]:
        bound = float(scores[-1]) + 1.0
    # Scores are cut there, in batches: see `StageModel.outputs`.
    return float(np.sign(bound)) * np.inf if abs(bound) >= SURE else bound


# A cascade as a decision program: a tree routes, then a leaf's stages.


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
