"""The hypergraph cascade as a scikit-learn classifier."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Self

from numpy.typing import ArrayLike

from ...decisions.row_costs import Accounting
from ...values.fields import Described, declared
from ...values.knobs import BUDGET_KNOB, Choice, Number
from ..adaptive import SteppedClassifier
from ..base import Prices
from ..grouped import GroupedTraining
from .policies import Objective, PolicyObjective
from .prediction import CascadePrediction
from .rows import WeightedRows, distinct_rows, drawn_rows
from .settings import (
    OrderChoice,
    Settings,
    TrainingProgress,
    check_model,
    check_most_rows,
)
from .training import train


@declared
class HypergraphCascadeClassifier(SteppedClassifier, CascadePrediction):
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
            PolicyObjective(self.objective, rows.n_classes),
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
