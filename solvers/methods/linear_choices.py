"""Which features a method would have a linear model use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..numerics.arrays import Mask
from .base import CostAwareClassifier
from .static import StaticClassifier

# Of a method that acquires features row by row: those that more rows than these
# shares acquire. The first is all that it ever looked at.
_SHARES_OF_ROWS = (0.0, 0.25, 0.5, 0.75)


def chosen_features(
    method: CostAwareClassifier,
    X: ArrayLike,
    y: ArrayLike,
    sample_weight: Any = None,
    *,
    groups: Any = None,
) -> Iterator[Mask]:
    """Yield what the models along a method's path look at, each selection once.

    Static methods look at one selection. Of the others a linear model, which looks at
    the same columns of every row, is given what any row acquires, and then what a
    quarter, half and three quarters of the rows do.

    Shapes: `X` (n_rows, n_features), `y`, `sample_weight` and `groups` (n_rows,) ->
    (n_features,).
    `groups`: which rows belong together, as for `fit`.
    """
    seen: set[bytes] = set()
    for model in method.path(X, y, sample_weight, groups=groups):
        for features in _looked_at(model, X, sample_weight):
            if features.tobytes() not in seen:
                seen.add(features.tobytes())
                yield features


def _looked_at(
    model: CostAwareClassifier, X: ArrayLike, sample_weight: Any
) -> Iterator[Mask]:
    if isinstance(model, StaticClassifier):
        yield model.support_.copy()
        return
    acquired = np.asarray(model.acquired_features(X))
    of_rows = np.average(acquired, axis=0, weights=sample_weight)
    for share in _SHARES_OF_ROWS:
        yield of_rows > share
