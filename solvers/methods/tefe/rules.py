"""How sure a stage is of one sample, in plain numbers: arrays would take ten times."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from ...arrays import Floats
from ...numerics.svm_stages import STEPS
from .confidence import Confidence

__all__ = ["Sure", "interpolation", "stage_rule"]

#: From decisions, in steps of rounding, to confidence and the code of the class called.
Sure: TypeAlias = Callable[[list[float]], tuple[float, int]]


def stage_rule(
    kind: Confidence,
    lengths: list[float],
    blocked: list[bool],
    known: tuple[Floats, Floats] | None,
) -> Sure:
    """Return what tells how sure a stage is of one row: as `stage_confidences` does.

    It takes decisions in steps of rounding, one an output, and returns the confidence
    and the code of the class that is called. ``lengths`` are those of the weights,
    ``known`` is what `calibrate` gave for the stage.
    """
    shares = interpolation(*known) if known is not None else None
    if len(lengths) == 1:
        return _rule_of_two(kind, lengths[0], blocked[0], shares)
    return _rule_of_many(kind, lengths, blocked, shares)


def _rule_of_two(
    kind: Confidence,
    length: float,
    is_blocked: bool,
    shares: Callable[[float], float] | None,
) -> Sure:
    # Two classes score f and -f: the gap between them is 2 |f|.
    unit = STEPS * {"distance": length, "raw": 1.0}.get(kind, 0.5)

    def sure(scores: list[float]) -> tuple[float, int]:
        score = scores[0]
        confidence = abs(score) / unit
        return confidence if shares is None else shares(confidence), int(score > 0.0)

    def unsure(scores: list[float]) -> tuple[float, int]:
        return -math.inf, int(scores[0] > 0.0)

    return unsure if is_blocked else sure


def _rule_of_many(
    kind: Confidence,
    lengths: list[float],
    blocked: list[bool],
    shares: Callable[[float], float] | None,
) -> Sure:
    units = [STEPS * length for length in lengths]

    def by_claim(scores: list[float]) -> tuple[float, int]:
        ranked = sorted(scores)
        best = ranked[-1]
        winner = scores.index(best)
        if blocked[winner] or not best > 0.0 >= ranked[-2]:
            return -math.inf, winner
        return best / units[winner], winner

    def by_gap(scores: list[float]) -> tuple[float, int]:
        ranked = sorted(scores)
        winner = scores.index(ranked[-1])
        if blocked[winner]:
            return -math.inf, winner
        gap = (ranked[-1] - ranked[-2]) / STEPS
        return gap if shares is None else shares(gap), winner

    if kind == "raw":
        units = [STEPS] * len(lengths)
    return by_claim if kind in ("distance", "raw") else by_gap


def interpolation(points: Floats, values: Floats) -> Callable[[float], float]:
    """Return ``numpy.interp`` of one number, in a tenth of the time."""
    at, of = points.tolist(), values.tolist()
    steepness = (np.diff(values) / np.diff(points)).tolist()

    def interpolated(x: float) -> float:
        k = bisect_right(at, x) - 1
        if k < 0:
            return of[0]
        return of[k] if k == len(at) - 1 else steepness[k] * (x - at[k]) + of[k]

    return interpolated
