"""Every sign pattern of a few features is tried; the best is the best there is."""

import numpy as np
import pytest

from solvers.methods.acafh.exhaustive import Orthants
from solvers.methods.acafh.penalties import Lp, SharedPenalty, Sharing
from solvers.numerics.logistic import LogisticLoss
from tests.each import each
from tests.methods.tables import brute_force, random_problem


def _problem(seed, n_features=3, n_samples=60):
    X, y, hypergraph = random_problem(seed, n_features, n_samples)
    loss = LogisticLoss.from_rows(X, y.astype(float), np.ones(len(y)))
    return X, y, hypergraph, loss


def _objective(loss, penalty, weights, intercept):
    odds = weights @ loss.columns + intercept
    return loss.value(odds) + penalty.value(np.abs(weights))


@each("seed", range(3))
@each("alpha", [0.005, 0.03])
def test_the_best_pattern_is_about_that_of_brute_force(seed, alpha):
    X, y, hypergraph, loss = _problem(seed)
    penalty = SharedPenalty(alpha, Lp(0.5), Sharing(hypergraph))
    points = Orthants(loss).best(penalty, np.inf, 3)
    values = [_objective(loss, penalty, *point) for point in points]
    assert values == sorted(values)
    wanted = brute_force(X, y, hypergraph, alpha, 0.5)
    assert values[0] == pytest.approx(wanted, abs=1e-4)


def test_what_cannot_win_is_left_out():
    _, _, hypergraph, loss = _problem(0)
    penalty = SharedPenalty(0.01, Lp(0.5), Sharing(hypergraph))
    assert Orthants(loss).best(penalty, 0.0, 3) == []


def test_bounds_are_the_losses_without_a_penalty():
    _, _, _, loss = _problem(1)
    orthants = Orthants(loss)
    null = loss.value(np.full(loss.n_samples, loss.base_intercept))
    assert orthants.bounds.max() == pytest.approx(null)
    empty = ~orthants.starts.any(axis=1)
    assert (orthants.bounds[empty] == orthants.bounds.max()).all()


def test_a_constant_column_has_no_pattern_of_its_own():
    X, y, _, _ = _problem(2)
    X[:, 1] = 4.0
    loss = LogisticLoss.from_rows(X, y.astype(float), np.ones(len(y)))
    orthants = Orthants(loss)
    assert len(orthants.starts) == 9
    assert not orthants.starts[:, 1].any()


def test_only_a_few_features_of_not_too_many_rows_are_tried():
    assert Orthants.affordable(_problem(0, 5)[3])
    assert not Orthants.affordable(_problem(0, 6)[3])
    assert not Orthants.affordable(_problem(0, 5, 1000)[3])
