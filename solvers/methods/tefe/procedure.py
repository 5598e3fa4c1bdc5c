"""A stage of the cascade as a step that a person can follow by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...decisions.procedure import Boundary, Instruction, Say, Successor, step
from ...numerics.arrays import Floats
from .confidence import Confidence


def sure_from(
    kind: Confidence,
    threshold: float,
    length: float,
    known: tuple[Floats, Floats] | None,
) -> float:
    """Return how far from 0 a decision of two classes must lie to end the way.

    Infinite where none is far enough. `known`: what `calibrate` gave for the stage.
    """
    if threshold <= 0.0:
        return 0.0
    if kind == "distance":
        return threshold * length
    if kind == "raw":
        return threshold
    if kind == "gap" or known is None:
        return threshold / 2.0
    gaps, shares = known
    if shares[-1] < threshold:
        return np.inf
    first = int(np.argmax(shares >= threshold))
    if first == 0:
        return 0.0
    rise = (threshold - shares[first - 1]) / (shares[first] - shares[first - 1])
    gap = gaps[first - 1] + rise * (gaps[first] - gaps[first - 1])
    return float(gap) / 2.0


def stage_step(
    buys: Sequence[int],
    weights: Floats,
    constant: float,
    enough: float,
    cut: Boundary,
    classes: Sequence[Any] | NDArray,
    following: int,
) -> Instruction:
    """Return a step that answers where its sum is at least `enough` away from 0.

    Elsewhere it leads to the step `following`.
    """
    first, second = (Say(label) for label in classes)
    low, high = Boundary(-enough, inclusive=False), Boundary(enough, inclusive=True)
    cuts = [cut] if enough == 0.0 else [low, high, cut]
    # At the same number, the cut that holds it to be high comes first.
    cuts.sort(key=lambda one: (one.value, not one.inclusive))
    ways: list[Successor] = []
    for n_reached in range(len(cuts) + 1):
        reached = cuts[:n_reached]
        unsure = enough != 0.0 and low in reached and high not in reached
        ways.append(following if unsure else second if cut in reached else first)
    return step(buys, weights, constant, cuts, ways)
