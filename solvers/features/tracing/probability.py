"""A fitted model as a priced feature: a small one asked before a large one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from ...errors import PipelineError, listed, shown
from ..steps import Step


def probability_step(
    name: str, model: Any, needs: Sequence[str], *, label: Any = None
) -> Step:
    """Return a component whose value is the probability that a fitted model gives.

    Parameters
    ----------
    name : str
        Name of the component.
    model : fitted classifier
        With `predict_proba` and `classes_`.
    needs : sequence of str
        Names of the inputs or components that the model takes, in any order where it
        knows names of its own, else in that of its columns; one that is an array gives
        as many columns as it has numbers.
    label : object, optional
        The class whose probability it is; the last one by default.

    Returns
    -------
    Step
        For `FeaturePipeline`.

    Raises
    ------
    PipelineError
        If the model gives no probabilities, is not fitted, does not know the label, or
        has columns of other names.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from solvers import FeaturePipeline
    >>> small = GaussianNB().fit([[0.0, 1.0], [4.0, 5.0]], ["quiet", "loud"])
    >>> step = probability_step("is quiet", small, ["low", "high"], label="quiet")
    >>> pipeline = FeaturePipeline([step], inputs=["low", "high"])
    >>> pipeline.extract([{"low": 0.0, "high": 1.0}]).round(3)
    array([[1.]])
    """
    if not hasattr(model, "predict_proba"):
        raise PipelineError(
            f"{type(model).__name__} gives no probabilities; give a model with "
            "predict_proba."
        )
    classes = getattr(model, "classes_", None)
    if classes is None:
        raise PipelineError(f"{type(model).__name__} has no classes yet; fit it first.")
    known = list(np.asarray(classes).tolist())
    wanted = known[-1] if label is None else label
    if wanted not in known:
        raise PipelineError(
            f"The model knows no class {shown(label)}; its classes are {listed(known)}."
        )
    ordered = _in_order_of(model, needs)
    return Step(name, partial(_probability, model, known.index(wanted)), ordered)


def _in_order_of(model: Any, needs: Sequence[str]) -> tuple[str, ...]:
    """Return needs in the order of a model's columns, if each of both has a name."""
    names = getattr(model, "feature_names_in_", None)
    if names is None or len(names) != len(needs):
        return tuple(needs)
    if set(names) != set(needs):
        raise PipelineError(
            f"The model's columns are {listed(list(names))} and its needs "
            f"{listed(list(needs))}; give them the same names."
        )
    return tuple(map(str, names))


def _probability(model: Any, column: int, *values: Any) -> float:
    """Return the probability of one class, from what a row is made of."""
    row = np.concatenate([np.ravel(value) for value in values])[np.newaxis, :]
    return float(model.predict_proba(row)[0, column])
