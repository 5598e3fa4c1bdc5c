"""Every affordable set of features, each from the table of a larger one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from ..errors import NetworkError
from .classifier import BayesianClassifier
from .criteria import AchievableAgreement
from .frames import Frame, Frames
from .pricing import SharedCosts

__all__ = ["MAX_SUBSETS", "affordable_masks", "affordable_subsets"]

MAX_SUBSETS = 200_000


def affordable_masks(prices: SharedCosts) -> NDArray[np.bool_]:
    """Return every set of features that fits in the budget, the empty one first.

    Shape: (n_subsets, n_features).
    """
    n_features = len(prices.needs)
    masks = np.zeros((1, n_features), dtype=bool)
    paid = np.zeros((1, len(prices.component_costs)), dtype=bool)
    for j in range(n_features):
        wider = paid | prices.needs[j]
        # Costs only grow: a set that does not fit is in no larger one that does.
        fits = prices.fits(wider @ prices.component_costs)
        grown = masks[fits].copy()
        grown[:, j] = True
        masks = np.concatenate([masks, grown])
        paid = np.concatenate([paid, wider[fits]])
        if len(masks) > MAX_SUBSETS:
            raise NetworkError(
                f"More than {MAX_SUBSETS} sets of features fit in the budget "
                f"{prices.budget:g}; lower the budget."
            )
    return masks


def affordable_subsets(
    classifier: BayesianClassifier, prices: SharedCosts
) -> Iterator[tuple[NDArray[np.bool_], float]]:
    """Yield every affordable set with its maximum achievable agreement.

    Shape: `mask` (n_features,).
    """
    affordable_masks(prices)  # refuses too many before the first
    frames = Frames(AchievableAgreement(classifier.masses, classifier.decisions))
    n_features = len(classifier.features)
    whole = frames.of(range(n_features))
    stack: list[tuple[Frame, int]] = [(whole, 0)]
    while stack:
        # The first features of a frame are in the set, the others may yet be.
        frame, n_included = stack.pop()
        included = frame.chosen[:n_included]
        rest = frame.chosen[n_included:]
        gone = [*compress(rest, ~prices.affordable(prices.paid(included), rest))]
        frame = frames.without(frame, gone) if gone else frame
        if len(frame.chosen) == n_included:
            score = frames.score(frame, n_included, -np.inf)
            mask = np.zeros(n_features, dtype=bool)
            mask[list(included)] = True
            yield mask, frame.bound if score is None else score
            continue
        excluded = frame.chosen[n_included]
        stack.append((frames.without(frame, (excluded,)), n_included))
        stack.append((frame, n_included + 1))
