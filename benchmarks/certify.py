"""Certified frontier: processor seconds until the gap is 1 % of what features bring.

Run as ``python -m benchmarks.certify [--seconds 15]``. Features of one source share it
and pay for themselves besides; one budget at a time, nothing known beforehand. A gap
that is still open when time is up is printed as open.
"""

import argparse
import time

import numpy as np

from solvers import FeatureHypergraph
from solvers.certify import certified_frontier

SIZES = ((30, 1000), (100, 2000))
SHARES = (0.1, 0.25, 0.4)
RIDGE = 1e-2
TARGET = 0.01


def sources(m, n, seed=1):
    """Planted weights on independent columns, five of a source."""
    rng = np.random.default_rng(seed)
    k = m // 5
    incidence = np.zeros((k + m, m), dtype=bool)
    incidence[rng.integers(k, size=m), range(m)] = True
    incidence[k + np.arange(m), range(m)] = True
    costs = np.concatenate([rng.uniform(2, 6, k), rng.uniform(0.2, 1, m)])
    X, weights = rng.standard_normal((n, m)), np.zeros(m)
    weights[rng.choice(m, 15, replace=False)] = rng.standard_normal(15)
    y = (rng.random(n) < 1 / (1 + np.exp(-X @ weights))).astype(int)
    return X, y, FeatureHypergraph(incidence, costs)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=15.0)
    limit = parser.parse_args().seconds
    print("m, n, budget: gap, proven or open, nodes, processor s, wall s")
    for m, n in SIZES:
        X, y, hypergraph = sources(m, n)
        for share in SHARES:
            budget = share * hypergraph.total_cost
            began, worked = time.perf_counter(), time.process_time()
            *_, last = certified_frontier(
                X,
                y,
                hypergraph,
                ridge=RIDGE,
                budgets=[budget],
                tol=TARGET,
                seconds=limit,
            )
            wall = time.perf_counter() - began
            busy = time.process_time() - worked
            state = "proven" if last.proven else "open"
            print(
                f"{m}, {n}, {share:.0%}: {last.gap:.2%}, {state}, {last.nodes}, "
                f"{busy:.1f}, {wall:.1f}"
            )


if __name__ == "__main__":
    main()
