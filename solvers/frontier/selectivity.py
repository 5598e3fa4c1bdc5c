"""A selective ridge on a data set: one selectivity, and the path of all.

The same rows, states of features and scores for the screen and for whoever calls it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from ..datasets.base import Dataset
from ..datasets.splits import Split, split_dataset
from ..decisions.scores import label_scores
from ..errors import DataError
from ..methods.selective_ridge import SelectiveRidgeFit
from ..methods.selective_ridge.paths import N_POINTS, SMALLEST, empty_model, last
from ..methods.selective_ridge.problem import RidgeProblem
from ..methods.selective_ridge.training import GAMMA, LOSS, TOL
from ..methods.selective_ridge.working_set import Solver
from ..numerics.arrays import Floats
from ..values.knobs import Number

Array = Floats

SHARE = Number("Selectivity as a share of the largest", 0, 1, open=True)
# Coefficients that are printed, the largest first.
MOST_LISTED = 20


@dataclass(frozen=True, eq=False)
class RidgeRows:
    """The rows of a data set as the solver wants them."""

    split: Split  # Where they come from
    # (n_train, n_columns) Training rows, by columns; a feature may have several
    X: Array
    y: Array  # (n_train,) Their classes as -1 and +1
    X_validation: Array  # The same for validation rows
    y_validation: Array
    # (n_columns,) Square roots of what the feature of each costs alone, for mu_i = mu
    # * sqrt(cost)
    roots: Array
    # Whether columns were divided by their spread over the training rows
    is_scaled: bool

    @classmethod
    def of(cls, dataset: Dataset, *, is_scaled: bool, **more: Any) -> Self:
        """Return the rows of a data set that has a positive class.

        `more`: fields that a class beneath adds.
        """
        positive = dataset.one_against_others()
        split = split_dataset(dataset)
        rows = split.scaled if is_scaled else split.X
        signs = {
            part: np.where(split.y(part) == positive, 1.0, -1.0)
            for part in ("train", "validation")
        }
        return cls(
            split=split,
            X=np.asfortranarray(rows("train")),
            y=signs["train"],
            X_validation=rows("validation"),
            y_validation=signs["validation"],
            roots=np.sqrt(split.hypergraph.marginal_costs()),
            is_scaled=is_scaled,
            **more,
        )

    def problem(self, gamma: float, loss: str, is_priced: bool) -> RidgeProblem:
        """Return the problem of the training rows, but for the selectivity."""
        weight = self.split.weight("train")
        return RidgeProblem.of(
            self.X,
            self.y,
            np.ones(len(self.y)) if weight is None else weight,
            self.roots if is_priced else np.ones(self.X.shape[1]),
            gamma,
            loss,
        )

    def scores(self, fit: SelectiveRidgeFit) -> dict[str, float]:
        """Return the balanced accuracy on "training" and on "validation" rows."""
        rows = {
            "training": (self.X, self.y, "train"),
            "validation": (self.X_validation, self.y_validation, "validation"),
        }
        used = np.flatnonzero(fit.coef)
        return {
            part: label_scores(
                y > 0,
                X[:, used] @ fit.coef[used] + fit.intercept > 0,
                self.split.weight(name),
            )["balanced_accuracy"]
            for part, (X, y, name) in rows.items()
        }

    def counts(self, fit: SelectiveRidgeFit) -> dict[str, int]:
        """Return how many features are in each state.

        One of several coefficients is ridge if one of them is, or else on the boundary
        if one is.
        """
        ridge = self.split.features_of(fit.states == "ridge")
        boundary = self.split.features_of(fit.states == "boundary") & ~ridge
        counts = {"boundary": int(boundary.sum()), "ridge": int(ridge.sum())}
        return {"zero": len(ridge) - sum(counts.values()), **counts}


def least_empty(problem: RidgeProblem) -> tuple[Array, float]:
    """Return the dual of the empty model, and the least selectivity that gives it."""
    dual, largest = empty_model(problem)
    if largest <= 0:
        raise DataError(
            "No feature that has a price says anything about the labels; choose other "
            "data, or do not price the features."
        )
    return dual, largest


def path_shares(n_points: int, smallest: float) -> Iterable[float]:
    """Return the selectivities of a path, as falling shares of the largest."""
    return np.geomspace(1.0, smallest, n_points).tolist()


@dataclass(frozen=True, eq=False, repr=False)
class SelectivityTrace:
    """What ``trace_selectivity`` has found; printed, the model and its path.

    Parameters
    ----------
    rows : RidgeRows
        What was learned from.
    model : SelectiveRidgeFit
        At the selectivity that was asked for.
    path : tuple of SelectiveRidgeFit
        Along a falling selectivity.
    """

    rows: RidgeRows
    model: SelectiveRidgeFit
    path: tuple[SelectiveRidgeFit, ...]

    def __repr__(self) -> str:
        model, names = self.model, self.rows.split.hypergraph.features
        largest = np.argsort(-np.abs(model.coef))[:MOST_LISTED]
        return "\n".join(
            [
                "The answer:",
                self._line(model),
                *(
                    f"    {names[j]}: {model.coef[j]:.6g} ({model.states[j]})"
                    for j in largest
                    if model.coef[j]
                ),
                "The path:",
                *map(self._line, self.path),
            ]
        )

    def _line(self, fit: SelectiveRidgeFit) -> str:
        counts, scores = self.rows.counts(fit), self.rows.scores(fit)
        return (
            f"mu {fit.mu:.6g}: of {sum(counts.values())} features {counts['boundary']} "
            f"on the boundary, {counts['ridge']} ridge; balanced accuracy "
            f"{scores['training']:.4f} on training and {scores['validation']:.4f} on "
            f"validation rows; relative gap {fit.relative_gap:.1e}"
        )


def trace_selectivity(
    dataset: Dataset,
    *,
    share: float = 0.1,
    gamma: float = 1.0,
    loss: str = "hinge",
    is_priced: bool = False,
    is_scaled: bool = True,
    n_points: int = 25,
    smallest: float = 1e-3,
    tol: float = 1e-6,
) -> SelectivityTrace:
    """Fit a selective ridge to the training rows of a data set, and its path.

    Parameters
    ----------
    dataset : Dataset
        Of two classes, or with one that counts as positive.
    share : float, default=0.1
        The selectivity mu as a share of the largest, above which no feature is left;
        above 0, at most 1.
    gamma : float, default=1.0
        Weight of the ridge, above 0.
    loss : {"hinge", "logistic", "squared"}, default="hinge"
        The loss of a row.
    is_priced : bool, default=False
        Whether a feature that costs c has mu * sqrt(c).
    is_scaled : bool, default=True
        Whether every column is divided by its spread over the training rows.
    n_points : int, default=25
        Models of the path.
    smallest : float, default=1e-3
        Where the path ends, as a share of the largest selectivity.
    tol : float, default=1e-6
        Relative duality gap of each model.

    Returns
    -------
    SelectivityTrace

    Raises
    ------
    ThriftscopeError
        If no class is positive, no feature with a price says anything about the
        labels, or a share or the loss is none.

    Examples
    --------
    >>> from solvers.datasets import make_breast_cancer
    >>> found = trace_selectivity(make_breast_cancer(), share=0.2, n_points=3)
    >>> len(found.path)
    3
    >>> found.rows.counts(found.path[0])["zero"]
    30
    """
    SHARE.check("share", share)
    GAMMA.check("gamma", gamma)
    LOSS.check("loss", loss)
    N_POINTS.check("n_points", n_points)
    SMALLEST.check("smallest", smallest)
    TOL.check("tol", tol)
    rows = RidgeRows.of(dataset, is_scaled=is_scaled)
    problem = rows.problem(gamma, loss, is_priced)
    dual, largest = least_empty(problem)
    # Polished, so that a feature is counted as the same state however it was met.
    model = last(Solver(problem, dual).refine(share * largest, tol, polish=True))
    solver = Solver(problem, dual)
    path = tuple(
        last(solver.refine(along * largest, tol, polish=True))
        for along in path_shares(n_points, smallest)
    )
    return SelectivityTrace(rows, model, path)
