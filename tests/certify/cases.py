"""Small instances and their answer by brute force, by scikit-learn's solver."""

import itertools
from functools import cache

import numpy as np
from sklearn.linear_model import LogisticRegression

from solvers import FeatureHypergraph
from solvers.costs.budgets import room_of

__all__ = ["Instance", "random_instance"]


class Instance:
    """A table, labels, a hypergraph and a ridge, and all selections enumerated."""

    def __init__(self, X, y, hypergraph, ridge):
        self.X, self.y, self.hypergraph, self.ridge = X, y, hypergraph, ridge
        spread = X.std(axis=0)
        self.table = (X - X.mean(axis=0)) / np.where(spread > 1e-12, spread, 1.0)
        self.objective = cache(self._objective)
        self._allowed = cache(self._enumerate)

    def _objective(self, features):
        """Least mean loss + ridge/2 |w|^2 on some columns."""
        signs = np.where(self.y == np.max(self.y), 1.0, -1.0)
        if not features:
            share = (signs > 0).mean()
            return float(-share * np.log(share) - (1 - share) * np.log(1 - share))
        table = self.table[:, list(features)]
        C = 1.0 / (len(signs) * self.ridge)
        model = LogisticRegression(C=C, tol=1e-10, solver="newton-cholesky")
        margins = signs * model.fit(table, signs).decision_function(table)
        loss = np.logaddexp(0.0, -margins).mean()
        return float(loss + 0.5 * self.ridge * np.sum(model.coef_**2))

    @property
    def arguments(self):
        return self.X, self.y, self.hypergraph

    def selections(self, without=()):
        """Every set of priced components all of which are needed: set -> features."""
        return self._allowed(tuple(without))

    def _enumerate(self, without):
        needs = self.hypergraph.incidence.toarray().astype(bool)
        costs = self.hypergraph.component_costs
        priced = [c for c in np.flatnonzero(costs > 0) if c not in without]
        banned = needs[list(without)].any(axis=0)
        sizes = range(len(priced) + 1)
        sets = [s for size in sizes for s in itertools.combinations(priced, size)]
        bought = np.array([costs == 0] * len(sets))
        for row, chosen in zip(bought, sets, strict=True):
            row[list(chosen)] = True
        features = ~(~bought @ needs) & ~banned
        used = features @ needs.T & (costs > 0)
        return {
            tuple(map(int, chosen)): tuple(np.flatnonzero(row))
            for chosen, row, n_used in zip(
                sets, features, used.sum(axis=1), strict=True
            )
            if n_used == len(chosen)
        }

    def best(self, budget, without=()):
        costs = self.hypergraph.component_costs
        return min(
            self.objective(features)
            for chosen, features in self.selections(without).items()
            if costs[list(chosen)].sum() <= room_of(budget)
        )

    @property
    def range(self):
        return self.objective(self.free()) - self.objective(
            tuple(range(self.hypergraph.n_features))
        )

    def free(self):
        return self.selections()[()]


def random_instance(seed, n_features=7, n_components=7, n=60, ridge=None):
    """Labels of a planted model; one feature is free now and then."""
    rng = np.random.default_rng(seed)
    incidence = rng.random((n_components, n_features)) < 0.25
    incidence[rng.integers(n_components, size=n_features), range(n_features)] = True
    costs = rng.choice([0.0, 1.0, 2.0, 3.5], n_components, p=[0.1, 0.3, 0.3, 0.3])
    X = rng.standard_normal((n, n_features)) + 0.5 * rng.standard_normal((n, 1))
    odds = X @ (rng.standard_normal(n_features) * 1.5)
    y = (rng.random(n) < 1 / (1 + np.exp(-odds))).astype(int)
    y[:2] = 0, 1
    ridge = float(10.0 ** rng.uniform(-3, -1)) if ridge is None else ridge
    return Instance(X, y, FeatureHypergraph(incidence, costs), ridge)
