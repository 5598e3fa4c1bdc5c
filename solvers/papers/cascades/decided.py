"""A cascade on a data set: what it costs and is worth, by a threshold or a budget."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...datasets.base import Dataset
from ...datasets.splits import Split, split_dataset
from ...methods.hypergraph_cascade import HypergraphCascadeClassifier
from ...methods.tefe import TEFEClassifier
from ...numerics.arrays import Floats, Integers, Mask
from ...values.knobs import Number
from .rows import CascadeRows

SHARE = Number("Share", 0, 1)
MAX_ROWS = Number("Most rows of each part", 1, np.inf, integer=True)

Array = Floats


def first_rows(dataset: Dataset, max_rows: int) -> Split:
    """Return a data set cut into parts, of each at most the first rows."""
    rows = split_dataset(dataset).rows  # which are shuffled already
    return Split(dataset, {part: found[:max_rows] for part, found in rows.items()})


def threshold_at(rows: CascadeRows, quantile: float) -> float:
    """Return the exit threshold at a quantile of the confidences of some rows.

    From 0, nothing is passed on whatever it is, to 1, everything is.
    """
    if quantile in (0.0, 1.0):
        return float("inf" if quantile else "-inf")
    return float(rows.curve.threshold_at_share(quantile))


def time_cap(stage_costs: Array, share: float) -> float:
    """Return a share of the full cost, or the first stage's, which always runs."""
    return max(share * float(stage_costs[-1]), float(stage_costs[0]))


@dataclass(frozen=True, eq=False, repr=False)
class ThresholdOutcome:
    """What one exit threshold does with rows; printed, stage by stage.

    Parameters
    ----------
    rows : CascadeRows
        What every stage says of the rows.
    threshold : float
        Confidence that is enough.
    unit : str, default=""
        Of the costs.
    """

    rows: CascadeRows
    threshold: float
    unit: str = ""

    @cached_property
    def exits(self) -> Integers:
        """Stage at which each row leaves, from 0, shape (n_rows,)."""
        return self.rows.exits(self.threshold)

    @cached_property
    def is_right(self) -> Mask:
        """Whether each row leaves right, shape (n_rows,)."""
        return self.rows.right[np.arange(self.rows.n_rows), self.exits]

    @cached_property
    def leaving(self) -> Integers:
        """How many rows leave at each stage, shape (n_stages,)."""
        return np.bincount(self.exits, minlength=self.rows.n_stages)

    @cached_property
    def cost(self) -> float:
        """Mean cost of a row."""
        return float(self.rows.stage_costs[self.exits].mean())

    @cached_property
    def accuracy(self) -> float:
        """Share of the rows that leave right."""
        return float(self.is_right.mean())

    def __repr__(self) -> str:
        stages = zip(self.rows.stage_costs, self.leaving, strict=True)
        return "\n".join(
            [
                f"threshold {self.threshold:.6g}: {self.cost:.6g} {self.unit} a test "
                f"row on average, {self.accuracy:.4f} of {self.rows.n_rows} test rows "
                "are right",
                *(
                    f"stage {stage}: {cost:.6g} {self.unit}, {count} rows leave"
                    for stage, (cost, count) in enumerate(stages, start=1)
                ),
            ]
        )


def threshold_cascade(
    dataset: Dataset,
    *,
    quantile: float = 0.5,
    C: float = 1.0,
    order: Any = "alone",
    confidence: Any = "distance",
    cap: float = 1.0,
    max_rows: int = 1000,
) -> ThresholdOutcome:
    """Train a cascade of one exit threshold (TEFE), and let the test rows through it.

    Parameters
    ----------
    dataset : Dataset
        Rows, labels and prices.
    quantile : float, default=0.5
        The exit threshold, as a quantile of the confidences of validation rows.
    C : float, default=1.0
        Weight of the losses.
    order, confidence : str, optional
        As of ``TEFEClassifier``.
    cap : float, default=1.0
        The most that a row may cost, over the cost of all stages; the first always
        runs.
    max_rows : int, default=1000
        Rows of each part that are taken at most, the first ones.

    Returns
    -------
    ThresholdOutcome
        Of the test rows.

    Raises
    ------
    ThriftscopeError
        If an argument makes no sense, or the cascade cannot learn the rows.

    Examples
    --------
    >>> from solvers.datasets import make_breast_cancer
    >>> found = threshold_cascade(make_breast_cancer(), quantile=0.0)
    >>> bool((found.exits == 0).all())
    True
    """
    for name, share in (("quantile", quantile), ("cap", cap)):
        SHARE.check(name, share)
    MAX_ROWS.check("max_rows", max_rows)
    split = first_rows(dataset, max_rows)
    model = TEFEClassifier(split.hypergraph, C=C, order=order, confidence=confidence)
    model.fit(**split.training | {"X": split.scaled("train")})
    limit = time_cap(model.stage_costs_, cap)
    rows = {
        part: CascadeRows.of(model, split.scaled(part), split.y(part)).capped(limit)
        for part in ("validation", "test")
    }
    threshold = threshold_at(rows["validation"], quantile)
    return ThresholdOutcome(rows["test"], threshold, dataset.unit)


@dataclass(frozen=True, eq=False, repr=False)
class BudgetOutcome:
    """What a hypergraph cascade does with test rows; printed, stage by stage.

    Parameters
    ----------
    split : Split
        The rows.
    model : HypergraphCascadeClassifier
        At the budget.
    cost, accuracy : float
        Mean cost of a test row, and the share of them that is right.
    """

    split: Split
    model: HypergraphCascadeClassifier
    cost: float
    accuracy: float

    def __repr__(self) -> str:
        split, data = self.split, self.split.dataset
        n_rows = len(split.rows["test"])
        lines = [
            f"{self.cost:.6g} {data.unit} a test row on average, {self.accuracy:.4f} "
            f"of {n_rows} test rows are right"
        ]
        for row in self.model.stage_table():
            bought = split.features_of(split.hypergraph.feature_mask(row.features))
            names = [data.feature_names[j] for j in np.flatnonzero(bought)]
            lines.append(
                f"stage {row.stage}: {', '.join(names) or 'nothing'}, {row.cost:.6g} "
                f"{data.unit} so far"
            )
        return "\n".join(lines)


def budget_cascade(
    dataset: Dataset,
    *,
    share: float = 0.3,
    order: Any = "both",
    model: Any = "logistic",
    routing: int | None = None,
    objective: Any = "accuracy",
    max_rows: int = 1000,
) -> BudgetOutcome:
    """Train a hypergraph cascade, and let the test rows through it within a budget.

    Parameters
    ----------
    dataset : Dataset
        Rows, labels and prices.
    share : float, default=0.3
        What a row may cost on average, over the cost of all features. One training
        has a policy for every budget.
    order, model, routing, objective : optional
        As of ``HypergraphCascadeClassifier``.
    max_rows : int, default=1000
        Rows of each part that are taken at most, the first ones.

    Returns
    -------
    BudgetOutcome
        Of the test rows.

    Raises
    ------
    ThriftscopeError
        If an argument makes no sense, or the cascade cannot learn the rows.

    Examples
    --------
    >>> from solvers.datasets import make_breast_cancer
    >>> found = budget_cascade(make_breast_cancer(), share=0.2)
    >>> found.cost <= 0.25 * found.split.dataset.hypergraph.total_cost
    True
    """
    SHARE.check("share", share)
    MAX_ROWS.check("max_rows", max_rows)
    split = first_rows(dataset, max_rows)
    trained = HypergraphCascadeClassifier(
        split.hypergraph,
        order=order,
        model=model,
        routing=routing,
        objective=objective,
    ).fit(**split.training)
    cascade = trained.at_budget(share * dataset.hypergraph.total_cost)
    X, y = split.X("test"), split.y("test")
    cost = float(cascade.prediction_cost(X).mean())
    return BudgetOutcome(split, cascade, cost, float((cascade.predict(X) == y).mean()))
