"""What may be bought, what each purchase would tell, and which tells most."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np
from scipy.special import logsumexp

from ...costs.hypergraph import FeatureHypergraph
from ...numerics.arrays import Floats, Integers, Mask
from ...numerics.cuts import weighted_median
from ...numerics.inner_folds import left_out, spread_of_sum
from ..rows import LabelledRows
from .likelihood import (
    NO_PARENT,
    Parent,
    Scale,
    class_entropy,
    log_prior,
    log_table,
    summed,
    times_log,
)

FOLDS = 5
_MOST_PATTERNS = 12  # of a parent
_MOST_PARENTS = 60  # that are tried, the cheapest first
_FINALISTS = 3
_SCENARIOS = 32  # training rows that stand for what several columns at once may be
_TEMPERS = (1.0, 0.7, 0.5, 0.35, 0.25, 0.15)
_CHUNK = 2_000_000  # numbers at once
_LEAST = 1e-9  # nats a row, what a parent improves at least
_DIGITS = 10  # of a gain: what rounding tells apart is equal


class Shop:
    """What was learned, what may be bought, and what each purchase would tell.

    `fold` (n_rows,): which fold holds each training row out.
    """

    def __init__(self, known: LabelledRows, n_classes: int, fold: Integers) -> None:
        self.hypergraph, self.n_classes = known.hypergraph, n_classes
        self.lead, self.along = _units(known.hypergraph)
        self._known, self._fold = known, fold
        self.scale = Scale(known.X, known.weights)
        self._codes = self.scale.codes(known.X)
        self.parent, self.temper = self._choose_parent()
        self._learn()
        del self._known, self._fold, self._codes

    # ------------------------------------------------------------------------ learning

    def _choose_parent(self) -> tuple[Parent, float]:
        """Return the parent that held-out rows are better with, and the temper."""
        found = list(self._candidates())
        rough = [self._mean(*self._held_out(one, 1)[:2])[0] for one in found]
        best = [found[k] for k in np.argsort(rough, kind="stable")[:_FINALISTS]]
        loss, rows, temper = self._held_out(NO_PARENT, FOLDS)
        parent = NO_PARENT
        for one in best:
            other, _, tempered = self._held_out(one, FOLDS)
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

    def _candidates(self) -> Iterator[Parent]:
        X, weights = self._known.X, self._known.weights
        fewest = max(20, 3 * self.n_classes)
        alone = self.hypergraph.marginal_costs()[self.lead]
        for k in np.argsort(alone, kind="stable")[:_MOST_PARENTS]:
            columns = np.flatnonzero(self.along[k])
            patterns, place = np.unique(X[:, columns], axis=0, return_inverse=True)
            counts = np.bincount(place.ravel(), weights)
            if 2 <= len(patterns) <= _MOST_PATTERNS:
                if counts.min() >= fewest:
                    yield Parent(columns, patterns, True)
            elif len(columns) == 1 and counts.sum() >= 2 * fewest:
                middle = weighted_median(X[:, columns[0]], weights)
                yield Parent(columns, middle + np.array([[-1.0], [1.0]]), False)

    def _held_out(self, parent: Parent, n_folds: int) -> tuple[Floats, Integers, float]:
        """Return the log loss of rows by others that have all columns.

        And which rows these are, and how much evidence is best believed.
        """
        known, pattern = self._known, parent.of(self._known.X)
        shape = (self.n_classes, len(parent.centres))
        cell = known.labels * shape[1] + pattern
        prior, evidence, rows = [], [], []
        for given, held in islice(left_out(self._fold), n_folds):
            parts = (self._codes[given], cell[given], known.weights[given])
            table = log_table(self.scale, *parts, shape)
            if parent.is_told:
                table[parent.columns] = 0.0
            logs = log_prior(cell[given], known.weights[given], shape)
            prior.append(logs[:, pattern[held]].T)
            evidence.append(summed(table, self._codes[held], pattern[held]))
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
        self.prior = log_prior(cell, known.weights, shape)
        self.at_first = float(class_entropy(np.exp(self.prior)[np.newaxis])[0]) or 1.0
        table = log_table(self.scale, self._codes, cell, known.weights, shape)
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
        gains = class_entropy(share)[:, np.newaxis] - self._expected(share)
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
            drop = class_entropy(alone)[:, np.newaxis] - after
            per_price = np.where(closed, -np.inf, drop / np.maximum(price, 1e-12))
            best = per_price.argmax(axis=1), np.arange(n_rows)
            usable = ~closed[best[1], best[0]]
            now = np.where(usable, after[best[1], best[0]], class_entropy(alone))
            left += of_pattern[:, k] * now
            spent += of_pattern[:, k] * np.where(usable, price[best[1], best[0]], 0.0)
        gain = np.round((class_entropy(share) - left) / self.at_first, _DIGITS)
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
        own = times_log(told)
        size = max(1, _CHUNK // likely.shape[1])
        parts = []
        for begin in range(0, len(share), size):
            part = share[begin : begin + size]
            total = np.maximum(part @ told, 1e-300)
            # The entropy of J / sum J is log sum J - sum J log J / sum J.
            entropy = np.log(total) - (times_log(part) @ told + part @ own) / total
            parts.append(
                (part @ likely * entropy).reshape(len(part), n_units, -1).sum(2)
            )
        found = np.concatenate(parts)
        found[:, self.is_parent] = class_entropy(share[:, :, np.newaxis])[:, np.newaxis]
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
            parts.append((comes * -times_log(then).sum(axis=3)).sum(axis=2))
        found = np.concatenate(parts)
        each = [class_entropy(share[:, :, [k]]) for k in range(share.shape[2])]
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
