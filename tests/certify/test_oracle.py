"""Cuts lie below every selection's objective, and touch the one they came from."""

import numpy as np
import pytest

from solvers import FeatureHypergraph
from solvers.certify.oracle import Oracle, balanced, least_objective
from solvers.certify.problem import make_problem
from tests.certify.cases import random_instance
from tests.each import each

SEEDS = range(3)


def _oracle(seed):
    instance = random_instance(seed)
    return instance, Oracle(make_problem(*instance.arguments, instance.ridge))


def _selections(instance, problem):
    """Each selection as bundles, with its least objective."""
    for features in instance.selections().values():
        mask = np.isin(np.arange(instance.hypergraph.n_features), features)
        yield problem.bundles_within(mask), instance.objective(features)


@each("seed", SEEDS)
def test_at_whole_bundles_the_objective_is_scikit_learn_s(seed):
    instance, oracle = _oracle(seed)
    for bundles, objective in list(_selections(instance, oracle.problem))[::5]:
        assert oracle(bundles.astype(float)).objective == pytest.approx(
            objective, abs=1e-7
        )


@each("seed", SEEDS)
def test_a_cut_is_below_every_selection_and_touches_its_own(seed):
    instance, oracle = _oracle(seed)
    selections = list(_selections(instance, oracle.problem))
    for own, objective in selections[::7]:
        cut = oracle(own.astype(float))
        assert cut.entropy - cut.gains @ own == pytest.approx(objective, abs=1e-4)
        for other, least in selections:
            assert cut.entropy - cut.gains @ other <= least + 1e-9


@each("seed", SEEDS)
def test_a_cut_at_shares_of_bundles_is_below_every_selection_too(seed):
    instance, oracle = _oracle(seed)
    shares = np.random.default_rng(seed).random(oracle.problem.n_bundles)
    cut = oracle(shares)
    for bundles, least in _selections(instance, oracle.problem):
        assert cut.entropy - cut.gains @ bundles <= least + 1e-9


@each("seed", SEEDS)
def test_a_vector_is_feasible(seed):
    _, oracle = _oracle(seed)
    cut = oracle(np.full(oracle.problem.n_bundles, 0.4))
    assert ((cut.vector >= 0) & (cut.vector <= 1)).all()
    assert cut.vector @ oracle.problem.signs == pytest.approx(0, abs=1e-9)


def test_the_relaxed_objective_is_convex_in_the_shares():
    _, oracle = _oracle(1)
    rng = np.random.default_rng(0)
    for _ in range(5):
        one, other = rng.random((2, oracle.problem.n_bundles))
        middle = oracle((one + other) / 2).objective
        assert middle <= (oracle(one).objective + oracle(other).objective) / 2 + 1e-7


def test_where_nothing_is_bought_the_prior_answers():
    instance, oracle = _oracle(0)
    answer = oracle(np.zeros(oracle.problem.n_bundles))
    share = np.mean(instance.y == 1)
    prior = -share * np.log(share) - (1 - share) * np.log(1 - share)
    assert answer.objective == pytest.approx(prior)


def test_where_a_search_has_been_changes_no_objective():
    _, oracle = _oracle(2)
    shares = np.full(oracle.problem.n_bundles, 0.3)
    first = oracle(shares).objective
    oracle(np.ones(oracle.problem.n_bundles))
    oracle(np.zeros(oracle.problem.n_bundles))
    assert oracle(shares).objective == pytest.approx(first, abs=1e-8)


def test_separable_classes_have_a_least_objective_by_their_ridge():
    table = np.array([[-1.0], [-1.0], [1.0], [1.0]])
    signs = np.sign(table[:, 0])
    # By symmetry without an intercept: minimise log(1 + exp(-w)) + ridge w^2 / 2.
    weights = np.linspace(0, 20, 200_001)
    wanted = (np.log1p(np.exp(-weights)) + 0.01 * weights**2 / 2).min()
    problem = make_problem(table, signs, FeatureHypergraph([[1]], [1.0]), 0.01)
    found = least_objective(problem, np.array([0]))
    assert found == pytest.approx(wanted, abs=1e-8)


def test_the_heavier_class_alone_is_scaled_down():
    doubt, signs = np.array([0.5, 0.5, 0.25]), np.array([1.0, 1.0, -1.0])
    even, heavy = np.full(3, 1 / 3), np.array([0.25, 0.25, 0.5])
    assert balanced(doubt, signs, even).tolist() == [0.125, 0.125, 0.25]
    assert balanced(doubt, signs, heavy).tolist() == [0.25, 0.25, 0.25]
