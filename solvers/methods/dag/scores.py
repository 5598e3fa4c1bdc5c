"""What a state says of a row: its classifier, and scores that are not flattered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, clone

from ...errors import DataError, shown
from ...numerics.arrays import Floats, Integers, Mask
from ...numerics.distinct_rows import DistinctRows
from ...numerics.inner_folds import left_out
from ...numerics.ridge_logistic import LogisticModel, fit_logistic

# Log-odds beyond it are no surer: about 1 - 1e-9.
SURE = 20.0


@dataclass(frozen=True, eq=False)
class StateScores:
    """The classifier of a state, and held-out scores of the training rows."""

    model: Any  # Trained on all rows
    # (n_rows,) Scores by classifiers that were trained without the row
    held_out: Floats


def check_base(base: Any) -> None:
    """Refuse what cannot score rows."""
    scores = hasattr(base, "decision_function") or hasattr(base, "predict_proba")
    if base is not None and not (hasattr(base, "fit") and scores):
        raise DataError(
            f"base is {shown(base)}; give a scikit-learn classifier with "
            "decision_function or predict_proba, or None for logistic regression."
        )


def train_state(
    rows: DistinctRows, support: Mask, folds: Integers, base: ClassifierMixin | None
) -> StateScores:
    """Train a state's classifier on all rows, and once without each fold.

    Shapes: `support` (n_features,), `folds` (n_rows,).
    """
    X = rows.X[:, support]
    model = _trained(X, rows.signs, rows.shares, base, None)
    if np.ptp(folds) == 0:
        return StateScores(model, score_rows(model, X))
    held_out = np.empty(rows.n_rows)
    for learned, out in left_out(folds):
        part = _trained(
            X[learned], rows.signs[learned], rows.shares[learned], base, model
        )
        held_out[out] = score_rows(part, X[out])
    return StateScores(model, held_out)


def score_rows(model: Any, X: Floats) -> Floats:
    """Return how strongly rows are held to be of the second class.

    Shapes: `X` (n_rows, n_columns) -> (n_rows,).
    """
    if not len(X):
        return np.empty(0)
    if isinstance(model, LogisticModel):
        scores = model.odds(X)
    elif hasattr(model, "decision_function"):
        scores = model.decision_function(X)
    else:
        chances = np.clip(model.predict_proba(X)[:, 1], 1e-9, 1.0 - 1e-9)
        scores = np.log(chances / (1.0 - chances))
    return np.clip(scores, -SURE, SURE)


def _trained(X: NDArray, signs: NDArray, shares: NDArray, base: Any, start: Any) -> Any:
    # Without columns, or with one class, there is nothing for a classifier to learn.
    if base is None or not X.shape[1] or np.ptp(signs) == 0:
        begin = start if isinstance(start, LogisticModel) else None
        return fit_logistic(X, signs, shares, start=begin)
    return clone(base).fit(X, signs, sample_weight=shares / shares.mean())
