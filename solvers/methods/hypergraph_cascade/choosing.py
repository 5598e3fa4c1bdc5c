"""Hundreds of policies from one training: which are proposed, and which stay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from sklearn.utils import check_random_state

from ...costs.budgets import room_of
from ...decisions.row_costs import Accounting
from ...numerics.arrays import Floats, Integers, Mask
from ...numerics.inner_folds import deal_folds, evenly
from .policies import Candidate, HeldOut, Policy, PolicyObjective
from .rows import WeightedRows
from .stopping import Exits, solve_exits

# Errors that computing everything is worth: a policy for each.
_WORTHS = np.geomspace(1e-3, 8.0, 40)
_FIXED_F1 = (0.7, 0.8, 0.9)
_ROUNDS = 3
# Shares of the rows that go on at the first stage that lets rows leave.
_SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
_LATEST_WINDOW = 0.35
# The trade-offs whose later stages windows go on to.
_CONTINUED = range(4, 40, 8)
_CAPS = 6
# One threshold for all stages: how far from the middle rows leave, and which middle.
_SURE = np.linspace(0.05, 0.98, 20)
_MIDDLES = (0.5, 0.4, 0.3, 0.2)
# What `policy_steps` does one after the other, for each member.
STEPS = ("trade-offs", "fixed F1", "windows", "one threshold", "caps", "prefixes")


class _Pool:
    """Policies of one member, scored as they come."""

    def __init__(
        self, member: int, leaves: Sequence[HeldOut], objective: PolicyObjective
    ) -> None:
        self.member, self.leaves, self.objective = member, leaves, objective
        self.labels = np.concatenate([leaf.labels for leaf in leaves])
        self.weights = np.concatenate([leaf.weights for leaf in leaves])
        self.folds = np.concatenate([leaf.folds for leaf in leaves])
        self.here = np.concatenate([leaf.here for leaf in leaves])
        self.full = max(float(leaf.costs[-1]) for leaf in leaves) or 1.0
        # What the dearest mistake costs: trade-offs are in errors.
        mistakes = objective.mistakes
        self.dearest = 1.0 if mistakes is None else float(mistakes.excess.max())
        self.n_stages = max(leaf.n_stages for leaf in leaves)

    def at_exits(self, stages: Sequence[Integers], what: str) -> Floats:
        """Return a field of held-out rows at the stages where they leave."""
        parts = [
            getattr(leaf, what)[stage, np.arange(len(stage))]
            for leaf, stage in zip(self.leaves, stages, strict=True)
        ]
        return np.concatenate(parts)

    def policy(
        self, low: Sequence[Floats], high: Sequence[Floats], stages: Sequence[Integers]
    ) -> Candidate:
        belief, best = (self.at_exits(stages, what) for what in ("belief", "called"))
        score, cut, said = self.objective.score(
            belief, best.astype(np.int64), self.labels, self.weights, self.folds
        )
        called = np.empty(len(said), dtype=np.int16)
        called[self.here] = said
        paid, mass = self._paid(stages)
        reached = np.searchsorted(np.cumsum(mass), 0.95 * mass.sum() * (1.0 - 1e-12))
        policy = Policy(
            self.member,
            tuple(low),
            tuple(high),
            cut,
            score,
            float(paid @ mass / mass.sum()),
            float(paid[reached]),
            float(paid[-1]),
        )
        return Candidate(policy, called)

    def _paid(self, stages: Sequence[Integers]) -> tuple[Floats, Floats]:
        """Return sums that rows pay, rising, and the weight of those who pay each."""
        mass = np.concatenate(
            [
                np.bincount(stage, leaf.weights, leaf.n_stages)
                for leaf, stage in zip(self.leaves, stages, strict=True)
            ]
        )
        paid = np.concatenate([leaf.costs for leaf in self.leaves])
        order = np.argsort(paid, kind="stable")
        order = order[mass[order] > 0]
        return paid[order], mass[order]

    def taken(self, exits: Sequence[Exits]) -> Candidate:
        return self.policy(
            [found.low for found in exits],
            [found.high for found in exits],
            [found.leaves[0] for found in exits],
        )

    def solved(self, worth: float, f1: float, last: int | None = None) -> list[Exits]:
        """Return the exits of all leaves for one trade-off."""
        exits = []
        for leaf in self.leaves:
            steps = worth / self.full * np.diff(leaf.costs)
            end = None if last is None else min(last, leaf.n_stages - 1)
            losses = self.objective.losses(leaf, f1) / self.dearest
            exits.append(solve_exits(leaf.rankings, losses, steps, leaf.weights, end))
        return exits

    def settled(
        self, worth: float, f1: float, last: int | None = None
    ) -> tuple[list[Exits], float]:
        """Return exits, and the F1 that they are computed for: the one they reach."""
        exits = self.solved(worth, f1, last)
        for _ in range(_ROUNDS - 1 if self.objective.is_f1 else 0):
            stages = [found.leaves[0] for found in exits]
            chances = self.at_exits(stages, "chances")
            # Dinkelbach: the F1 that losses assume becomes the one they lead to.
            reached = self.objective.expected_f1(chances, self.weights, f1)
            if abs(reached - f1) < 1e-3:
                break
            f1 = reached
            exits = self.solved(worth, f1, last)
        return exits, f1


def policy_steps(
    member: int, leaves: Sequence[HeldOut], objective: PolicyObjective
) -> Iterator[list[Candidate]]:
    """Yield the policies of one member, a list for each of `STEPS`."""
    pool = _Pool(member, leaves, objective)
    f1, tradeoffs, targets, continued = 0.8, [], [], []
    for number, worth in enumerate(_WORTHS):
        exits, f1 = pool.settled(worth, f1)
        targets.append((worth, f1))
        if number in _CONTINUED:
            continued.append(exits)
        tradeoffs.append(pool.taken(exits))
    if objective.mistakes is not None:  # as priced: a test against what it saves
        tradeoffs.append(pool.taken(pool.solved(pool.full / pool.dearest, f1)))
    yield tradeoffs
    yield [
        pool.taken(pool.solved(worth, fixed))
        for fixed in (_FIXED_F1 if objective.is_f1 else ())
        for worth in _WORTHS[1::3]
    ]
    # A Lagrangian reaches only the convex hull, and jumps over the cheapest policies.
    yield list(_windows(pool, continued))
    yield list(_one_threshold(pool))
    yield [
        pool.taken(pool.settled(worth, f1, int(last))[0])
        for last in np.unique(np.linspace(1, pool.n_stages - 1, _CAPS).astype(int))[:-1]
        for worth, f1 in targets[2::6]
    ]
    yield prefixes(member, leaves, objective)


def prefixes(
    member: int, leaves: Sequence[HeldOut], objective: PolicyObjective
) -> list[Candidate]:
    """Return the policies that let every row leave at the same stage."""
    pool = _Pool(member, leaves, objective)
    found = []
    for stage in range(pool.n_stages):
        ends = [min(stage, leaf.n_stages - 1) for leaf in leaves]
        both = list(zip(leaves, ends, strict=True))
        # A row goes on between minus and plus infinity, and nowhere the other way.
        low = [
            np.where(np.arange(leaf.n_stages) < end, -np.inf, np.inf)
            for leaf, end in both
        ]
        stages = [np.full(len(leaf.labels), end) for leaf, end in both]
        found.append(pool.policy(low, [-bound for bound in low], stages))
    return found


def _windows(pool: _Pool, solved: Sequence[Sequence[Exits]]) -> Iterator[Candidate]:
    """Yield policies whose first exit keeps a share of the rows, without routing."""
    if len(pool.leaves) > 1:
        return
    leaf = pool.leaves[0]
    for stage in range(leaf.n_stages - 1):
        ranking = leaf.rankings[stage]
        if leaf.costs[stage] > _LATEST_WINDOW * pool.full:
            return
        if ranking.n_distinct < 2:
            continue
        for (exits,) in solved:
            for share in _SHARES:
                low, high = exits.low.copy(), exits.high.copy()
                low[:stage], high[:stage] = -np.inf, np.inf
                low[stage], high[stage], inside = ranking.best_window(
                    exits.gains[stage], leaf.weights, share
                )
                leaves = np.where(inside, exits.leaves[stage + 1], stage)
                yield pool.policy([low], [high], [leaves])


def _one_threshold(pool: _Pool) -> Iterator[Candidate]:
    """Yield the simplest exits: where a row is as sure as one number asks, anywhere.

    Two numbers cannot follow noise: on few rows they may be the best there is.
    """
    if pool.objective.n_classes > 2:
        bounds = [(-np.inf, sure) for sure in _SURE]
    else:
        # Log-odds 4 artanh s are odds of ((1 + s) / (1 - s))².
        widths = 4.0 * np.arctanh(_SURE)
        priced = pool.objective.middle
        middles = [
            np.log(m / (1.0 - m)) for m in _MIDDLES[: 4 if pool.objective.is_f1 else 1]
        ]
        middles = middles if priced is None else [priced]
        bounds = [(m - w, m + w) for m in middles for w in widths]
    for low, high in bounds:
        exits = [_unsure(leaf, low, high) for leaf in pool.leaves]
        yield pool.policy(*zip(*exits, strict=True))


def _unsure(leaf: HeldOut, low: float, high: float) -> tuple[Floats, Floats, Integers]:
    """Return scores between which beliefs lie between two, and where rows leave."""
    lows, highs = np.full(leaf.n_stages, np.inf), np.full(leaf.n_stages, -np.inf)
    stage = np.full(len(leaf.labels), leaf.n_stages - 1)
    for s in range(leaf.n_stages - 2, -1, -1):
        goes_on = (low < leaf.belief[s]) & (leaf.belief[s] < high)
        lows[s], highs[s], inside = leaf.rankings[s].bounds(goes_on)
        stage = np.where(inside, stage, s)
    return lows, highs, stage


# Which of hundreds of policies stay, and what may be promised of them.
#
# The best of many scores is better than what it stands for. So one half of the held-out
# rows chooses, and the other half says what the choice is worth, many times over; and
# nothing is bought that is not better than the free answer by more than noise.


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
