"""Policies are scored as a replay of their own bounds scores them."""

import numpy as np
import pytest
from sklearn.metrics import accuracy_score

from solvers.methods.hypergraph_cascade.choosing import STEPS, policy_steps, prefixes
from solvers.methods.hypergraph_cascade.policies import HeldOut, PolicyObjective

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
