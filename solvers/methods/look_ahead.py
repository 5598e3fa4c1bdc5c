"""Look-ahead: each row buys what is expected to tell it most for its price.

What a purchase tells is the expected drop of the entropy of the row's class, by a model
of the columns in each class. One purchase may tell nothing itself and say which others
tell: a *parent*, whose pattern parts the rows. It is looked past, to what comes next.

References
----------
Webb, Boughton and Wang, "Not so naive Bayes: aggregating one-dependence estimators",
2005: classifiers with one super-parent.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, ClassVar, Self

import numpy as np
from scipy.special import expit, logsumexp, ndtr, ndtri

from ..costs.budgets import room_of
from ..costs.hypergraph import FeatureHypergraph
from ..numerics.arrays import Floats, Integers, Mask
from ..numerics.cuts import QuantileBins, weighted_median
from ..numerics.distinct_rows import merged_rows
from ..numerics.inner_folds import deal_folds, in_turn, left_out, spread_of_sum
from ..values.fields import declared
from ..values.knobs import BUDGET_KNOB, Number
from .adaptive import AdaptiveClassifier
from .base import Prices
from .rows import LabelledRows

__all__ = ["LookAheadClassifier"]

_BINS = 32  # of a column of numbers, about equally full
_MOST_PATTERNS = 12  # of a parent
_MOST_PARENTS = 60  # that are tried, the cheapest first
_FINALISTS = 3
_FOLDS = 5
_SCENARIOS = 32  # training rows that stand for what several columns at once may be
_TEMPERS = (1.0, 0.7, 0.5, 0.35, 0.25, 0.15)
_CHUNK = 2_000_000  # numbers at once
_STEPS = 16  # of the path
_PRIOR = 0.5  # rows of every class in every pattern, before any is seen
_LEAST = 1e-9  # nats a row, what a parent improves at least
_ROUNDS = 20
_LEAST_SPREAD = 1e-3
_DIGITS = 10  # of a gain: what rounding tells apart is equal


@declared
class LookAheadClassifier(AdaptiveClassifier):
    """Buys row by row what tells most for its price, and looks past what only routes.

    Columns are cut into bins; within a class, and within a pattern of the parent, they
    are normal (after a change of scale that makes all rows normal) and independent.
    Means of classes that chance alone may have parted are one. Held-out rows choose the
    parent, if any, and by how much a sum of columns that repeat one another is
    believed.

    Attributes
    ----------
    classes_ : ndarray
        The labels, sorted.
    parent_ : tuple of str
        The features whose pattern says how the others are read; empty where none
        improves held-out log loss by two standard errors.
    temper_ : float
        What the evidence of a column counts, 1 where columns are held independent.

    Notes
    -----
    Looks one purchase ahead, and two past the parent. A walk takes O(n_features
    n_classes) a row and purchase. What it buys next depends on all that it knows, so it
    has no program and is not exported.

    Examples
    --------
    >>> from solvers.datasets import make_cube
    >>> data = make_cube(random_state=0)
    >>> model = LookAheadClassifier(data.hypergraph, budget=5)
    >>> model = model.fit(data.X[:800], data.y[:800])
    >>> model.parent_[0], len(model.parent_)
    ('context 0', 5)
    >>> decision = model.decide(data.X[800:])
    >>> bool(np.mean(decision.labels == data.y[800:]) > 0.55)
    True
    """

    title: ClassVar[str] = "Look-ahead"
    path_knob: ClassVar[str | None] = "budget"

    hypergraph: Prices = None
    budget: Annotated[
        float | None,
        BUDGET_KNOB,
        "What a row may pay at most; None for no limit.",
    ] = None
    least_gain: Annotated[
        float,
        Number("Least gain", 0.0, 1e6, shown=(0.0, 5.0)),
        "A row stops where no purchase is expected to lower its uncertainty by this "
        "share of that of all rows, times the share of all costs that it takes.",
    ] = 0.3
    random_state: Annotated[int | None, "Seed of the folds."] = 0

    def _prepared(self, known: LabelledRows) -> _Shop:
        # Copies of a row are one row of more weight, so that no fold parts them.
        X, labels, weights, groups = merged_rows(
            known.X, known.labels, known.weights, known.row_groups
        )
        rows = LabelledRows(X, labels.astype(int), weights, known.hypergraph, groups)
        seed = self.random_state
        fold = deal_folds(rows.labels, _FOLDS, seed, groups, freely=in_turn)
        shop = _Shop(rows, len(self.classes_), fold)
        self.parent_ = tuple(shop.hypergraph.features[j] for j in shop.parent.columns)
        self.temper_ = shop.temper
        self._shop = shop
        return shop

    def _values(self, shop: _Shop) -> list[float]:
        prices = shop.hypergraph.marginal_costs()
        least = prices[prices > 0.0].min(initial=shop.hypergraph.total_cost)
        if least <= 0.0:
            return [0.0]
        steps = np.geomspace(least, shop.hypergraph.total_cost, _STEPS)
        return [0.0, *steps.tolist()]

    def _take(self, shop: _Shop) -> Self:
        return self

    def _walk(self, rows: Floats) -> tuple[Floats, Mask]:
        shop = self._shop
        belief, acquired = shop.start(len(rows))
        codes, patterns = shop.read(rows)
        room = np.inf if self.budget is None else room_of(self.budget)
        going = np.arange(len(rows))
        while going.size:
            chosen = shop.choose(belief[going], acquired[going], room, self.least_gain)
            going, chosen = going[chosen >= 0], chosen[chosen >= 0]
            before = acquired[going]
            acquired[going] = shop.bought(before, chosen)
            new = acquired[going] & ~before
            belief[going] += shop.evidence(codes[going], patterns[going], new)
        scores = logsumexp(belief, axis=2)
        scores -= logsumexp(scores, axis=1, keepdims=True)
        return (
            scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores
        ), acquired


@dataclass(frozen=True, eq=False)
class _Parent:
    """Columns whose values, or halves of one column, are the patterns of rows."""

    columns: Integers  # (k,) Empty where there is no parent
    centres: Floats  # (n_patterns, k) A row is of the nearest
    is_told: bool  # whether nothing more is in the columns once the pattern is known

    def of(self, rows: Floats) -> Integers:
        """Return the pattern of each row, (n_rows,)."""
        if not len(self.columns):
            return np.zeros(len(rows), dtype=int)
        gaps = rows[:, np.newaxis, self.columns] - self.centres
        return (gaps**2).sum(axis=2).argmin(axis=1)


_NO_PARENT = _Parent(np.empty(0, dtype=int), np.empty((1, 0)), True)


class _Scale:
    """Bins of every column, and where they lie were all rows normal."""

    def __init__(self, X: Floats, weights: Floats) -> None:
        self._bins = QuantileBins.fit(X, weights, _BINS)
        self.n_bins = self._bins.n_bins
        self.codes = self._bins.transform
        codes = self.codes(X)
        share = np.zeros((X.shape[1], self.n_bins))
        for j, code in enumerate(codes.T):
            share[j] = np.bincount(code, weights, self.n_bins)
        below = np.cumsum(share, axis=1) / weights.sum()
        middle = below - share / weights.sum() / 2
        edge = 0.5 / weights.sum()
        self.above = ndtri(np.clip(below, edge, 1 - edge))  # (n_columns, n_bins)
        # The last bin that a column has is open above, and so are those beyond it.
        self.above[below >= 1.0 - 1e-12] = np.inf
        self.middle = ndtri(np.clip(middle, edge, 1 - edge))

    def scores(self, codes: Integers) -> Floats:
        """Return cells as they were, were all rows normal."""
        return self.middle[np.arange(codes.shape[1]), codes]


def _log_table(
    scale: _Scale,
    codes: Integers,
    cell: Integers,
    weights: Floats,
    shape: tuple[int, int],
) -> Floats:
    """Return how likely each bin is in each class and pattern, as logarithms.

    Shapes: `codes` (n_rows, n_columns), `cell` (n_rows,): class times patterns plus
    pattern -> (n_columns, n_bins, n_classes, n_patterns).
    """
    n_classes, n_patterns = shape
    member = np.zeros((n_classes * n_patterns, len(codes)))
    member[cell, np.arange(len(codes))] = weights
    scores = scale.scores(codes)
    counts = member.sum(axis=1)
    sums = (member @ scores).reshape(*shape, -1)
    counts = counts.reshape(shape)[:, :, np.newaxis]
    total = np.maximum(counts.sum(axis=0), 1e-9)  # (n_patterns, 1)
    means = np.where(counts > 0, sums / np.maximum(counts, 1e-9), 0.0)
    by_pattern = member.reshape(n_classes, n_patterns, -1).sum(axis=0)
    squares = by_pattern @ scores**2  # (n_patterns, n_columns)
    within = np.maximum(squares - (counts * means**2).sum(axis=0), 0.0)
    free = np.maximum(total - (counts > 0).sum(axis=0), 1.0)
    found = _apart(means, counts, within / free + _LEAST_SPREAD)
    left = within + (counts * (means - found) ** 2).sum(axis=0)
    spread = np.sqrt(left / total + _LEAST_SPREAD)
    means = found
    edges = scale.above.T[:, np.newaxis, np.newaxis, :]
    below = ndtr((edges - means) / spread)  # (n_bins, n_classes, n_patterns, n_columns)
    likely = np.diff(below, axis=0, prepend=0.0)
    # A bin holds a little of what all rows say, whatever the class.
    share = np.diff(ndtr(scale.above), axis=1, prepend=0.0).T[:, np.newaxis, np.newaxis]
    return np.log(0.98 * likely + 0.02 * share + 1e-9).transpose(3, 0, 1, 2)


def _apart(means: Floats, counts: Floats, spread: Floats) -> Floats:
    """Return means of classes, those equal that chance alone may have parted.

    A mean is that of the column, or lies off it as one draw of a normal: how often and
    how far is what makes all means likeliest. Each is set between the two by how likely
    either is.

    Shapes: `means` (n_classes, n_patterns, n_columns), `counts` (n_classes, n_patterns,
    1), `spread`, variances within classes, (n_patterns, n_columns).
    """
    noise = spread / np.maximum(counts, 1e-9)
    is_seen = np.broadcast_to(counts > 0, means.shape)
    off, far = np.where(is_seen, 0.5, 0.0), 1.0
    often = 0.5
    for _ in range(_ROUNDS):
        weight = np.maximum(counts * (1.0 - off), 1e-3 * counts) + 1e-12
        centre = (weight * means).sum(axis=0) / weight.sum(axis=0)
        gap = (means - centre) ** 2
        slab = far * spread + noise
        odds = 0.5 * (gap / noise - gap / slab - np.log(slab / noise))
        off = np.where(is_seen, expit(odds + np.log(often / (1.0 - often))), 0.0)
        often = float(np.clip(off.sum() / max(is_seen.sum(), 1), 0.01, 0.99))
        excess = off * (gap - noise) / spread
        far = float(np.clip(excess.sum() / max(off.sum(), 1e-9), 0.01, 100.0))
    kept = off * far * spread / (far * spread + noise)
    return np.where(is_seen, centre + kept * (means - centre), centre)


class _Shop:
    """What was learned, what may be bought, and what each purchase would tell.

    `fold` (n_rows,): which fold holds each training row out.
    """

    def __init__(self, known: LabelledRows, n_classes: int, fold: Integers) -> None:
        self.hypergraph, self.n_classes = known.hypergraph, n_classes
        self.lead, self.along = _units(known.hypergraph)
        self._known, self._fold = known, fold
        self.scale = _Scale(known.X, known.weights)
        self._codes = self.scale.codes(known.X)
        self.parent, self.temper = self._choose_parent()
        self._learn()
        del self._known, self._fold, self._codes

    # ------------------------------------------------------------------------ learning

    def _choose_parent(self) -> tuple[_Parent, float]:
        """Return the parent that held-out rows are better with, and the temper."""
        found = list(self._candidates())
        rough = [self._mean(*self._held_out(one, 1)[:2])[0] for one in found]
        best = [found[k] for k in np.argsort(rough, kind="stable")[:_FINALISTS]]
        loss, rows, temper = self._held_out(_NO_PARENT, _FOLDS)
        parent = _NO_PARENT
        for one in best:
            other, _, tempered = self._held_out(one, _FOLDS)
            gain, error = self._mean(loss - other, rows)
            if gain > 2.0 * error and gain > _LEAST:
                parent, loss, temper = one, other, tempered
        return parent, temper

    def _mean(self, losses: Floats, rows: Integers) -> tuple[float, float]:
        """Return the mean over some rows, and its standard error."""
        weights = self._known.weights[rows]
        total = weights.sum()
        mean = weights @ losses / total
        groups = self._known.row_groups
        together = None if groups is None else groups[rows]
        spread = spread_of_sum(losses - mean, weights, together)
        return float(mean), float(np.sqrt(spread) / total)

    def _candidates(self) -> Iterator[_Parent]:
        X, weights = self._known.X, self._known.weights
        fewest = max(20, 3 * self.n_classes)
        alone = self.hypergraph.marginal_costs()[self.lead]
        for k in np.argsort(alone, kind="stable")[:_MOST_PARENTS]:
            columns = np.flatnonzero(self.along[k])
            patterns, place = np.unique(X[:, columns], axis=0, return_inverse=True)
            counts = np.bincount(place.ravel(), weights)
            if 2 <= len(patterns) <= _MOST_PATTERNS:
                if counts.min() >= fewest:
                    yield _Parent(columns, patterns, True)
            elif len(columns) == 1 and counts.sum() >= 2 * fewest:
                middle = weighted_median(X[:, columns[0]], weights)
                yield _Parent(columns, middle + np.array([[-1.0], [1.0]]), False)

    def _held_out(
        self, parent: _Parent, n_folds: int
    ) -> tuple[Floats, Integers, float]:
        """Return the log loss of rows by others that have all columns.

        And which rows these are, and how much evidence is best believed.
        """
        known, pattern = self._known, parent.of(self._known.X)
        shape = (self.n_classes, len(parent.centres))
        cell = known.labels * shape[1] + pattern
        prior, evidence, rows = [], [], []
        for given, held in islice(left_out(self._fold), n_folds):
            parts = (self._codes[given], cell[given], known.weights[given])
            table = _log_table(self.scale, *parts, shape)
            if parent.is_told:
                table[parent.columns] = 0.0
            logs = _log_prior(cell[given], known.weights[given], shape)
            prior.append(logs[:, pattern[held]].T)
            evidence.append(_summed(table, self._codes[held], pattern[held]))
            rows.append(held)
        held = np.concatenate(rows)
        labels, logs, told = (
            known.labels[held],
            np.concatenate(prior),
            np.concatenate(evidence),
        )
        found = {}
        for temper in _TEMPERS:
            scores = logs + temper * told
            own = scores[np.arange(len(labels)), labels]
            found[temper] = logsumexp(scores, axis=1) - own
        temper = min(found, key=lambda t: self._mean(found[t], held)[0])
        return found[temper], held, temper

    def _learn(self) -> None:
        known, parent = self._known, self.parent
        shape = (self.n_classes, len(parent.centres))
        cell = known.labels * shape[1] + parent.of(known.X)
        self.prior = _log_prior(cell, known.weights, shape)
        self.at_first = float(_entropy(np.exp(self.prior)[np.newaxis])[0]) or 1.0
        table = _log_table(self.scale, self._codes, cell, known.weights, shape)
        if parent.is_told:
            table[parent.columns] = 0.0
        self.table = table
        self.is_parent = np.asarray(self.along[:, parent.columns].any(axis=1))
        outcomes = self._outcomes()
        # What is as likely in every class tells nothing: the largest may be set to 1.
        top = outcomes.max(axis=(2, 3), keepdims=True)
        top[~np.isfinite(top)] = 0.0
        self.likely = np.exp(outcomes)
        self.told = np.exp(self.temper * (outcomes - top))

    def _outcomes(self) -> Floats:
        """Return what each unit may turn out to be, as logarithms of likelihoods.

        Shape: (n_units, n_outcomes, n_classes, n_patterns); they sum to one over
        outcomes. Of one column these are its bins, of several some training rows.
        """
        n_bins = self.table.shape[1]
        risen = np.cumsum(self._known.weights)
        shares = (np.arange(_SCENARIOS) + 0.5) / _SCENARIOS
        drawn = np.searchsorted(risen, shares * risen[-1])
        several = (self.along.sum(axis=1) > 1) & ~self.is_parent
        n = max(n_bins, _SCENARIOS) if several.any() else n_bins
        logs = np.full((len(self.lead), n, *self.prior.shape), -np.inf)
        logs[:, :n_bins] = self.table[self.lead]
        for unit in np.flatnonzero(several):
            columns = np.flatnonzero(self.along[unit])
            told = sum(self.table[j][self._codes[drawn, j]] for j in columns)
            # Drawn as rows come: what is likely anyway is drawn more often.
            usual = logsumexp(told + self.prior, axis=(1, 2), keepdims=True)
            logs[unit] = -np.inf
            logs[unit, : len(drawn)] = told - usual
        return logs - logsumexp(logs, axis=1, keepdims=True)

    # ------------------------------------------------------------------------- walking

    def start(self, n_rows: int) -> tuple[Floats, Mask]:
        """Return what is believed of rows at first, and that nothing is acquired."""
        belief = np.repeat(self.prior[np.newaxis], n_rows, axis=0)
        return belief, np.zeros((n_rows, self.hypergraph.n_features), dtype=bool)

    def read(self, rows: Floats) -> tuple[Integers, Integers]:
        """Return bins and patterns of rows; looked at once they are bought."""
        return self.scale.codes(rows), self.parent.of(rows)

    def bought(self, acquired: Mask, chosen: Integers) -> Mask:
        """Return what rows have once they buy a unit, and what comes with it free."""
        held = acquired | self.along[chosen]
        paid = self.hypergraph.required_component_rows(held)
        return held | (self.hypergraph.marginal_cost_rows(paid) == 0.0)

    def evidence(self, codes: Integers, patterns: Integers, new: Mask) -> Floats:
        """Return what newly bought columns say: (n_rows, n_classes, n_patterns)."""
        said = np.zeros((len(codes), *self.prior.shape))
        for j in np.flatnonzero(new.any(axis=0)):
            rows = new[:, j]
            said[rows] += self.temper * self.table[j][codes[rows, j]]
        if len(self.parent.columns):
            told = np.asarray(new[:, self.parent.columns].any(axis=1))
            others = np.arange(self.prior.shape[1]) != patterns[:, np.newaxis]
            said -= np.where((told[:, np.newaxis] & others)[:, np.newaxis], 1e3, 0.0)
        return said

    def choose(
        self, belief: Floats, acquired: Mask, room: float, least: float
    ) -> Integers:
        """Return the unit that each row buys next, -1 where it stops."""
        paid = self.hypergraph.required_component_rows(acquired)
        prices = self.hypergraph.marginal_cost_rows(paid)[:, self.lead]
        spent = self.hypergraph.cost_rows(acquired)
        closed = acquired[:, self.lead] | (spent[:, np.newaxis] + prices > room)
        rates = self._rates(belief, prices, closed)
        best = rates.argmax(axis=1)
        rate = rates[np.arange(len(rates)), best]
        return np.where((rate > 0.0) & (rate >= least), best, -1)

    def _rates(self, belief: Floats, prices: Floats, closed: Mask) -> Floats:
        """Return the gain of each unit per share of all costs, (n_rows, n_units)."""
        prices = prices / max(self.hypergraph.total_cost, 1e-300)
        share = np.exp(belief - logsumexp(belief, axis=(1, 2), keepdims=True))
        gains = _entropy(share)[:, np.newaxis] - self._expected(share)
        gains = np.round(gains / self.at_first, _DIGITS)
        free = np.where(gains > 0.0, np.inf, 0.0)
        rates = np.divide(gains, prices, out=free, where=prices > 0.0)
        # What is free and was not looked at yet is looked at first, whatever it tells.
        rates[prices <= 0.0] = np.inf
        if len(self.parent.columns):
            self._look_past(rates, share, prices, closed)
        rates[closed] = -np.inf
        return rates

    def _look_past(
        self, rates: Floats, share: Floats, prices: Floats, has: Mask
    ) -> None:
        """Raise the rates of the parent to that of it and what comes best after it."""
        open_rows = ~has[:, self.is_parent].any(axis=1)
        if not open_rows.any():
            return
        share, price, has = share[open_rows], prices[open_rows], has[open_rows]
        n_rows, closed = len(share), has | self.is_parent
        of_pattern = share.sum(axis=1)  # (n_rows, n_patterns)
        left, spent = np.zeros(n_rows), np.zeros(n_rows)
        for k in range(share.shape[2]):
            alone = np.zeros_like(share)
            alone[:, :, k] = share[:, :, k] / np.maximum(of_pattern[:, [k]], 1e-300)
            after = np.where(closed, np.inf, self._expected(alone))
            drop = _entropy(alone)[:, np.newaxis] - after
            per_price = np.where(closed, -np.inf, drop / np.maximum(price, 1e-12))
            best = per_price.argmax(axis=1), np.arange(n_rows)
            usable = ~closed[best[1], best[0]]
            now = np.where(usable, after[best[1], best[0]], _entropy(alone))
            left += of_pattern[:, k] * now
            spent += of_pattern[:, k] * np.where(usable, price[best[1], best[0]], 0.0)
        gain = np.round((_entropy(share) - left) / self.at_first, _DIGITS)
        for unit in np.flatnonzero(self.is_parent):
            whole = np.maximum(price[:, unit] + spent, 1e-12)
            rates[open_rows, unit] = np.maximum(rates[open_rows, unit], gain / whole)

    def _expected(self, share: Floats) -> Floats:
        """Return the entropy expected after each unit, (n_rows, n_units)."""
        expected = np.empty((len(share), len(self.lead)))
        live = np.asarray(share.any(axis=1))
        alone = live.sum(axis=1) == 1
        for pattern in range(share.shape[2]):
            rows = np.flatnonzero(alone & live[:, pattern])
            if rows.size:
                expected[rows] = self._of_one(share[rows, :, pattern], pattern)
        if not alone.all():
            alike, place = np.unique(share[~alone], axis=0, return_inverse=True)
            expected[~alone] = self._of_several(alike)[place.ravel()]
        return expected

    def _of_one(self, share: Floats, pattern: int) -> Floats:
        """Return it for rows of a known pattern; `share` (n_rows, n_classes)."""
        n_units, n_outcomes = self.likely.shape[:2]
        likely = self.likely[..., pattern].reshape(n_units * n_outcomes, -1).T
        told = self.told[..., pattern].reshape(n_units * n_outcomes, -1).T
        own = _times_log(told)
        size = max(1, _CHUNK // likely.shape[1])
        parts = []
        for begin in range(0, len(share), size):
            part = share[begin : begin + size]
            total = np.maximum(part @ told, 1e-300)
            # The entropy of J / sum J is log sum J - sum J log J / sum J.
            entropy = np.log(total) - (_times_log(part) @ told + part @ own) / total
            parts.append(
                (part @ likely * entropy).reshape(len(part), n_units, -1).sum(2)
            )
        found = np.concatenate(parts)
        found[:, self.is_parent] = _entropy(share[:, :, np.newaxis])[:, np.newaxis]
        return found

    def _of_several(self, share: Floats) -> Floats:
        """Return it for rows whose pattern is not known."""
        size = max(1, _CHUNK // self.likely.size)
        parts = []
        for begin in range(0, len(share), size):
            part = share[begin : begin + size]
            comes = np.einsum("ryz,umyz->rum", part, self.likely)
            then = np.einsum("ryz,umyz->rumy", part, self.told)
            then /= np.maximum(then.sum(axis=3, keepdims=True), 1e-300)
            parts.append((comes * -_times_log(then).sum(axis=3)).sum(axis=2))
        found = np.concatenate(parts)
        each = [_entropy(share[:, :, [k]]) for k in range(share.shape[2])]
        known = (share.sum(axis=1) * np.stack(each, axis=1)).sum(axis=1)
        found[:, self.is_parent] = known[:, np.newaxis]
        return found


def _units(hypergraph: FeatureHypergraph) -> tuple[Integers, Mask]:
    """Return what may be bought: a feature, and all that come with its components.

    Shapes: (n_units,), (n_units, n_features).
    """
    needs = hypergraph.incidence.astype(np.int32)
    shared = (needs.T @ needs).tocoo()
    size = np.asarray(needs.sum(axis=0)).ravel()
    # A feature comes along if it needs nothing that the other does not.
    along = np.eye(len(size), dtype=bool) | (size == 0)
    inside = shared.data == size[shared.row]
    along[shared.col[inside], shared.row[inside]] = True
    # Two features of the same components are one purchase.
    _, lead = np.unique(along, axis=0, return_index=True)
    lead = np.sort(lead)
    return lead, along[lead]


def _log_prior(cell: Integers, weights: Floats, shape: tuple[int, int]) -> Floats:
    """Return logarithms of the shares of rows of each class and pattern."""
    counts = np.bincount(cell, weights, shape[0] * shape[1]) + _PRIOR
    return np.log(counts / counts.sum()).reshape(shape)


def _summed(table: Floats, codes: Integers, pattern: Integers) -> Floats:
    """Return the evidence of all columns, (n_rows, n_classes)."""
    said = np.zeros((len(codes), table.shape[2]))
    for j, column in enumerate(codes.T):
        said += table[j][column, :, pattern]
    return said


def _entropy(share: Floats) -> Floats:
    """Return the entropy of the class, in nats: (n_rows, n_classes, n_patterns)."""
    classes = share.sum(axis=2)
    classes = classes / np.maximum(classes.sum(axis=1, keepdims=True), 1e-300)
    return -_times_log(classes).sum(axis=1)


def _times_log(share: Floats) -> Floats:
    """Return x log x, which is 0 at 0."""
    return share * np.log(np.maximum(share, 1e-300))
