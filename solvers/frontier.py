"""Points of accuracy against prediction cost, and what a budget buys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from .errors import ThriftscopeError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Accounting", "Frontier", "FrontierPoint"]

Accounting: TypeAlias = Literal["mean", "p95", "max"]


@dataclass(frozen=True, eq=False)
class FrontierPoint:
    """One fitted model: what it costs and what it gets right.

    Parameters
    ----------
    method : str
        Name of the method, as in ``all_methods()``.
    params : mapping of str to float or str
        Its parameters at this point.
    features : ndarray of bool, shape (n_features,)
        The features acquired by at least one test row.
    n_features, n_components : int
        How many features are acquired, and how many components they need.
    cost : mapping of {"mean", "p95", "max"} to float
        Cost over test rows, in the hypergraph's unit.
    scores : mapping of str to mapping of str to float
        ``{"validation": {"f1", ...}, "test": {"f1", ...}}``.
    seconds : float
        Training time of this point.
    threshold : float, default=0.0
        The second class is predicted where the decision exceeds it.
    validation_cost : mapping of str to float, optional
        As `cost`, over validation rows: what a budget is held against.
    model : fitted estimator, optional
        The model itself; left out of tables and comparisons.
    decision_seconds : mapping of {"one_row", "batch_row"} to float, optional
        How long deciding takes once the features are there: the median of a few rows
        handed over one at a time, and a row's share of all test rows at once.
    """

    method: str
    params: Mapping[str, float | str]
    features: NDArray[np.bool_]
    n_features: int
    n_components: int
    cost: Mapping[str, float]
    scores: Mapping[str, Mapping[str, float]]
    seconds: float
    threshold: float = 0.0
    validation_cost: Mapping[str, float] | None = None
    model: Any = field(default=None, repr=False)
    decision_seconds: Mapping[str, float] | None = None

    def charged(self, accounting: Accounting, split: str = "test") -> float:
        """Return the cost under an accounting, on a split.

        Parameters
        ----------
        accounting : {"mean", "p95", "max"}
            Over rows.
        split : {"test", "validation"}, default="test"
            Over which rows.

        Returns
        -------
        float
        """
        if split == "validation" and self.validation_cost is not None:
            return self.validation_cost[accounting]
        return self.cost[accounting]

    def row(self) -> dict[str, Any]:
        """Return the point as one flat row of a table.

        Returns
        -------
        dict
        """
        validation = self.validation_cost or {}
        deciding = self.decision_seconds or {}
        scores = {
            f"{split}_{name}": value
            for split, values in self.scores.items()
            for name, value in values.items()
        }
        return {
            "method": self.method,
            **{f"param_{name}": value for name, value in self.params.items()},
            "n_features": self.n_features,
            "n_components": self.n_components,
            **{f"cost_{name}": value for name, value in self.cost.items()},
            **{f"validation_cost_{name}": value for name, value in validation.items()},
            "threshold": self.threshold,
            **scores,
            "seconds": self.seconds,
            **{f"decision_seconds_{name}": value for name, value in deciding.items()},
        }


class Frontier:
    """Points of one or several methods, on one axis of cost.

    Points are compared and chosen on validation; what they are worth is read on test.

    Parameters
    ----------
    points : iterable of FrontierPoint
        In any order.
    accounting : {"mean", "p95", "max"}, default="mean"
        Which cost over rows is the axis.
    score : str, default="f1"
        Which score is the other axis.
    floor : mapping of {"validation", "test"} to float, optional
        What the answer that computes nothing scores on each split, as
        ``free_scores(split)`` returns it. A point is chosen only if it is better than
        that on validation rows.

    Raises
    ------
    ThriftscopeError
        If the accounting is unknown, or the floor lacks a split.
    """

    def __init__(
        self,
        points: Iterable[FrontierPoint],
        accounting: Accounting = "mean",
        score: str = "f1",
        floor: Mapping[str, float] | None = None,
    ) -> None:
        if floor is not None and not {"validation", "test"} <= set(floor):
            raise ThriftscopeError(
                f"The floor is known on {', '.join(floor) or 'no split'} only; give "
                "its score on validation and on test rows."
            )
        if accounting not in get_args(Accounting):
            raise ThriftscopeError(
                f'The accounting is {accounting!r}; use "mean", "p95" or "max".'
            )
        self.points = tuple(points)
        self.accounting: Accounting = accounting
        self.score = score
        self.floor = floor

    def __len__(self) -> int:
        return len(self.points)

    def __iter__(self) -> Iterator[FrontierPoint]:
        return iter(self.points)

    def of(self, method: str) -> Frontier:
        """Return the points of one method.

        Parameters
        ----------
        method : str
            Name of the method.

        Returns
        -------
        Frontier
        """
        return self._with(point for point in self.points if point.method == method)

    def undominated(self, split: str = "validation") -> Frontier:
        """Return the points that no other point beats in both cost and score.

        Parameters
        ----------
        split : {"validation", "test"}, default="validation"
            Where cost and score are read.

        Returns
        -------
        Frontier
            By rising cost, and so by rising score; above the floor, if that is known.
        """
        best, kept = self._floor(split, -np.inf), []
        for point in sorted(self.points, key=lambda p: self._order(p, split)):
            if self._score(point, split) > best:
                best = self._score(point, split)
                kept.append(point)
        return self._with(kept)

    def best_within(self, budget: float) -> FrontierPoint | None:
        """Return the point of best validation score that the budget pays for.

        Parameters
        ----------
        budget : float
            In the hypergraph's unit, held against the validation cost.

        Returns
        -------
        FrontierPoint or None
            The cheapest of the best; None where nothing is cheap enough, or nothing
            that is is better than the floor.
        """
        floor = self._floor("validation", -np.inf)
        affordable = [
            point
            for point in self.points
            if self._cost(point, "validation") <= budget
            and self._score(point, "validation") > floor
        ]
        if not affordable:
            return None
        return min(
            affordable,
            key=lambda point: (
                -self._score(point, "validation"),
                self._cost(point, "validation"),
            ),
        )

    def hypervolume(self, full_cost: float, split: str = "test") -> float:
        """Return the share of the cost-score rectangle under the frontier.

        Parameters
        ----------
        full_cost : float
            Right end of the cost axis, above 0; often the cost of all features.
        split : {"test", "validation"}, default="test"
            Where cost and score are read. The points themselves are those that
            are undominated on validation, so that test rows choose nothing.

        Returns
        -------
        float
            From 0 to 1 for scores from 0 to 1. Left of the first point stands the
            floor, which is free; 0 where it is not known.
        """
        if not full_cost > 0:
            raise ThriftscopeError(
                f"The full cost is {full_cost:g}; give the cost of all features, "
                "above 0."
            )
        chosen = self.undominated()
        costs = np.array([0.0, *(chosen._cost(point, split) for point in chosen)])
        scores = np.array(
            [self._floor(split, 0.0), *(chosen._score(p, split) for p in chosen)]
        )
        order = np.argsort(costs, kind="stable")
        edges = np.clip(np.append(costs[order], full_cost), 0.0, full_cost)
        # A budget buys the latest point that fits, even if test rows like it less.
        return float(np.sum(np.diff(edges) * scores[order]) / full_cost)

    def to_frame(self) -> pd.DataFrame:
        """Return the points as a table, one row a point.

        Returns
        -------
        pandas.DataFrame
        """
        import pandas as pd

        return pd.DataFrame([point.row() for point in self.points])

    def _with(self, points: Iterable[FrontierPoint]) -> Frontier:
        return Frontier(points, self.accounting, self.score, self.floor)

    def _floor(self, split: str, unknown: float) -> float:
        return unknown if self.floor is None else self.floor[split]

    def _cost(self, point: FrontierPoint, split: str) -> float:
        return point.charged(self.accounting, split)

    def _score(self, point: FrontierPoint, split: str) -> float:
        return point.scores[split][self.score]

    def _order(self, point: FrontierPoint, split: str) -> tuple[float, float]:
        return self._cost(point, split), -self._score(point, split)
