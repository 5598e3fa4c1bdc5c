"""Trained cascades: a tree of leaves, and in each leaf stages that rows run through."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...numerics.arrays import Floats, Integers, Mask
from .calibration import Platt, Shares
from .columns import ExpandedColumns
from .policies import Policy
from .routing import RoutingTree
from .stages import StageModel, StagePlan, confidences

__all__ = ["Answers", "LeafCascade", "Member", "Sheet"]

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
