"""Policies are scored as a replay of their bounds; those that promise more stay."""

import numpy as np
import pytest
from sklearn.metrics import accuracy_score

from solvers.methods.hypergraph_cascade.choosing import (
    STEPS,
    choose,
    policy_steps,
    prefixes,
)
from solvers.methods.hypergraph_cascade.policies import (
    Candidate,
    HeldOut,
    Policy,
    PolicyObjective,
)
from solvers.methods.hypergraph_cascade.rows import WeightedRows

COSTS = np.array([0.0, 1.0, 3.0, 7.0])


def _leaf(seed=0, n=120, start=0):
    """Stages whose beliefs of two classes get surer from one to the next."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, n)
    sure = np.array([0.0, 0.7, 1.5, 3.0])[:, np.newaxis]
    belief = sure * (2 * labels - 1) + rng.standard_normal((4, n)) * (sure > 0)
    return HeldOut(
        belief,
        belief,
        (belief > 0).astype(int),
        labels,
        rng.uniform(0.5, 2.0, n),
        COSTS,
        np.arange(n) % 3,
        start + np.arange(n),
    )


def _exits(leaf, low, high):
    """The stage at which each row leaves, one stage after the other."""
    stages = np.full(len(leaf.labels), -1)
    for stage in range(leaf.n_stages):
        inside = (low[stage] < leaf.u[stage]) & (leaf.u[stage] < high[stage])
        stages[(stages < 0) & ~inside] = stage
    return stages


@pytest.fixture(scope="module", params=["accuracy", "f1"])
def steps(request):
    objective = PolicyObjective(request.param, 2)
    leaf = _leaf()
    return request.param, leaf, list(policy_steps(0, [leaf], objective))


def test_there_is_a_list_for_every_step(steps):
    objective, _, found = steps
    assert len(found) == len(STEPS)
    empty = {STEPS[i] for i, listed in enumerate(found) if not listed}
    assert empty == (set() if objective == "f1" else {"fixed F1"})


def test_every_row_leaves_somewhere_and_is_charged_for_it(steps):
    _, leaf, found = steps
    for candidate in (c for listed in found for c in listed[::7]):
        policy = candidate.policy
        stages = _exits(leaf, policy.low[0], policy.high[0])
        assert (stages >= 0).all()
        paid = COSTS[stages]
        assert policy.mean == pytest.approx(np.average(paid, weights=leaf.weights))
        assert policy.max == paid.max()
        most = leaf.weights[paid <= policy.p95].sum()
        less = leaf.weights[paid < policy.p95].sum()
        assert most >= 0.95 * leaf.weights.sum() * (1 - 1e-9) >= less - 1e-9


def test_a_score_of_accuracy_is_that_of_what_rows_are_called_where_they_leave():
    leaf = _leaf(1)
    for listed in policy_steps(0, [leaf], PolicyObjective("accuracy", 2)):
        for candidate in listed[::7]:
            policy = candidate.policy
            stages = _exits(leaf, policy.low[0], policy.high[0])
            said = leaf.called[stages, np.arange(len(stages))]
            wanted = accuracy_score(leaf.labels, said, sample_weight=leaf.weights)
            assert policy.score == pytest.approx(wanted)
            assert (candidate.called == said).all()


def test_prefixes_let_every_row_leave_at_the_same_stage():
    leaf = _leaf()
    found = prefixes(3, [leaf], PolicyObjective("accuracy", 2))
    assert [c.policy.mean for c in found] == pytest.approx(COSTS)
    assert [c.policy.max for c in found] == COSTS.tolist()
    assert {c.policy.member for c in found} == {3}
    for stage, candidate in enumerate(found):
        assert (candidate.called == leaf.called[stage]).all()


def test_rows_of_several_leaves_are_called_at_their_own_places():
    leaves = [_leaf(0, 50), _leaf(1, 30, start=50)]
    last = prefixes(0, leaves, PolicyObjective("accuracy", 2))[-1]
    wanted = np.concatenate([leaf.called[-1] for leaf in leaves])
    assert (last.called == wanted).all()


def test_where_computing_is_worth_more_errors_less_is_computed():
    trade_offs = next(policy_steps(0, [_leaf()], PolicyObjective("accuracy", 2)))
    means = [candidate.policy.mean for candidate in trade_offs]
    assert means[0] > COSTS[2]
    assert means[-1] == 0.0


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
