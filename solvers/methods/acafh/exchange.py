"""One round of exchanges: up to two components out, others in, within a budget.

All exchanges are ranked on the quadratic model of the loss, many at once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .filling import ComponentCosts, Proposals, fills
from .quadratic import Quadratic

__all__ = ["exchanges"]

# So many single drops are combined in pairs, and so many sets of drops are refilled.
_PAIRED = 12
_REFILLED = 12
# So many sets of drops are looked at together; more would only take more memory.
_TOGETHER = 16


def exchanges(model: Quadratic, prices: ComponentCosts) -> Proposals:
    """Return what the best exchanges are predicted to give."""
    paid = prices.paid(model.chosen[np.newaxis])[0]
    used = np.flatnonzero(paid & (prices.costs > 0))
    singles = np.zeros((len(used), len(paid)), dtype=bool)
    singles[np.arange(len(used)), used] = True
    promises = _promises(model, prices, singles)
    likely = singles[np.argsort(promises, kind="stable")[:_PAIRED]]
    one, other = np.triu_indices(len(likely), 1)
    pairs = likely[one] | likely[other]
    outs = np.vstack([singles, pairs])
    promises = np.append(promises, _promises(model, prices, pairs))
    best = np.argsort(promises, kind="stable")[:_REFILLED]
    return fills(model, prices, outs[best])


def _promises(
    model: Quadratic, prices: ComponentCosts, outs: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return the change of the loss if the two best features came instead."""
    promises = np.empty(len(outs))
    for start in range(0, len(outs), _TOGETHER):
        part = slice(start, start + _TOGETHER)
        barred = prices.leaning(outs[part])
        left = model.without(model.chosen & barred)
        kept = model.chosen & ~barred
        is_open = np.isfinite(prices.marginal(kept)) & ~barred & ~kept
        gains = np.sort(np.where(is_open, left.gains(), 0.0), axis=1)
        # As if the two neither shared nor were correlated: to rank by, no more.
        promises[part] = left.harm - gains[:, -2:].sum(axis=1)
    return promises
