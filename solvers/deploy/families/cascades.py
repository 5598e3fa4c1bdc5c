"""Cascades: one node a stage, left where its machines are sure."""

from __future__ import annotations

import math

import numpy as np

from ...decisions.program import Answered, ExitIf, ExitKind, Rule, linear_node
from ...methods.tefe import TEFEClassifier
from ...methods.tefe.confidence import Confidence
from ...numerics.svm_stages import STEPS
from ..lowering import lower
from ..policy import DeployablePolicy, policy_of


@lower.register
def _(model: TEFEClassifier) -> DeployablePolicy:
    # Beyond the first stage that lets everybody go nobody comes.
    stages = 1 if model.threshold == -math.inf else model._allowed()
    columns = np.concatenate(model.stage_groups_[:stages])
    nodes, known = [], 0
    for stage, group in enumerate(model.stage_groups_[:stages]):
        known += len(group)
        rule: Rule = Answered()
        if stage < stages - 1:
            rule = _exit(model, stage)
        weights = model.stage_coef_[:, stage, columns[:known]]
        base = model.stage_intercept_[:, stage]
        nodes.append(linear_node(columns[:known], weights, base, group, rule))
    return policy_of(model, nodes, steps=STEPS)


def _exit(model: TEFEClassifier, stage: int) -> ExitIf:
    kind: Confidence = model.confidence
    n_outputs = len(model.stage_coef_)
    units, least = np.ones(n_outputs), float(model.threshold)
    if kind == "distance":
        units = model._norms()[:, stage]
    if kind == "calibrated":
        known = model._checked_calibration()
        least = _inverse(*known[stage], least) if known is not None else least
    named: ExitKind = "claim" if kind in ("distance", "raw") else "gap"
    if n_outputs == 1:
        # The gap between f and -f is 2 |f|.
        units = np.array([0.5]) if named == "gap" else units
        named = "size"
    blocked = model.stage_blocked_[:, stage]
    return ExitIf(
        named,
        tuple(np.where(blocked, 1.0, units).tolist()),
        tuple(np.where(blocked, math.inf, least).tolist()),
        stage + 1,
    )


def _inverse(gaps: np.ndarray, shares: np.ndarray, share: float) -> float:
    """Return the smallest gap at which a curve that rises reaches a share."""
    if np.interp(-math.inf, gaps, shares) >= share:
        return -math.inf
    low, high = 0.0, float(gaps[-1])
    if np.interp(low, gaps, shares) >= share:
        return low
    if np.interp(high, gaps, shares) < share:
        return math.inf
    while low < (middle := low + (high - low) / 2.0) < high:
        if np.interp(middle, gaps, shares) >= share:
            high = middle
        else:
            low = middle
    return high
