"""Choosing by budget inside of scikit-learn's searches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..checks import at_least_zero
from ..costs.budgets import room_of
from ..errors import ThriftscopeError, shown
from ..numerics.arrays import Floats
from .evaluation import prediction_cost

__all__ = ["BestWithinBudget", "best_within_budget", "mean_prediction_cost"]


def mean_prediction_cost(estimator: Any, X: ArrayLike, y: Any = None) -> float:
    """Return what a prediction costs on average: a scorer for searches.

    Shapes: `X` (n_samples, n_features).
    In the hypergraph's unit. Less is better, so do not search by it alone: what a
    search calls ``rank_test_...`` of it ranks the costliest first.
    `estimator`: fitted; a cost-aware method or a pipeline or search around one.
    """
    return float(np.mean(prediction_cost(estimator, X)))


def best_within_budget(
    budget: float, *, score: str = "score", cost: str = "cost"
) -> BestWithinBudget:
    """Return a `refit` for ``GridSearchCV`` that keeps a budget.

    Takes ``cv_results_`` and returns the place of the best candidate.
    `budget`: what a prediction may cost on average, in the hypergraph's unit; 0 or
    more.

    Examples
    --------
    >>> from sklearn.model_selection import GridSearchCV
    >>> from solvers import all_datasets
    >>> from solvers.methods.l1 import L1Classifier
    >>> data = all_datasets()["breast_cancer"]()
    >>> search = GridSearchCV(
    ...     L1Classifier(data.hypergraph),
    ...     {"alpha": [0.3, 0.1, 0.03, 0.01]},
    ...     scoring={"score": "accuracy", "cost": mean_prediction_cost},
    ...     refit=best_within_budget(12.0),
    ...     cv=3,
    ... ).fit(data.X, data.y)
    >>> bool(search.cv_results_["mean_test_cost"][search.best_index_] <= 12.0)
    True
    """
    return BestWithinBudget(at_least_zero(budget, "The budget"), score, cost)


@dataclass(frozen=True)
class BestWithinBudget:
    """Picks the candidate of best mean score whose mean cost a budget pays for.

    Among equals it is the cheapest one. Candidates that could not be fitted do not
    count.
    """

    budget: float  # In the hypergraph's unit
    score: str = "score"  # What the search calls them
    cost: str = "cost"

    def __call__(self, cv_results: Mapping[str, Any]) -> int:
        """Return the place of the best candidate."""
        scores = _column(cv_results, self.score)
        costs = _column(cv_results, self.cost)
        usable = np.isfinite(scores) & np.isfinite(costs)
        affordable = np.flatnonzero(usable & (costs <= room_of(self.budget)))
        if not affordable.size:
            cheapest = np.min(costs[usable], initial=np.inf)
            raise ThriftscopeError(
                f"No candidate keeps the budget of {self.budget:g}; the cheapest costs "
                f"{cheapest:g}. Search cheaper parameters, or raise the budget."
            )
        order = np.lexsort((costs[affordable], -scores[affordable]))
        return int(affordable[order[0]])


def _column(cv_results: Mapping[str, Any], name: str) -> Floats:
    key = f"mean_test_{name}"
    if key not in cv_results:
        known = [k.removeprefix("mean_test_") for k in cv_results if "mean_test_" in k]
        raise ThriftscopeError(
            f"The search knows of no {shown(name)}, only of {', '.join(known)}; name "
            "it in its scoring."
        )
    return np.asarray(cv_results[key], dtype=float)
