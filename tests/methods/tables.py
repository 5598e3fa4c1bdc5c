"""Small problems with known answers."""

import numpy as np

from solvers import FeatureHypergraph
from solvers.numerics.distinct_rows import DistinctRows

# Solved by enumeration over all sign patterns, twelve starts each.
TINY_X = np.array(
    [
        [1, 1, 0],
        [1, 0, 1],
        [1, 1, 1],
        [0, 1, 1],
        [-1, 0, 1],
        [-1, -1, 0],
        [0, -1, -1],
        [-1, 0, -1],
    ],
    dtype=float,
)
TINY_Y = np.array([1, 1, 1, -1, -1, -1, 1, -1])
TINY = FeatureHypergraph(
    [[1, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [3.0, 1.0, 0.5, 2.0]
)


def random_problem(seed, n_features=4, n_samples=60, n_components=None, density=0.4):
    """Labels from a noisy linear rule; every feature leans on some components."""
    rng = np.random.default_rng(seed)
    n_components = n_components or n_features
    X = rng.standard_normal((n_samples, n_features)) * rng.uniform(0.5, 3, n_features)
    scores = X @ rng.standard_normal(n_features) + 1.5 * rng.standard_normal(n_samples)
    shared = rng.random((n_components, n_features)) < density
    incidence = np.vstack([shared, np.eye(n_features, dtype=bool)])
    costs = 0.2 + rng.exponential(1.0, n_components + n_features)
    return X, np.where(scores > 0, 1, -1), FeatureHypergraph(incidence, costs)


def objective(X, y, hypergraph, weights, intercept, alpha, value):
    """The objective by its definition, for weights on raw columns."""
    scaled = np.abs(weights) * (np.ptp(X, axis=0) / 2)
    loads = hypergraph.incidence.toarray() @ scaled
    loss = np.logaddexp(0.0, -y * (X @ weights + intercept)).mean()
    return loss + alpha * float(hypergraph.component_costs @ value(loads))


def brute_force(X, y, hypergraph, alpha, p, n_starts=4):
    """Lowest objective over all sign patterns, on log magnitudes, by L-BFGS."""
    from itertools import product

    from scipy.optimize import minimize

    table = X / (np.ptp(X, axis=0) / 2)
    needs, costs = (
        hypergraph.incidence.toarray().astype(float),
        hypergraph.component_costs,
    )
    rng = np.random.default_rng(0)
    best = np.inf
    for signs in product((-1, 0, 1), repeat=X.shape[1]):
        used = np.flatnonzero(signs)
        direction = np.array(signs, dtype=float)[used]
        columns, rows = table[:, used] * direction, needs[:, used]
        rows, prices = rows[rows.any(axis=1)], costs[rows.any(axis=1)]

        def value(z, columns=columns, rows=rows, prices=prices):
            u = np.exp(z[:-1])
            margin = y * (columns @ u + z[-1])
            doubt = -y * 0.5 * (1 - np.tanh(margin / 2)) / len(y)
            loads = rows @ u
            total = np.logaddexp(0, -margin).mean() + alpha * prices @ loads**p
            slope = columns.T @ doubt + alpha * p * rows.T @ (prices * loads ** (p - 1))
            return total, np.append(slope * u, doubt.sum())

        for _ in range(n_starts if len(used) else 1):
            start = np.append(rng.normal(0.5, 1.5, len(used)), 0.0)
            bounds = [(-25, 8)] * len(used) + [(None, None)]
            found = minimize(value, start, jac=True, method="L-BFGS-B", bounds=bounds)
            best = min(best, found.fun)
    return best


def distinct(X, y):
    """Return the distinct rows of a table, with their signs and weights."""
    rows = DistinctRows.of(X, y.astype(float), np.ones(len(y)))
    return rows.X, rows.signs, rows.weights
