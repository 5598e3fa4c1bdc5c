"""Trimming naive Bayes of many classes: features and offsets that decide most alike.

The label is the class of the largest score, its log-probability with what is seen, plus
an offset for each class. Of two classes the offsets are a new threshold, and this is
ECA-Trim. What features can agree at most, whatever labels their states are given, is a
bound (the maximum potential agreement), which proves how good a set is where joint
states are few.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.special import logsumexp

from ..costs.hypergraph import FeatureHypergraph
from ..numerics.arrays import Floats, Integers
from .network import BayesianNetwork
from .pricing import SharedCosts, as_prices

# Up to here joint states are enumerated, else rows are drawn; up to so many features
# every affordable set is looked at, and by so many drawn rows others are grown.
_MOST_STATES = 2**14
_MOST_FEATURES = 8
_GROWN_ROWS = 1500
_PASSES = 8
_TIE = 1e-12


@dataclass(frozen=True, eq=False)
class ClassTables:
    """Naive Bayes as logarithms."""

    prior: Floats  # (n_classes,)
    features: tuple[Floats, ...]  # (n_states, n_classes) Of each feature

    @classmethod
    def of(cls, network: BayesianNetwork, target: str) -> ClassTables:
        """Return those of a network whose features depend on the target alone."""
        names = [name for name in network.variables if name != target]
        of_each = tuple(np.log(network.tables[name]).T for name in names)
        return cls(np.log(network.tables[target]), of_each)

    def scores(self, codes: Integers, chosen: tuple[int, ...]) -> Floats:
        """Return the log-probability of each class with what is seen, not normalised.

        Shapes: `codes` (n_rows, n_features) -> (n_rows, n_classes).
        """
        found = np.tile(self.prior, (len(codes), 1))
        for j in chosen:
            found += self.features[j][codes[:, j]]
        return found


@dataclass(frozen=True, eq=False)
class LabelTrimming:
    """A set of features with the offsets that make it agree most."""

    features: tuple[int, ...]  #: Places of the features that are kept
    offsets: Floats  #: (n_classes,) Added to the scores; of mean 0
    agreement: float  #: Probability that its label is that of the full model
    bound: float  #: No affordable set agrees more
    cost: float  #: What the set costs
    exact: bool  #: Whether agreement is reckoned, or estimated from fresh rows

    @property
    def gap(self) -> float:
        """By how much another set might agree more."""
        return max(0.0, self.bound - self.agreement)


def trim_labels(
    tables: ClassTables,
    names: tuple[str, ...],
    budget: float,
    prices: FeatureHypergraph,
    *,
    n_samples: int = 5000,
    random_state: int | None = 0,
) -> LabelTrimming:
    """Return the best set found within a budget, and its offsets.

    Every affordable set is looked at where features are few. Of more a set is grown by
    what it tells of the full model's label, and features are exchanged; then nothing is
    proved.
    """
    costs = as_prices(names, prices, budget)
    sizes = [len(table) for table in tables.features]
    exact = float(np.prod(sizes, dtype=float)) <= _MOST_STATES
    rng = np.random.default_rng(random_state)
    seen = _enumerated(tables, sizes) if exact else _drawn(tables, n_samples, rng)
    search = _LabelSearch(tables, seen, costs)
    if exact and len(sizes) <= _MOST_FEATURES:
        chosen, offsets, bound = search.among_all()
    else:
        chosen, offsets = search.grown()
        bound = 1.0
    judged = seen if exact else _drawn(tables, n_samples, rng)
    agreed = judged.agreement(tables.scores(judged.codes, chosen) + offsets)
    cost = costs.cost(chosen)
    return LabelTrimming(chosen, offsets, agreed, max(bound, agreed), cost, exact)


@dataclass(frozen=True, eq=False)
class _LabelledStates:
    """States of all features, and what the full model calls them."""

    codes: Integers  # (n_rows, n_features)
    shares: Floats  # (n_rows,) Their probabilities
    labels: Integers  # (n_rows,)
    is_drawn: bool

    def agreement(self, scores: Floats) -> float:
        return float(self.shares @ (np.argmax(scores, axis=1) == self.labels))


def _enumerated(tables: ClassTables, sizes: list[int]) -> _LabelledStates:
    codes = np.array(list(product(*map(range, sizes))), dtype=int)
    scores = tables.scores(codes, tuple(range(len(sizes))))
    labels = np.argmax(scores, axis=1)
    return _LabelledStates(codes, np.exp(logsumexp(scores, axis=1)), labels, False)


def _drawn(
    tables: ClassTables, n_samples: int, rng: np.random.Generator
) -> _LabelledStates:
    classes = rng.choice(len(tables.prior), n_samples, p=np.exp(tables.prior))
    codes = np.empty((n_samples, len(tables.features)), dtype=int)
    for j, table in enumerate(tables.features):
        ends = np.exp(table).cumsum(axis=0)[:, classes]
        # The last end is 1 but for rounding.
        codes[:, j] = (rng.random(n_samples) > ends[:-1]).sum(axis=0)
    labels = np.argmax(tables.scores(codes, tuple(range(codes.shape[1]))), axis=1)
    return _LabelledStates(codes, np.full(n_samples, 1.0 / n_samples), labels, True)


class _LabelSearch:
    def __init__(
        self, tables: ClassTables, seen: _LabelledStates, costs: SharedCosts
    ) -> None:
        self.tables, self.seen, self.costs = tables, seen, costs

    def among_all(self) -> tuple[tuple[int, ...], Floats, float]:
        """Return the best affordable set, its offsets, and what no set exceeds."""
        n_features = len(self.tables.features)
        masks = np.array(list(product((False, True), repeat=n_features)))
        masks = masks[self.costs.fits(self.costs.costs_of(masks))]
        sets = [tuple(np.flatnonzero(mask).tolist()) for mask in masks]
        most = np.array([self._potential(chosen) for chosen in sets])
        best: tuple[float, tuple[int, ...], Floats] | None = None
        # Of what could agree alike, the fewer.
        order = np.lexsort((masks.sum(axis=1), -np.round(most, 12)))
        for i in order:
            if best is not None and most[i] <= best[0] + _TIE:
                break
            agreed, offsets = self._tuned(sets[i])
            if best is None or agreed > best[0] + _TIE:
                best = agreed, sets[i], offsets
        assert best is not None  # no features at all cost nothing
        return best[1], best[2], float(most.max())

    def grown(self) -> tuple[tuple[int, ...], Floats]:
        """Return the set that tells most of the label for its price, grown singly."""
        everything = tuple(range(len(self.tables.features)))
        if self.costs.fits(self.costs.cost(everything)):
            return everything, np.zeros(len(self.tables.prior))
        found = []
        for is_priced in (True, False):
            chosen = self._exchanged(self._grown(is_priced))
            found.append((*self._tuned(chosen), chosen))
        _, offsets, chosen = max(found, key=lambda one: one[0])
        return chosen, offsets

    def _grown(self, is_priced: bool) -> tuple[int, ...]:
        chosen: tuple[int, ...] = ()
        told = self._told_with(chosen, [()])[0]
        least = 1e-9 * max(self.costs.component_costs.sum(), 1.0)
        while ahead := [set(one) - set(chosen) for one in self.costs.grown(chosen)]:
            coming = [tuple(one) for one in ahead]
            gains = self._told_with(chosen, coming) - told
            spent = self.costs.cost(chosen)
            added = [self.costs.cost((*chosen, *one)) - spent for one in coming]
            prices = np.maximum(added, least) if is_priced else np.ones(len(added))
            place = int(np.argmax(gains / prices))
            if gains[place] <= _TIE:
                break
            chosen = tuple(sorted((*chosen, *coming[place])))
            told += gains[place]
        return chosen

    def _exchanged(self, chosen: tuple[int, ...]) -> tuple[int, ...]:
        """Return a set after the exchange of single features for what tells more."""
        told = self._told_with(chosen, [()])[0]
        for gone in chosen:
            rest = tuple(j for j in chosen if j != gone)
            others = self.costs.exchanged(chosen, gone)
            coming = [tuple(set(one) - set(rest)) for one in others]
            values = self._told_with(rest, coming)
            if len(values) and values.max() > told + _TIE:
                place = int(np.argmax(values))
                chosen, told = others[place], values[place]
        return chosen

    def _told_with(
        self, known: tuple[int, ...], coming: list[tuple[int, ...]]
    ) -> Floats:
        """Return the mean logarithm that what is seen gives to the full model's label.

        Where single features change no label, it still says which of them tell most.
        Of some features with each of others beside them, on a part of the rows.
        """
        rows = slice(None, _GROWN_ROWS if self.seen.is_drawn else None)
        codes, labels = self.seen.codes[rows], self.seen.labels[rows]
        shares = self.seen.shares[rows] / self.seen.shares[rows].sum()
        scores, place = self.tables.scores(codes, known), np.arange(len(labels))
        told = np.empty(len(coming))
        for k, others in enumerate(coming):
            moved = sum((self.tables.features[j][codes[:, j]] for j in others), scores)
            top = moved.max(axis=1)
            total = top + np.log(np.exp(moved - top[:, np.newaxis]).sum(axis=1))
            told[k] = shares @ (moved[place, labels] - total)
        return told

    def _potential(self, chosen: tuple[int, ...]) -> float:
        """Return the agreement if every state of some features had its best label."""
        place = np.zeros(len(self.seen.codes), dtype=int)
        for j in chosen:
            place = place * len(self.tables.features[j]) + self.seen.codes[:, j]
        n_classes = len(self.tables.prior)
        _, place = np.unique(place, return_inverse=True)
        cells = place.ravel() * n_classes + self.seen.labels
        masses = np.bincount(cells, self.seen.shares, (place.max() + 1) * n_classes)
        return float(masses.reshape(-1, n_classes).max(axis=1).sum())

    def _tuned(self, chosen: tuple[int, ...]) -> tuple[float, Floats]:
        """Return agreement, and offsets each of which is the best given the others.

        From none on: of two classes the first is the best threshold.
        """
        scores = self.tables.scores(self.seen.codes, chosen)
        offsets = np.zeros(scores.shape[1])
        agreed = self.seen.agreement(scores)
        for _ in range(_PASSES):
            before = agreed
            for c in range(len(offsets)):
                for value in self._steps(scores + offsets, c):
                    moved = offsets.copy()
                    moved[c] += value
                    reached = self.seen.agreement(scores + moved)
                    if reached > agreed + _TIE:
                        offsets, agreed = moved, reached
            if agreed <= before + _TIE:
                break
        return agreed, offsets - offsets.mean()

    def _steps(self, scores: Floats, c: int) -> Iterator[float]:
        """Yield how far one class's scores had best move, the others as they are."""
        others = np.delete(scores, c, axis=1)
        rival = np.delete(np.arange(scores.shape[1]), c)[np.argmax(others, axis=1)]
        needed = others.max(axis=1) - scores[:, c]
        # Beyond what it needs a row is of this class: that is right, or it was before.
        is_own, was_right = self.seen.labels == c, rival == self.seen.labels
        change = self.seen.shares * (is_own.astype(float) - was_right)
        order = np.argsort(needed, kind="stable")
        ranked, gained = needed[order], np.cumsum(change[order])
        ends = np.append(ranked[1:] > ranked[:-1] + 1e-9, True)
        gained = np.where(ends, gained, -np.inf)
        best = int(np.argmax(gained))
        if gained[best] <= 0.0:  # no row at all is best of this class
            yield float(ranked[0] - 1.0)
            return
        above = ranked[best + 1] if best + 1 < len(ranked) else ranked[best] + 2.0
        yield float((ranked[best] + above) / 2.0)
