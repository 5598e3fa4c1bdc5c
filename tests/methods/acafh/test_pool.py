"""A pool of fits: the best of them under any penalty, and within any budget."""

import numpy as np
import pytest

from solvers import FeatureHypergraph
from solvers.methods.acafh.penalties import Lp, SharedPenalty, Sharing
from solvers.methods.acafh.pool import Pool
from solvers.numerics.prox_newton import LinearFit

SHARING = Sharing(FeatureHypergraph([[1, 1, 0], [0, 0, 1]], [2.0, 1.0]))
FITS = [
    ([0.0, 0.0, 0.0], 0.69),
    ([1.0, 0.0, 0.0], 0.50),
    ([1.0, 0.5, 0.0], 0.45),
    ([0.0, 0.0, 2.0], 0.55),
    ([1.0, 0.5, 1.0], 0.30),
]


def _fit(weights, loss):
    return LinearFit(np.array(weights), 0.1, loss, 0.0, 1, 0.0, np.zeros(0))


@pytest.fixture
def pool():
    filled = Pool(SHARING)
    for weights, loss in FITS:
        filled.add(_fit(weights, loss))
    return filled


@pytest.mark.parametrize("alpha", [0.0, 0.03, 0.1, 1.0])
def test_the_best_are_those_of_least_objective(pool, alpha):
    penalty = SharedPenalty(alpha, Lp(0.5), SHARING)
    totals = [loss + penalty.value(np.array(weights)) for weights, loss in FITS]
    wanted = [FITS[i][0] for i in np.argsort(totals)[:3]]
    found = [weights.tolist() for weights, _ in pool.best(penalty, 3)]
    assert found == wanted


def test_of_multiples_of_one_decision_the_best_alone_is_given():
    pool = Pool(SHARING)
    losses = {1.0: 0.4, 0.5: 0.41, 0.1: 0.6}
    pool.add_scaled(np.array([0]), np.array([4.0]), 0.2, losses)
    penalty = SharedPenalty(0.05, Lp(0.5), SHARING)
    ((weights, intercept),) = pool.best(penalty, 5)
    assert weights.tolist() == [2.0, 0.0, 0.0]
    assert intercept == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("budget", "chosen"),
    [(0.5, []), (1.0, [2]), (2.5, [0, 1]), (3.0, [0, 1, 2])],
)
def test_within_a_budget_the_least_loss_is_chosen(pool, budget, chosen):
    assert np.flatnonzero(pool.within(budget)).tolist() == chosen


def test_at_the_break_even_the_best_fit_is_worth_the_null_model(pool):
    alpha = pool.break_even(Lp(0.5), 0.69)
    penalty = SharedPenalty(alpha, Lp(0.5), SHARING)
    totals = [loss + penalty.value(np.array(weights)) for weights, loss in FITS]
    assert min(totals) == pytest.approx(0.69)


def test_a_pool_that_is_empty_gives_nothing():
    pool = Pool(SHARING)
    penalty = SharedPenalty(0.1, Lp(0.5), SHARING)
    assert pool.best(penalty, 3) == []
    assert pool.within(9.0) is None
    assert pool.break_even(Lp(0.5), 0.69) == 0.0


def test_a_fit_like_one_that_is_there_is_not_kept_again(pool):
    penalty = SharedPenalty(0.0, Lp(0.5), SHARING)
    pool.add(_fit([1.0, 0.5, 1.0], 0.30))
    pool.add(_fit([9.0, 0.5, 1.0], 0.30 + 1e-9))
    assert pool.best(penalty, 1)[0][0].tolist() == [1.0, 0.5, 1.0]
