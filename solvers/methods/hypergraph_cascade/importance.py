"""What features are worth to boosted trees, interactions included."""

from __future__ import annotations

import numpy as np
from scipy.special import log_softmax
from sklearn.utils import check_random_state

from ...numerics.arrays import Floats, Integers
from .rows import WeightedRows
from .stages import StageModel, boosted, train_clone

__all__ = ["importances", "log_losses"]

_FOLDS = 3
# Rows that are shuffled, and rows that trees look at in one go.
_MOST_ROWS = 1000
_AT_ONCE = 100_000
# Features that trees do not need stay in the order, behind all others of their price.
_LEAST_SHARE = 1e-3


def importances(rows: WeightedRows, random_state: int | None) -> Floats:
    """Return by how much log-loss rises where a feature is shuffled, (n_features,).

    Boosted trees are trained on two thirds of the rows, and features shuffled in the
    rest: what two features say only together counts for both.
    """
    n_features = rows.X.shape[1]
    held_out = rows.folds(_FOLDS, random_state) == 0
    if not held_out.any():
        return np.ones(n_features)
    trees = boosted(random_state)
    model = train_clone(rows.X[~held_out], rows.part(~held_out), trees)
    looked_at = np.flatnonzero(held_out)
    generator = check_random_state(random_state)
    if len(looked_at) > _MOST_ROWS:
        looked_at = np.sort(generator.choice(looked_at, _MOST_ROWS, replace=False))
    test = rows.part(looked_at)
    shuffled = _shuffled_losses(model, test, generator.permutation(len(test.labels)))
    # Permutation importance (Breiman, 2001), in log-loss on rows the trees did not see.
    rises = np.maximum(shuffled - _loss(model.outputs(test.X), test), 0.0)
    return rises + (_LEAST_SHARE * rises.mean() or 1.0)


def log_losses(outputs: Floats, labels: Integers) -> Floats:
    """Return the log-loss of each row, from what `StageModel.outputs` says of it."""
    if outputs.shape[1] == 1:
        outputs = np.column_stack([np.zeros(len(outputs)), outputs[:, 0]])
    logs = log_softmax(outputs, axis=1)
    return -np.asarray(logs[np.arange(len(logs)), labels])


def _loss(outputs: Floats, rows: WeightedRows) -> float:
    return float(rows.shares @ log_losses(outputs, rows.labels))


def _shuffled_losses(
    model: StageModel, rows: WeightedRows, shuffle: Integers
) -> Floats:
    """Return the log-loss with each feature shuffled, shape (n_features,)."""
    n_rows, n_features = rows.X.shape
    at_once = max(_AT_ONCE // n_rows, 1)
    losses = np.empty(n_features)
    for first in range(0, n_features, at_once):
        chunk = np.arange(first, min(first + at_once, n_features))
        tables = np.repeat(rows.X[np.newaxis], len(chunk), axis=0)
        # One shuffle for all features: differences between them are not chance.
        tables[np.arange(len(chunk)), :, chunk] = rows.X[shuffle][:, chunk].T
        outputs = model.outputs(tables.reshape(-1, n_features))
        said = outputs.reshape(len(chunk), n_rows, -1)
        losses[chunk] = [_loss(of_feature, rows) for of_feature in said]
    return losses
