"""What cuts say of a selection is never above its objective."""

import numpy as np
import pytest

from solvers.certify import pool
from solvers.certify.oracle import Oracle
from solvers.certify.pool import CutPool
from solvers.certify.problem import make_problem
from tests.certify.cases import random_instance
from tests.each import each


def _filled(seed, n_cuts):
    instance = random_instance(seed)
    problem = make_problem(*instance.arguments, instance.ridge)
    oracle, cuts = Oracle(problem), CutPool(problem.n_bundles)
    rng = np.random.default_rng(seed)
    for _ in range(n_cuts):
        cuts.add(oracle(rng.random(problem.n_bundles)), problem.ridge)
    return instance, problem, cuts


@each("seed", range(3))
def test_no_selection_is_below_what_cuts_say_of_it(seed):
    instance, problem, cuts = _filled(seed, 8)
    for features in instance.selections().values():
        mask = np.isin(np.arange(instance.hypergraph.n_features), features)
        said = cuts.value_at(problem.bundles_within(mask).astype(float), problem.ridge)
        assert 0 < said <= instance.objective(features) + 1e-9


def test_an_empty_pool_knows_only_that_a_loss_is_not_below_0():
    _, problem, cuts = _filled(0, 0)
    assert cuts.value_at(np.ones(problem.n_bundles), problem.ridge) == 0.0


def test_a_full_pool_forgets_the_oldest(monkeypatch):
    monkeypatch.setattr(pool, "_MOST_CUTS", 3)
    _, problem, cuts = _filled(1, 3)
    oracle, everything = Oracle(problem), np.ones(problem.n_bundles)
    own = oracle(everything)
    cuts.add(own, problem.ridge)
    said = cuts.value_at(everything, problem.ridge)
    assert said == pytest.approx(own.objective, abs=1e-4)
    for _ in range(3):
        cuts.add(oracle(np.zeros(problem.n_bundles)), problem.ridge)
    assert cuts.value_at(everything, problem.ridge) < said
