"""Which of hundreds of policies stay, and what may be promised of them.

The best of many scores is better than what it stands for. So one half of the held-out
rows chooses, and the other half says what the choice is worth, many times over; and
nothing is bought that is not better than the free answer by more than noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from sklearn.utils import check_random_state

from ...costs.budgets import room_of
from ...decisions.row_costs import Accounting
from ...numerics.arrays import Floats, Integers, Mask
from ...numerics.inner_folds import deal_folds, evenly
from .policies import Candidate, Policy
from .policy_objective import PolicyObjective
from .rows import WeightedRows

__all__ = ["choose"]

# Each part of the rows chooses once, and reports once for the other.
_PARTINGS = 25
# Standard errors by which a policy that costs something must beat the free answer.
_STANDARD_ERRORS = 2.0
# Answers that are scored at once: what is held in memory.
_AT_ONCE = 200


def choose(
    candidates: Sequence[Candidate],
    rows: WeightedRows,
    objective: PolicyObjective,
    accounting: Accounting,
    random_state: int | None,
) -> tuple[Policy, ...]:
    """Return the policies that stay, by rising cost and rising promise.

    Each is the best on all held-out rows of those that cost no more. Its score is what
    such a choice, made on half of the rows, is worth on the other half.
    """
    ranked = sorted(
        candidates, key=lambda c: (c.policy.cost(accounting), -c.policy.score)
    )
    costs = np.array([c.policy.cost(accounting) for c in ranked])
    best = _leaders(np.array([c.policy.score for c in ranked])[:, np.newaxis])[:, 0]
    # The last of those whose cost is the same, and there only where the leader changes.
    last_of_cost = np.searchsorted(costs, room_of(costs), side="right") - 1
    places = np.unique(last_of_cost[np.unique(best)])
    promises = _promises(ranked, rows, objective, places, random_state)
    kept: list[Policy] = []
    free = ranked[int(best[places[0]])]
    for place, promise in zip(places, promises, strict=True):
        chosen = ranked[int(best[place])]
        promise = float(np.round(promise, 10))
        if kept and promise <= kept[-1].score:
            continue
        if len(kept) == 1:  # nothing is bought so far
            error = objective.error(chosen.called, free.called, rows)
            if promise - kept[0].score <= _STANDARD_ERRORS * error:
                continue
        kept.append(replace(chosen.policy, score=promise))
    return tuple(kept)


def _leaders(scores: Floats) -> Integers:
    """Return which of the first k answers scores best, the first of equals.

    Shapes: `scores` (n_answers, n_weightings).
    """
    before = np.full((1, scores.shape[1]), -np.inf)
    highest = np.maximum.accumulate(scores, axis=0)
    is_new = scores > np.vstack([before, highest[:-1]])
    places = np.where(is_new, np.arange(len(scores))[:, np.newaxis], 0)
    return np.asarray(np.maximum.accumulate(places, axis=0))


def _promises(
    ranked: Sequence[Candidate],
    rows: WeightedRows,
    objective: PolicyObjective,
    places: Integers,
    random_state: int | None,
) -> Floats:
    """Return what the best up to each place on one half is worth on the other."""
    halves = _halves(rows, random_state)
    weights = rows.weights[:, np.newaxis]
    chosen_by, told_by = (
        np.vstack(
            [
                objective.scores(
                    np.array([c.called for c in ranked[first : first + _AT_ONCE]]),
                    rows.labels,
                    np.where(half, weights, 0.0),
                )
                for first in range(0, len(ranked), _AT_ONCE)
            ]
        )
        for half in (halves, ~halves)
    )
    leaders = _leaders(np.round(chosen_by, 10))[places]
    back = _leaders(np.round(told_by, 10))[places]
    columns = np.arange(halves.shape[1])
    # Chosen on one half and told on the other, both ways round: no row does both.
    there, here = told_by[leaders, columns], chosen_by[back, columns]
    return np.asarray((there + here).mean(axis=1) / 2.0)


def _halves(rows: WeightedRows, random_state: int | None) -> Mask:
    """Return which rows are in the first half, shape (n_rows, n_partings).

    Classes are spread evenly; one row more of a class goes either way. No group of rows
    is in both.
    """
    generator = check_random_state(random_state)
    deal = partial(
        deal_folds, rows.labels, 2, generator, rows.groups, keep_classes=False
    )
    return np.column_stack([deal(freely=evenly) for _ in range(_PARTINGS)]) == 0
