"""The published algorithm ends at a stationary point of its own making, or says so."""

import numpy as np
import pytest

from solvers.methods.acafh.admm import minimise_admm
from solvers.methods.acafh.penalties import Lp, SharedPenalty, Sharing
from solvers.numerics.logistic import LogisticLoss
from solvers.numerics.prox_newton import Restriction, minimise
from tests.each import each
from tests.methods.tables import random_problem


def _problem(seed=0, n_features=5):
    X, y, hypergraph = random_problem(seed, n_features, 150)
    loss = LogisticLoss.from_rows(X, y.astype(float), np.ones(len(y)))
    everything = np.ones(n_features, dtype=bool)
    dense = minimise(loss, Restriction(everything), tol=1e-6, max_iter=200)
    return loss, Sharing(hypergraph), dense


@each("alpha", [0.003, 0.02])
@each("seed", range(2))
def test_what_is_reported_is_the_objective_of_the_weights(seed, alpha):
    loss, sharing, dense = _problem(seed)
    penalty = SharedPenalty(alpha, Lp(0.5), sharing)
    found = minimise_admm(loss, penalty, dense, max_iter=60)
    odds = found.weights @ loss.columns + found.intercept
    assert found.odds == pytest.approx(odds)
    assert found.loss == pytest.approx(loss.value(odds))
    assert found.penalty == pytest.approx(penalty.value(np.abs(found.weights)))


def test_without_a_penalty_it_stays_at_maximum_likelihood():
    loss, sharing, dense = _problem()
    found = minimise_admm(loss, SharedPenalty(0.0, Lp(0.5), sharing), dense)
    assert found.loss == pytest.approx(dense.loss, abs=1e-3)


def test_a_large_penalty_leaves_nothing():
    loss, sharing, dense = _problem()
    found = minimise_admm(
        loss, SharedPenalty(10.0, Lp(0.5), sharing), dense, max_iter=100
    )
    assert not found.weights.any()


def test_of_a_convex_penalty_the_optimum_is_found():
    loss, sharing, dense = _problem(1)
    penalty = SharedPenalty(0.01, Lp(1.0), sharing)
    exact = minimise(loss, penalty, tol=1e-9, max_iter=500)
    found = minimise_admm(loss, penalty, dense, max_iter=400)
    assert found.objective == pytest.approx(exact.objective, rel=1e-2)
    assert found.objective >= exact.objective - 1e-9


def test_too_few_steps_show_in_the_violation():
    loss, sharing, dense = _problem()
    penalty = SharedPenalty(0.02, Lp(0.5), sharing)
    few = minimise_admm(loss, penalty, dense, max_iter=1)
    assert few.n_iter == 1
    assert few.violation > 1
