"""Deciding on one sample in little time: features are read until a stage is sure.

Names, weights and what makes a stage sure are looked up once, in `steps_of`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...arrays import Floats, Integers
from ...lazy_features import Extractor, finite_number
from ...numerics.svm_stages import STEPS
from .rules import Sure

__all__ = ["Note", "Step", "decided", "labelled", "steps_of"]

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
