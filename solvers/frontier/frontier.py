"""Points of accuracy against prediction cost, and what a budget buys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from ..checks import at_least_zero, refuse_unknown
from ..costs.budgets import room_of
from ..costs.units import conversion, is_time
from ..decisions.mistakes import MistakeCosts
from ..decisions.program import PricedAnswers
from ..decisions.row_costs import Accounting, RowCosts, check_accounting
from ..decisions.scores import SCORES, TOTAL_COST
from ..errors import ThriftscopeError, counted, listed, shown
from ..numerics.arrays import Mask
from ..values.notebook_table import MOST_ROWS, notebook_table
from ..values.rounding import fixed, number

if TYPE_CHECKING:
    import pandas as pd

#: What is paid: features alone, or deciding as well, about one row that is handed over
#: alone or about a row of many.
Charge: TypeAlias = Literal["features", "one_row", "batch_row"]


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
        ``{"validation": {"f1", ...}, "test": {"f1", ...}}``: "f1", "precision",
        "recall", "accuracy" and "balanced_accuracy" of the labels, of more than two
        classes means over these and "weighted_f1"; for two classes "roc_auc",
        "average_precision" and "sensitivity_at_specificity" (of .95) too, and
        "neg_log_loss"; where mistakes are priced "neg_total_cost", of tests and
        mistakes a row. More is better.
    seconds : float
        Training time of this point.
    threshold : float, default=0.0
        The second class is predicted where the decision exceeds it.
    validation_cost : mapping of str to float, optional
        As `cost`, over validation rows: what a budget is held against.
    model : fitted estimator, optional
        The model itself; left out of tables and comparisons.
    encoder : TableEncoder, optional
        What the model's columns are made by; left out of tables and comparisons.
    decision_seconds : mapping of {"one_row", "batch_row"} to float, optional
        How long deciding takes once the features are there, a row alone and a row of
        many, as `time_decisions` measures it.
    validation_rows : RowCosts, optional
        What each validation row costs, which a confidence is reckoned from; left out
        of tables.
    mistake_costs : MistakeCosts, optional
        What mistakes cost in its total, in the unit of the data; left out of tables.
    priced : PricedAnswers, optional
        What answers rows of three classes or more by least expected mistakes; the
        model's own label is the answer without it. Left out of tables.
    prices, validation_prices : mapping of str to mapping of str to float, default={}
        As `cost` and `validation_cost`, for every further price by its name.
    """

    method: str
    params: Mapping[str, float | str]
    features: Mask
    n_features: int
    n_components: int
    cost: Mapping[str, float]
    scores: Mapping[str, Mapping[str, float]]
    seconds: float
    threshold: float = 0.0
    validation_cost: Mapping[str, float] | None = None
    model: Any = field(default=None, repr=False)
    encoder: Any = field(default=None, repr=False)
    decision_seconds: Mapping[str, float] | None = None
    validation_rows: RowCosts | None = field(default=None, repr=False)
    mistake_costs: MistakeCosts | None = field(default=None, repr=False)
    priced: PricedAnswers | None = field(default=None, repr=False)
    prices: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    validation_prices: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

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
            **{
                f"price_{price}_{name}": value
                for price, paid in self.prices.items()
                for name, value in paid.items()
            },
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
        Which score is the other axis, by its name in a point's `scores`.
    floor : mapping of {"validation", "test"} to float, optional
        What the answer that computes nothing scores on each split, as
        ``free_scores(split)`` returns it. A point is chosen only if it is better than
        that on validation rows.
    charge : {"features", "one_row", "batch_row"}, default="features"
        What is paid: the features alone, or the measured time of deciding as well,
        about a row handed over alone or about a row of many.
    unit : str, default="us"
        Of the costs; deciding is charged in units of time only.
    confidence : float, default=0.0
        A point fits a budget if with this confidence its cost over as many other rows
        as there are validation rows stays within, as ``RowCosts.bound`` reckons it; at
        0, if its cost over the validation rows themselves does.
    limits : mapping of str to float, optional
        The most that may be paid of further prices, by name, under the same accounting
        and on validation rows: a point that exceeds one is never chosen.

    Raises
    ------
    ThriftscopeError
        If the accounting, the score or the charge is unknown, a point lacks the score,
        the floor lacks a split, the unit is no time where deciding is charged, a limit
        is negative, or the confidence is neither 0 nor from 0.5 to below 1.
    """

    def __init__(
        self,
        points: Iterable[FrontierPoint],
        accounting: Accounting = "mean",
        score: str = "f1",
        floor: Mapping[str, float] | None = None,
        *,
        charge: Charge = "features",
        unit: str = "us",
        confidence: float = 0.0,
        limits: Mapping[str, float] | None = None,
    ) -> None:
        if floor is not None and not {"validation", "test"} <= set(floor):
            raise ThriftscopeError(
                f"The floor is known on {', '.join(floor) or 'no split'} only; give "
                "its score on validation and on test rows."
            )
        check_accounting(accounting)
        _check_charge(charge, unit)
        if confidence and not 0.5 <= confidence < 1:
            raise ThriftscopeError(
                f"The confidence is {confidence:g}; give 0, or at least 0.5 and less "
                "than 1."
            )
        for name, limit in (limits or {}).items():
            at_least_zero(limit, f"The limit on {shown(name)}")
        self.points = tuple(points)
        _check_score(score, self.points)
        self.accounting: Accounting = accounting
        self.score = score
        self.floor = floor
        self.charge: Charge = charge
        self.unit = unit
        self.confidence = confidence
        self.limits = dict(limits or {})

    def __len__(self) -> int:
        return len(self.points)

    def __iter__(self) -> Iterator[FrontierPoint]:
        return iter(self.points)

    def __repr__(self) -> str:
        methods = dict.fromkeys(point.method for point in self.points)
        of_methods = f" of {listed([*methods])}" if methods else ""
        return (
            f"Frontier({counted(len(self), 'point')}{of_methods}, {self.score} against "
            f"{self.accounting} cost)"
        )

    def _repr_html_(self) -> str:
        try:
            steps = self.undominated().points
        except ThriftscopeError as error:  # what is charged is not known of all points
            return notebook_table(repr(self), (), (), str(error))
        parts = ("validation", "test")
        rows = []
        for point in steps[:MOST_ROWS]:
            scores = [fixed(self.scored(point, part), 3) for part in parts]
            cost = number(self.held(point))
            rows.append((point.method, cost, *scores, point.n_features))
        heads = [f"{self.score} ({part})" for part in parts]
        left = len(steps) - len(rows)
        return notebook_table(
            repr(self),
            ["method", "cost (validation)", *heads, "features"],
            rows,
            f"And {left} costlier ones that no other beats." if left else "",
        )

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
        return self.holding(point for point in self.points if point.method == method)

    def cost(self, point: FrontierPoint, split: str = "test") -> float:
        """Return where a point stands on the axis of cost.

        Parameters
        ----------
        point : FrontierPoint
            Any point, of this frontier or not.
        split : {"test", "validation"}, default="test"
            Over which rows.

        Returns
        -------
        float
            In `unit`, deciding included if that is charged.
        """
        return point.charged(self.accounting, split) + self.deciding(point)

    def held(self, point: FrontierPoint) -> float:
        """Return what a budget is held against when a point is chosen.

        Parameters
        ----------
        point : FrontierPoint
            Any point, of this frontier or not.

        Returns
        -------
        float
            Its cost over validation rows; with a `confidence`, what as many other rows
            stay within, or the most that its model can charge any row where validation
            rows promise no less.

        Raises
        ------
        ThriftscopeError
            If there is a confidence, and the point does not know what each row costs.
        """
        if not self.confidence:
            return self.cost(point, "validation")
        if point.validation_rows is None:
            raise ThriftscopeError(
                f"The point of {point.method} does not say what each row costs; trace "
                "the frontier again, or ask for no confidence."
            )
        bound = point.validation_rows.bound(self.accounting, self.confidence)
        return bound + self.deciding(point)

    def keeps_limits(self, point: FrontierPoint) -> bool:
        """Return whether a point stays within all limits on validation rows.

        Parameters
        ----------
        point : FrontierPoint
            Any point, of this frontier or not.

        Returns
        -------
        bool

        Raises
        ------
        ThriftscopeError
            If what the point pays of a limited price is not known.
        """
        for name, limit in self.limits.items():
            paid = point.validation_prices.get(name)
            if paid is None:
                raise ThriftscopeError(
                    f"The point of {point.method} does not say what it pays of "
                    f"{shown(name)}; give the data a price of that name."
                )
            if paid[self.accounting] > room_of(limit):
                return False
        return True

    def deciding(self, point: FrontierPoint) -> float:
        """Return what is charged for deciding.

        Parameters
        ----------
        point : FrontierPoint
            Any point, of this frontier or not.

        Returns
        -------
        float
            In `unit`; 0 where features alone are charged.
        """
        if self.charge == "features":
            return 0.0
        if point.decision_seconds is None:
            raise ThriftscopeError(
                f"How long {point.method} decides was not measured; give "
                "time_decisions(point, split), or charge features alone."
            )
        return point.decision_seconds[self.charge] * conversion("s", self.unit)

    def undominated(self, split: str = "validation") -> Frontier:
        """Return the points that no other point beats in both cost and score.

        Parameters
        ----------
        split : {"validation", "test"}, default="validation"
            Where cost and score are read.

        Returns
        -------
        Frontier
            By rising cost, and so by rising score; within all limits, and above the
            floor, if that is known.
        """
        best, kept = self._floor(split, -np.inf), []
        allowed = filter(self.keeps_limits, self.points)
        for point in sorted(allowed, key=lambda p: self._order(p, split)):
            if self.scored(point, split) > best:
                best = self.scored(point, split)
                kept.append(point)
        return self.holding(kept)

    def best_within(self, budget: float) -> FrontierPoint | None:
        """Return the point of best validation score that the budget pays for.

        Parameters
        ----------
        budget : float
            In the hypergraph's unit, against which `held` is held.

        Returns
        -------
        FrontierPoint or None
            The cheapest of the best; None where nothing is cheap enough, or nothing
            that is is better than the floor.
        """
        floor, room = self._floor("validation", -np.inf), room_of(budget)
        affordable = [
            point
            for point in self.points
            if self.held(point) <= room
            and self.scored(point, "validation") > floor
            and self.keeps_limits(point)
        ]
        if not affordable:
            return None
        return min(
            affordable,
            key=lambda point: (-self.scored(point, "validation"), self.held(point)),
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
            From 0 to 1 for scores from 0 to 1; of what is negated, minus its mean over
            budgets. Left of the first point stands the
            floor, which is free; 0 where it is not known.
        """
        if not full_cost > 0:
            raise ThriftscopeError(
                f"The full cost is {full_cost:g}; give the cost of all features, "
                "above 0."
            )
        chosen = self.undominated()
        costs = np.array([0.0, *(self.cost(point, split) for point in chosen)])
        scores = np.array(
            [self._floor(split, 0.0), *(self.scored(p, split) for p in chosen)]
        )
        order = np.argsort(costs, kind="stable")
        edges = np.clip(np.append(costs[order], full_cost), 0.0, full_cost)
        # A budget buys the latest point that fits, even if test rows like it less.
        return float(np.sum(np.diff(edges) * scores[order]) / full_cost)

    def scored(self, point: FrontierPoint, split: str = "test") -> float:
        """Return where a point stands on the axis of the score: more is better.

        Parameters
        ----------
        point : FrontierPoint
            Any point, of this frontier or not.
        split : {"test", "validation"}, default="test"
            Over which rows.

        Returns
        -------
        float
            A total cost is negated, and holds deciding if that is charged.
        """
        score = point.scores[split][self.score]
        return score - self.deciding(point) if self.score == TOTAL_COST else score

    def to_frame(self) -> pd.DataFrame:
        """Return the points as a table, one row a point.

        Returns
        -------
        pandas.DataFrame
        """
        import pandas as pd

        return pd.DataFrame([point.row() for point in self.points])

    def holding(self, points: Iterable[FrontierPoint]) -> Frontier:
        """Return other points on the same axes.

        Parameters
        ----------
        points : iterable of FrontierPoint
            In any order.

        Returns
        -------
        Frontier
        """
        return Frontier(
            points,
            self.accounting,
            self.score,
            self.floor,
            charge=self.charge,
            unit=self.unit,
            confidence=self.confidence,
            limits=self.limits,
        )

    def _floor(self, split: str, unknown: float) -> float:
        return unknown if self.floor is None else self.floor[split]

    def _order(self, point: FrontierPoint, split: str) -> tuple[float, float]:
        is_held = split == "validation"
        cost = self.held(point) if is_held else self.cost(point, split)
        return cost, -self.scored(point, split)


def _check_score(score: str, points: Iterable[FrontierPoint]) -> None:
    refuse_unknown(score, SCORES, "score")
    for point in points:
        if not all(score in of_part for of_part in point.scores.values()):
            known = [one for one in SCORES if one in point.scores["validation"]]
            raise ThriftscopeError(
                f"The point of {point.method} has no {shown(score)}; choose from "
                f"{', '.join(known)}."
            )


def _check_charge(charge: str, unit: str) -> None:
    if charge not in get_args(Charge):
        raise ThriftscopeError(
            f'The charge is {charge!r}; use "features", "one_row" or "batch_row".'
        )
    if charge != "features" and not is_time(unit):
        raise ThriftscopeError(
            f"Deciding takes time, and costs are in {unit!r}; charge features alone."
        )
