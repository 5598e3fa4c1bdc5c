"""Of many policies those stay that promise more for more, beyond noise."""

import numpy as np
import pytest

from solvers.methods.hypergraph_cascade.choosing import choose
from solvers.methods.hypergraph_cascade.policies import (
    Candidate,
    Policy,
    PolicyObjective,
)
from solvers.methods.hypergraph_cascade.rows import WeightedRows

ACCURACY = PolicyObjective("accuracy", 2)


def _rows(n=600, seed=0):
    labels = np.random.default_rng(seed).integers(0, 2, n)
    return WeightedRows(np.zeros((n, 1)), labels, np.ones(n), 2)


def _candidate(rows, cost, share_right, seed):
    """Answers of which a share is right, at a cost."""
    rng = np.random.default_rng(seed)
    right = rng.random(len(rows.labels)) < share_right
    called = np.where(right, rows.labels, 1 - rows.labels).astype(np.int16)
    score = float((called == rows.labels).mean())
    bounds = (np.array([np.inf]),)
    policy = Policy(0, bounds, bounds, 0.0, score, cost, cost, cost)
    return Candidate(policy, called)


def _chosen(candidates, rows, accounting="mean"):
    return choose(candidates, rows, ACCURACY, accounting, 0)


def test_dearer_policies_stay_where_they_promise_more():
    rows = _rows()
    shares = [(0.0, 0.5), (1.0, 0.7), (2.0, 0.65), (3.0, 0.9)]
    candidates = [_candidate(rows, *pair, seed) for seed, pair in enumerate(shares)]
    kept = _chosen(candidates[::-1], rows)
    assert [policy.mean for policy in kept] == [0.0, 1.0, 3.0]
    promises = [policy.score for policy in kept]
    assert promises == sorted(promises)
    assert promises[-1] == pytest.approx(0.9, abs=0.05)


def test_of_noise_nothing_is_bought_and_no_more_promised_than_there_is():
    rows = _rows(200)
    candidates = [_candidate(rows, 0.0, 0.5, 0)]
    candidates += [_candidate(rows, 1.0 + k / 100, 0.5, 1 + k) for k in range(150)]
    best = max(candidate.policy.score for candidate in candidates)
    assert best > 0.57  # the best of many scores
    kept = _chosen(candidates, rows)
    assert [policy.mean for policy in kept] == [0.0]
    assert kept[0].score < 0.57


def test_of_policies_of_one_cost_the_best_alone_stays():
    rows = _rows()
    candidates = [_candidate(rows, 0.0, 0.5, 0)]
    candidates += [_candidate(rows, 1.0, share, 9) for share in (0.7, 0.9, 0.8)]
    kept = _chosen(candidates, rows)
    assert [policy.mean for policy in kept] == [0.0, 1.0]
    assert kept[1].score == pytest.approx(0.9, abs=0.05)


def test_the_accounting_says_which_cost_counts():
    rows = _rows()
    free, better = _candidate(rows, 0.0, 0.5, 0), _candidate(rows, 2.0, 0.9, 1)
    kept = _chosen([better, free], rows, "max")
    assert [policy.cost("max") for policy in kept] == [0.0, 2.0]


def test_the_same_seed_promises_the_same():
    rows = _rows()
    candidates = [_candidate(rows, c, 0.5 + c / 10, int(c)) for c in (0.0, 1.0, 3.0)]
    one, other = _chosen(candidates, rows), _chosen(candidates, rows)
    assert [p.score for p in one] == [p.score for p in other]
