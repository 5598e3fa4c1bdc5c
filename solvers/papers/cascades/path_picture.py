"""The paper's Fig. 3: the weights along the solution path of the first machines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...checks import eager
from ...errors import DataError
from ...methods.tefe import TEFEClassifier
from ...numerics.arrays import Floats, Integers
from ...numerics.svm_path import PathPoint


@dataclass(frozen=True, eq=False)
class PathPicture:
    """The breakpoints so far."""

    columns: Integers  # (n_features,) In the order in which they come in
    sections: Integers  # (n_points,) Number of each breakpoint, from 0
    # (n_points, n_features) Weights, zero where a feature has not come in yet
    coef: Floats
    intercept: Floats  # (n_points,)
    # Sections at which a machine is reached and the next feature comes in
    ends: Integers
    followed: bool  # False if the path was lost somewhere and a machine solved afresh


@eager
def path_picture(
    model: TEFEClassifier, X: ArrayLike, y: ArrayLike, n_features: int
) -> Iterator[PathPicture | None]:
    """Yield the picture after each machine that is reached: of the first class.

    `model`: its parameters count; it need not be fitted.
    """
    columns = np.concatenate(model.acquisition_groups(X, y))
    if not 1 <= n_features <= len(columns):
        raise DataError(
            f"n_features is {n_features}, but the table has {len(columns)} columns; "
            "let between 1 and all of them come in."
        )
    points, columns = model.solution_path(X, y), columns[:n_features]
    yield None  # checked
    seen: list[PathPoint] = []
    ends: list[int] = []
    for point in points:
        seen.append(point)
        if point.beta > 0.0:
            continue
        ends.append(len(seen) - 1)
        yield _picture(seen, ends, columns)
        if point.n_features == len(columns):
            return


def _picture(seen: list[PathPoint], ends: list[int], columns: Integers) -> PathPicture:
    coef = np.zeros((len(seen), len(columns)))
    for k, point in enumerate(seen):
        coef[k, : point.n_features] = point.coef
    return PathPicture(
        columns,
        np.arange(len(seen)),
        coef,
        np.array([point.intercept for point in seen]),
        np.array(ends),
        all(point.followed for point in seen),
    )
