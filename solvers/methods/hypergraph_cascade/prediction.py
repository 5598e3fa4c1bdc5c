"""Running a trained cascade on many rows: answers, exits, and what a budget buys."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, softmax
from sklearn.utils.validation import check_is_fitted

from ...costs.budgets import room_of
from ...decisions.program import Program
from ...decisions.row_costs import Accounting
from ...decisions.walker import Stop, Walker
from ...numerics.arrays import Floats, Integers, Mask
from ...values.knobs import check_knobs
from ..adaptive import AdaptiveClassifier
from ..grouped import GroupedClassifier
from .members import Answers, Member, Sheet
from .policies import Policy
from .program import cascade_program, exit_places
from .stages import SURE

# Running a trained hypergraph cascade: answers, exits, and what a budget buys.


@dataclass(frozen=True)
class StageRow:
    """One stage of a leaf under the policy of a budget."""

    #: Which, from 0
    leaf: int
    stage: int
    features: tuple[str, ...]  #: What it computes that no stage before it did
    cost: float  #: What a row has paid that leaves here, in the hypergraph's unit
    #: Rows go on if their score is strictly between them
    low: float
    high: float
    #: Whether a row may leave here; otherwise the stage's model is not even asked
    is_stop: bool


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoreStop(Stop):
    """A stop, and the interval in which rows go on."""

    leaf: int  #: Of the tree that routes, from 0
    u: tuple[float, ...]  # What the stage's model says
    #: The row goes on if its score is strictly between them
    low: float
    high: float

    @property
    def score(self) -> float:
        """What the stage tells rows apart by: odds, or the lead of the best class."""
        if len(self.u) == 1:
            return min(max(self.u[0], -SURE), SURE)
        best = sorted(self.u)
        return min(best[-1] - best[-2], SURE)


class CascadePrediction(GroupedClassifier, AdaptiveClassifier):
    """What a hypergraph cascade does once it is trained."""

    # Features come one by one: what is paid for already is bought first anyway.
    groups = None
    budget: float | None
    accounting: Accounting
    members_: tuple[Member, ...]
    policies_: tuple[Policy, ...]

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "policies_")

    # -------------------------------------------------------------------------- budgets

    @property
    def policy_(self) -> Policy:
        """The best policy on held-out training rows that the budget pays for."""
        check_is_fitted(self)
        check_knobs(self)
        if self.budget is None:
            return self.policies_[-1]
        room = room_of(self.budget)
        position = int(np.searchsorted(self._policy_costs, room, side="right"))
        return self.policies_[max(position - 1, 0)]

    def at_budget(self, budget: float | None) -> Self:
        """Return the cascade for another budget: a look-up, nothing is trained.

        `budget`: what a row may cost, in the hypergraph's unit; None for no limit.
        """
        check_is_fitted(self)
        other = copy.copy(self)
        other.budget = budget
        check_knobs(other)
        return other

    # ----------------------------------------------------------------------- prediction

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return what the stage at which each row leaves says.

        Shapes: `X` (n_samples, n_features) -> (n_samples,) or (n_samples, n_classes).
        For two classes calibrated log-odds over those from which a row is held to be of
        the second class; log-probabilities for more.
        `X`: the rows. What a row does not acquire does not matter to it.
        """
        # What rows computed takes half as long again, and nobody asks for it here.
        return self._scores(self._answers(self._check_rows(X)))

    def _walk(self, rows: Floats) -> tuple[Floats, Mask]:
        answers, member = self._answers(rows), self._member
        acquired = np.empty((len(rows), self.n_features_in_), dtype=bool)
        for leaf in np.unique(answers.leaf):
            here = np.flatnonzero(answers.leaf == leaf)
            for stage in np.unique(answers.stage[here]):
                left = here[answers.stage[here] == stage]
                acquired[left] = member.acquired(int(leaf), int(stage))
        return self._scores(answers), acquired

    def acquirable_features(self) -> Mask:
        """Return what is computed up to the last stage of each leaf."""
        return self._member.acquirable(self.policy_)

    def program(self) -> Program:
        """Return the tree that routes, and the stages at which rows may leave."""
        check_is_fitted(self)
        return cascade_program(self._member, self.policy_, len(self.classes_))

    def walker(self) -> Walker:
        """Return what decides about one sample after the other, in little time."""
        check_is_fitted(self)
        places = exit_places(self._member, self.policy_)
        return Walker(
            self.program(),
            self._hypergraph(),
            self.classes_,
            lambda stop: ScoreStop(**{**vars(stop), **places[stop.node]}, u=stop.said),
        )

    def exit_probabilities(self, X: ArrayLike) -> Floats:
        """Return the probability of each class at the stage at which each row leaves.

        Shapes: `X` (n_samples, n_features) -> (n_samples, n_classes).
        For two classes calibrated on held-out rows. ``predict`` weighs them for F1
        where that is the objective, and so need not name the likelier class.
        """
        belief = self._answers(self._check_rows(X)).belief
        if belief.shape[1] > 1:
            return softmax(belief, axis=1)
        return np.column_stack([expit(-belief[:, 0]), expit(belief[:, 0])])

    def exit_stages(self, X: ArrayLike) -> Integers:
        """Return the stage at which each row leaves, from 0.

        Shapes: `X` (n_samples, n_features) -> (n_samples,).
        """
        return self._answers(self._check_rows(X)).stage

    def leaves(self, X: ArrayLike) -> Integers:
        """Return the leaf that each row is led to; 0 without routing.

        Shapes: `X` (n_samples, n_features) -> (n_samples,).
        """
        rows = self._check_rows(X)
        return self._member.tree.leaves(rows)

    # --------------------------------------------------------------------------- stages

    def stage_table(self) -> tuple[StageRow, ...]:
        """Return the stages under the policy of the budget, leaf by leaf."""
        policy, member, names = self.policy_, self._member, self._feature_names()
        found = []
        for number, (low, high) in enumerate(zip(policy.low, policy.high, strict=True)):
            asked = [stage for stage, _, _ in policy.stops[number]]
            plan = member.leaves[number].plan
            before = np.zeros(self.n_features_in_, dtype=bool)
            for stage in range(asked[-1] + 1):
                acquired = member.acquired(number, stage)
                news = tuple(names[j] for j in np.flatnonzero(acquired & ~before))
                before = acquired
                limits = float(low[stage]), float(high[stage])
                cost = float(plan.costs[stage])
                found.append(
                    StageRow(number, stage, news, cost, *limits, stage in asked)
                )
        return tuple(found)

    def stage_scores(self, X: ArrayLike) -> Floats:
        """Return the scores that every stage tells rows apart by, whoever has left.

        Shapes: `X` (n_samples, n_features) -> (n_samples, n_stages).
        Log-odds for two classes; for more, by how much the best class beats the second.
        NaN behind the last stage of a row's leaf.
        """
        rows = self._check_rows(X)
        return Sheet.of(self._member, rows, len(self.classes_) == 2).scores

    # ------------------------------------------------------------------------- plumbing

    @property
    def _member(self) -> Member:
        return self.members_[self.policy_.member]

    @property
    def _policy_costs(self) -> list[float]:
        return [policy.cost(self.accounting) for policy in self.policies_]

    def _scores(self, answers: Answers) -> Floats:
        scores = answers.belief
        return scores[:, 0] - self.policy_.cut if scores.shape[1] == 1 else scores

    def _answers(self, rows: Floats) -> Answers:
        n_outputs = 1 if len(self.classes_) == 2 else len(self.classes_)
        return self._member.run(rows, self.policy_, n_outputs)


# What all stages say of labelled rows: then any policy's outcome is a look-up.


class Replay:
    """What all stages of a trained cascade say of labelled rows.

    Parameters
    ----------
    model : HypergraphCascadeClassifier
        Fitted.
    X : array_like of float, shape (n_rows, n_features)
        The rows, all features known.
    y : array_like, shape (n_rows,)
        Their labels.
    """

    def __init__(self, model: CascadePrediction, X: ArrayLike, y: ArrayLike) -> None:
        rows = model._check_rows(X)
        self.is_binary = len(model.classes_) == 2
        self.truth = np.searchsorted(model.classes_, np.asarray(y))
        self.sheets = tuple(
            Sheet.of(member, rows, self.is_binary) for member in model.members_
        )

    def exits(self, policy: Policy) -> Integers:
        """Return the stage at which each row leaves under a policy.

        Parameters
        ----------
        policy : Policy
            Of the cascade.

        Returns
        -------
        ndarray of int, shape (n_rows,)
            As ``exit_stages`` of the cascade at that policy.
        """
        sheet = self.sheets[policy.member]
        stages = np.zeros(len(self.truth), dtype=np.int64)
        for leaf, (low, high) in enumerate(zip(policy.low, policy.high, strict=True)):
            here = np.flatnonzero(sheet.leaf_of == leaf)
            u = sheet.scores[here, : len(low)]
            # The first stage at which a row does not go on; the last has no interval.
            stages[here] = np.argmin((low < u) & (u < high), axis=1)
        return stages

    def right(self, policy: Policy) -> Mask:
        """Return whether each stage would be right about each row under a policy.

        Parameters
        ----------
        policy : Policy
            Of the cascade; its cut decides between two classes.

        Returns
        -------
        ndarray of bool, shape (n_rows, n_stages)
        """
        beliefs = self.sheets[policy.member].beliefs
        called = beliefs > policy.cut if self.is_binary else beliefs
        return np.asarray(called == self.truth[:, np.newaxis])

    def outcome(self, policy: Policy) -> tuple[float, float]:
        """Return mean cost and accuracy of a policy.

        Parameters
        ----------
        policy : Policy
            Of the cascade.

        Returns
        -------
        cost : float
            In the hypergraph's unit.
        accuracy : float
        """
        exits, sheet = self.exits(policy), self.sheets[policy.member]
        is_right = self.right(policy)[np.arange(len(exits)), exits]
        cost = sheet.costs[sheet.leaf_of, exits].mean()
        return float(cost), float(is_right.mean())
