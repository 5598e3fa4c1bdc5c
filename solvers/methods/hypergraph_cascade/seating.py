"""Exits that stand clear of every score: batches and single rows then agree.

A score is a sum, and sums differ in their last places with the order in which they are
added up. Where columns are binary many rows share a score, and a bound that stands on
it would part them by chance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from ...numerics.arrays import Floats
from .members import Member
from .policies import Policy
from .rows import WeightedRows
from .stages import SURE, confidences

__all__ = ["seated"]

# Scores that differ by less, of themselves, are one.
_SAME = 1e-9


def seated(
    policies: Sequence[Policy], members: Sequence[Member], rows: WeightedRows
) -> tuple[Policy, ...]:
    """Return the policies with every bound amid the training scores around it.

    No training row changes its way: bounds move within the gap that they stand in.
    """
    leaf_of = [member.tree.leaves(rows.X) for member in members]

    @cache
    def scores(member: int, leaf: int, stage: int) -> Floats:
        X = rows.X[leaf_of[member] == leaf]
        return np.unique(confidences(members[member].outputs(X, leaf, stage)))

    return tuple(_seated(policy, scores) for policy in policies)


def _seated(policy: Policy, scores: Callable[[int, int, int], Floats]) -> Policy:
    moved = []
    for leaf, pair in enumerate(zip(policy.low, policy.high, strict=True)):
        bounds = np.array(pair)
        for place in np.argwhere(np.isfinite(bounds)):
            side, stage = place.tolist()
            known = scores(policy.member, leaf, stage)
            bounds[side, stage] = amid(float(bounds[side, stage]), known)
        moved.append(bounds)
    return replace(
        policy, low=tuple(m[0] for m in moved), high=tuple(m[1] for m in moved)
    )


def amid(bound: float, scores: Floats) -> float:
    """Return the middle of the gap between scores that a bound stands in.

    Scores are rising. Scores that differ by rounding alone have no gap between them:
    the bound goes above them. What is as sure as can be is beyond every bound.
    """
    room = _SAME * np.maximum(1.0, np.abs(scores))
    above = int(np.searchsorted(scores, bound))
    while 0 < above < len(scores) and scores[above] - scores[above - 1] <= room[above]:
        above += 1
    if 0 < above < len(scores):
        bound = float(scores[above - 1] + scores[above]) / 2.0
    elif above == 0 and scores[0] - bound <= room[0]:
        bound = float(scores[0]) - 1.0
    elif above == len(scores) and bound - scores[-1] <= room[-1]:
        bound = float(scores[-1]) + 1.0
    # Scores are cut there, in batches: see `StageModel.outputs`.
    return float(np.sign(bound)) * np.inf if abs(bound) >= SURE else bound
