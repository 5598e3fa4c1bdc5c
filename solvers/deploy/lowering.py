"""A fitted model as a policy: one function a family, found by the model's type."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.svm import LinearSVC

from ..errors import DeployError
from .policy import DeployablePolicy, Fork, PolicyNode, PolicyRule

__all__ = [
    "bin_questions",
    "linear_machine",
    "linear_node",
    "lower",
    "question",
    "refusal",
]

# Those of scikit-learn whose decision is a weighted sum, and what they say of it alone.
_LINEAR = (LinearSVC, LogisticRegression, RidgeClassifier)


@singledispatch
def lower(model: object) -> DeployablePolicy:
    """Return the decision program of a fitted model."""
    raise refusal(model)


def refusal(model: object, why: str = "no way to export it is known") -> DeployError:
    """Return what says by name that a model cannot be exported."""
    title = getattr(model, "title", "") or type(model).__name__
    return DeployError(
        f"{title} cannot be exported: {why}; choose a method that can, such as L1, "
        "TEFE or csDT."
    )


def linear_machine(
    model: object, estimator: Any
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return weights and intercepts of a linear classifier inside of a model.

    Shapes: (n_outputs, n_columns), (n_outputs,).
    """
    name = type(estimator).__name__
    if (
        type(estimator) not in _LINEAR
        or getattr(estimator, "solver", "") == "liblinear"
    ):
        raise refusal(model, f"{name} answers inside of it, which is not linear")
    weights = np.array(estimator.coef_, dtype=np.float64)
    intercepts = np.array(estimator.intercept_, dtype=np.float64)
    return weights, np.broadcast_to(intercepts, len(weights))


def linear_node(
    columns: Sequence[int] | NDArray[np.int_],
    weights: NDArray[np.float64],
    base: NDArray[np.float64],
    buys: Sequence[int] | NDArray[np.int_],
    rule: PolicyRule,
) -> PolicyNode:
    """Return a node that weighs columns.

    Shapes: `columns` (n_columns,), `weights` (n_values, n_columns), `base` (n_values,).
    """
    terms = zip(np.asarray(columns).tolist(), weights.T.tolist(), strict=True)
    return PolicyNode(
        tuple(base.tolist()),
        tuple((feature, tuple(of_values)) for feature, of_values in terms),
        tuple(np.asarray(buys, dtype=int).tolist()),
        rule,
    )


def question(
    column: Any, at: float, below: int, above: int, buys: Sequence[int] = ()
) -> PolicyNode:
    """Return a node that asks whether a column's value is larger than a bound."""
    return PolicyNode((0.0,), ((column, (1.0,)),), tuple(buys), Fork(at, below, above))


def bin_questions(
    column: Any,
    cuts: Sequence[float],
    ways: Sequence[int],
    begin: int,
    buys: Sequence[int] = (),
) -> list[PolicyNode]:
    """Return questions, from a place on, which lead each bin of a column its way.

    `ways`: one more than there are cuts; `buys`: of the first question.
    """
    onward = [*range(begin + 1, begin + len(cuts)), ways[-1]]
    return [
        question(column, at, ways[k], onward[k], () if k else buys)
        for k, at in enumerate(cuts)
    ]
