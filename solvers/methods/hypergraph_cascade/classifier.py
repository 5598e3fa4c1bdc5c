"""The hypergraph cascade as a scikit-learn classifier."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, softmax
from sklearn.utils.validation import check_is_fitted

from ...costs.budgets import room_of
from ...decisions.program import Program
from ...decisions.row_costs import Accounting
from ...decisions.walker import Stop, Walker
from ...numerics.arrays import Floats, Integers, Mask
from ...values.fields import Described, declared
from ...values.knobs import BUDGET_KNOB, Choice, Number, check_knobs
from ..adaptive import AdaptiveClassifier, SteppedClassifier
from ..base import Prices
from ..grouped import GivenMistakes, GroupedClassifier, GroupedTraining
from .members import Answers, Member, Sheet, cascade_program, exit_places
from .policies import Objective, Policy, PolicyObjective
from .rows import WeightedRows, distinct_rows, drawn_rows
from .settings import (
    OrderChoice,
    Settings,
    TrainingProgress,
    check_model,
    check_most_rows,
)
from .stages import SURE
from .training import train


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


@declared
class HypergraphCascadeClassifier(
    SteppedClassifier, GroupedClassifier, AdaptiveClassifier
):
    """A cascade over an order that knows shared components, stopped optimally.

    Features are bought in the order of what they explain per marginal cost. After each
    stage a model answers with one calibrated score; a row goes on only while its score
    lies between two numbers, which minimise expected errors plus a price of time, from
    the last stage back to the first. One training gives hundreds of such policies:
    another budget is a look-up.

    Attributes
    ----------
    classes_ : ndarray
        The labels, sorted.
    members_ : tuple of Member
        The cascades that were trained: their trees, stages and models.
    policies_ : tuple of Policy
        Those that no other beats on held-out training rows, by rising cost: which
        member, its intervals, its costs, and as its score what choosing it on half of
        those rows is worth on the other half.
    n_policies_ : int
        How many were compared.
    training_seconds_ : float
        How long training took.
    sampled_rows_ : tuple of int, or None
        From how many of how many rows it has learned; None where from all.

    Notes
    -----
    Copies of a row share a fold, and a weight of two is a row written twice. No score
    of a held-out row comes from an order, split or model that learned from its fold.
    Nothing is bought that is not better than the free answer by two standard errors.
    Training is O(n_features^3) for an order, six orders and six fits a stage, and
    O(n_rows n_stages) a policy once scores are sorted.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = HypergraphCascadeClassifier(model="logistic").fit(X, y)
    >>> cheap, costly = model.at_budget(2), model.at_budget(10)
    >>> cheap.policy_.mean <= 2 < costly.policy_.mean <= 10  # features, at unit costs
    True
    >>> cheap.policy_.score < costly.policy_.score
    True
    """

    title: ClassVar[str] = "Hypergraph cascade"
    takes_single: ClassVar[bool] = True
    path_knob: ClassVar[str | None] = "budget"
    # Features come one by one: what is paid for already is bought first anyway.
    groups = None

    hypergraph: Prices = None
    order: Annotated[
        OrderChoice,
        Choice(
            "Feature order",
            ("both", "forward", "block"),
            doc="One feature after the other, blocks that share components, or both.",
        ),
        "One feature after the other, or blocks that share components and are "
        "never left in the middle; policies of both compete.",
    ] = "both"
    stages: Annotated[
        int | None,
        Number(
            "Stages",
            1,
            1000,
            integer=True,
            optional=True,
            shown=(5, 50),
            doc="Into how many steps the full cost is cut.",
        ),
        "Into how many steps the full cost is cut, the first ones three times "
        "as fine; 25 by default, 10 where the model is not linear.",
    ] = None
    model: Annotated[
        Any,
        Described(
            '{"auto", "logistic", "expanded", "boosted"} or classifier',
            "What answers at a stage: a logistic regression, one that also sees "
            "folds and hinges of every feature, small boosted trees, or clones of a "
            'scikit-learn classifier that takes weights. "auto" lets the first '
            'three compete, and routing, where there are rows enough; "logistic" '
            "trains quickest.",
        ),
    ] = "auto"
    routing: Annotated[
        int | None,
        Number(
            "Routing",
            0,
            2,
            integer=True,
            optional=True,
            doc="Most splits on a cheap feature before the first stage.",
        ),
        "Most median splits on a cheap feature before the first stage, 0 to 2. "
        "Each is taken only where two models explain held-out rows better than "
        'one; cascades without it compete. By default 2 under "auto" and 0 '
        "elsewhere.",
    ] = None
    objective: Annotated[
        Objective,
        Choice("Objective", ("f1", "accuracy"), doc="What policies are chosen by."),
        "What policies are chosen by. F1 is of the second of two classes, and "
        "the mean over more.",
    ] = "f1"
    mistake_costs: GivenMistakes = None
    budget: Annotated[
        float | None,
        replace(BUDGET_KNOB, doc="What a row may cost."),
        "What a row may cost, in the hypergraph's unit; no limit by default. It "
        "may be changed after training.",
    ] = None
    accounting: Annotated[
        Accounting,
        Choice(
            "Accounting",
            ("mean", "p95", "max"),
            doc="Which cost over rows the budget limits.",
        ),
        'Which cost over rows the budget limits. Under "max" early exits save '
        "nothing: every row computes the same, one feature after the other, as "
        "in forward selection.",
    ] = "mean"
    random_state: Annotated[
        int | None, "Seed of the folds, and of which rows are drawn."
    ] = 0
    max_rows: Annotated[
        int | None,
        "Of more training rows so many are drawn, each class in its share, and "
        "learned from; `sampled_rows_` says so. None learns from all.",
    ] = 20_000

    # ------------------------------------------------------------------------- training

    def _checked(
        self, X: ArrayLike, y: ArrayLike, sample_weight: Any, groups: Any
    ) -> GroupedTraining:
        check_model(self.model)
        check_most_rows(self.max_rows)
        return super()._checked(X, y, sample_weight, groups)

    def _prepared(self, training: GroupedTraining) -> WeightedRows:
        """Return the rows to learn from, equal ones together."""
        n_rows = len(training.labels)
        drawn = drawn_rows(training.labels, self.max_rows, self.random_state)
        self.sampled_rows_ = None if drawn is None else (len(drawn), n_rows)
        taken = slice(None) if drawn is None else drawn
        return distinct_rows(
            training.X[taken].astype(float, copy=False),
            training.labels[taken],
            training.weights[taken],
            None if training.row_groups is None else training.row_groups[taken],
        )

    def _training_steps(self, rows: WeightedRows) -> Iterator[TrainingProgress]:
        settings = Settings(
            self.order,
            self.stages,
            self.model,
            self.routing,
            PolicyObjective(self.objective, rows.n_classes, self._mistakes()),
            self.accounting,
            self.random_state,
        )
        started = time.perf_counter()
        trained = yield from train(rows, self._hypergraph(), settings)
        self.training_seconds_ = time.perf_counter() - started
        self.members_ = trained.members
        self.policies_ = trained.policies
        self.n_policies_ = trained.n_policies

    def _fitted_models(self) -> Iterator[Self]:
        """Yield a model for each policy of the out-of-fold frontier, cheapest first.

        The stages are trained once. The estimator's own budget is not looked at.
        """
        for policy in self.policies_:
            yield self.at_budget(policy.cost(self.accounting))

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "policies_")

    # -------------------------------------------------------------------------- budgets

    @property
    def policy_(self) -> Policy:
        """The best policy on held-out training rows that the budget pays for.

        Without a budget the last, or, where mistakes are priced, the one whose tests
        and mistakes cost least: rows stop where the next test is worth less than it
        costs.
        """
        check_is_fitted(self)
        check_knobs(self)
        if self.budget is None:
            if self.mistake_costs is None:
                return self.policies_[-1]
            return min(self.policies_, key=lambda policy: policy.mean - policy.score)
        room = room_of(self.budget)
        costs = [policy.cost(self.accounting) for policy in self.policies_]
        position = int(np.searchsorted(costs, room, side="right"))
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

    def __init__(
        self, model: HypergraphCascadeClassifier, X: ArrayLike, y: ArrayLike
    ) -> None:
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
