"""Deciding on one sample in little time: features are read until a stage is sure.

Names, weights and what makes a stage sure are looked up once, in `steps_of`. How sure a
stage is comes in plain numbers: arrays would take ten times.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...decisions.lazy_features import Extractor, finite_number
from ...numerics.arrays import Floats, Integers
from ...numerics.svm_stages import STEPS
from .confidence import Confidence

#: From decisions, in steps of rounding, to confidence and the code of the class called.
Sure: TypeAlias = Callable[[list[float]], tuple[float, int]]
#: From numbers known so far, behind a one for the intercept, to decisions.
Answer: TypeAlias = Callable[[Floats], Floats]
#: What a stage does: its names are read, written up to a place, and answered. A tuple,
#: since attributes would take a tenth of a decision.
Step: TypeAlias = tuple[int, tuple[str, ...], int, int, Answer, Sure]
#: Told at every stage: its number, its values, its decisions in steps of rounding, its
#: confidence and the class that it calls.
Note: TypeAlias = Callable[[int, Floats, list[float], float, int], None]


def steps_of(
    coef: Floats,
    intercept: Floats,
    groups: Sequence[Integers],
    names: Sequence[str],
    rules: Sequence[Sure],
) -> tuple[Step, ...]:
    """Return what each stage does, the last of which answers in any case.

    ``coef`` is (n_outputs, n_stages, n_features), ``intercept`` without the last axis.
    """
    columns, steps = np.concatenate(groups), []
    begin = 1
    for stage, (group, rule) in enumerate(zip(groups, rules, strict=True)):
        end = begin + len(group)
        weights = np.empty((len(coef), end))
        weights[:, 0] = intercept[:, stage]
        weights[:, 1:] = coef[:, stage, columns[: end - 1]]
        called = tuple([names[j] for j in group.tolist()])
        # Decisions come out in steps of rounding: a power of two changes no digit.
        steps.append((stage, called, begin, end, (weights * STEPS).dot, rule))
        begin = end
    return tuple(steps)


# One function on purpose: the calls of a tidier one would take a tenth of it.
def decided(
    steps: Sequence[Step],
    threshold: float,
    extractor: Extractor,
    note: Note | None = None,
) -> int:
    """Return the code of the class that the stage calls at which a sample leaves."""
    read = extractor if callable(extractor) else extractor.feature
    known = np.empty(steps[-1][3])
    known[0] = 1.0
    winner = 0
    for stage, names, begin, end, answer, sure in steps:
        values = [*map(read, names)]
        try:
            is_finite = math.isfinite(math.fsum(values))
        except (TypeError, ValueError, OverflowError):
            is_finite = False
        if not is_finite:
            values = [*map(finite_number, values, names)]
        known[begin:end] = values
        scores = np.rint(answer(known[:end])).tolist()
        confidence, winner = sure(scores)
        if note is not None:
            note(stage, known[begin:end], scores, confidence, winner)
        if confidence >= threshold:
            break
    return winner


def labelled(
    steps: Sequence[Step], threshold: float, classes: NDArray
) -> Callable[[Extractor], Any]:
    """Return what gives the label of one sample after the other."""
    labels = list(classes)
    return lambda extractor: labels[decided(steps, threshold, extractor)]


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
