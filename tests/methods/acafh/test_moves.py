"""Moves from a stationary point: one feature or one component, and worth a try."""

import numpy as np
import pytest

from solvers import FeatureHypergraph
from solvers.methods.acafh.moves import promising_moves
from solvers.methods.acafh.penalties import Lp, SharedPenalty, Sharing
from solvers.numerics.curvature import HessianCache
from solvers.numerics.logistic import LogisticLoss
from solvers.numerics.prox_newton import Restriction, minimise
from tests.methods.tables import random_problem


def _moved(X, y, hypergraph, support, alpha, n_moves=20, least=0.0):
    """Moves from the unpenalised fit on a support, with what they start from."""
    loss = LogisticLoss.from_rows(X, y.astype(float), np.ones(len(y)))
    fit = minimise(loss, Restriction(support), None, None, tol=1e-8, max_iter=200)
    penalty = SharedPenalty(alpha, Lp(0.5), Sharing(hypergraph))
    hessians = HessianCache(loss)
    moves = promising_moves(loss, penalty, hessians, fit, n_moves, least)
    return loss, penalty, fit, moves


def _objective(loss, penalty, weights, intercept):
    """The objective with the intercept that suits the weights best."""
    used = np.flatnonzero(weights)
    for _ in range(30):
        point = loss.at(loss.odds(used, weights[used], intercept))
        intercept -= point.slopes.sum() / point.curvatures.sum()
    return loss.value(loss.odds(used, weights[used], intercept)) + penalty.value(
        np.abs(weights)
    )


@pytest.fixture(scope="module")
def problem():
    return random_problem(3, n_features=6, n_samples=200)


def test_a_feature_dearer_than_what_it_tells_is_dropped(problem):
    X, y, _ = problem
    rng = np.random.default_rng(0)
    table = np.column_stack([X, rng.standard_normal(len(X))])
    flat = FeatureHypergraph.independent([0.01] * 6 + [5.0])
    support = np.ones(7, dtype=bool)
    loss, penalty, fit, moves = _moved(table, y, flat, support, 0.05)
    assert moves[0][6] == 0
    before = _objective(loss, penalty, fit.weights, fit.intercept)
    assert _objective(loss, penalty, moves[0], fit.intercept) < before


def test_a_telling_feature_that_costs_little_is_brought_in(problem):
    X, y, _ = problem
    signal = np.column_stack(
        [X, y + 0.8 * np.random.default_rng(1).standard_normal(200)]
    )
    flat = FeatureHypergraph.independent([1.0] * 6 + [0.01])
    support = np.arange(7) < 2
    loss, penalty, fit, moves = _moved(signal, y, flat, support, 0.02)
    assert any(move[6] != 0 for move in moves[:2])
    before = _objective(loss, penalty, fit.weights, fit.intercept)
    assert min(_objective(loss, penalty, m, fit.intercept) for m in moves) < before


def test_a_move_changes_one_feature_or_those_of_one_component(problem):
    X, y, hypergraph = problem
    support = np.isin(np.arange(6), [0, 2, 5])
    _, _, fit, moves = _moved(X, y, hypergraph, support, 0.03)
    assert moves
    members = hypergraph.incidence.toarray()
    for move in moves:
        changed = (move != 0) != (fit.weights != 0)
        assert changed.sum() == 1 or any((changed <= row).all() for row in members)


def test_no_selection_is_tried_twice_and_no_more_than_asked_for(problem):
    X, y, hypergraph = problem
    support = np.isin(np.arange(6), [0, 2, 5])
    every = _moved(X, y, hypergraph, support, 0.03)[3]
    patterns = {tuple(move != 0) for move in every}
    assert len(patterns) == len(every)
    few = _moved(X, y, hypergraph, support, 0.03, n_moves=2)[3]
    assert len(few) == 2
    assert all((one == other).all() for one, other in zip(few, every, strict=False))


def test_what_promises_less_than_asked_for_is_not_tried(problem):
    X, y, hypergraph = problem
    support = np.ones(6, dtype=bool)
    assert _moved(X, y, hypergraph, support, 0.03, least=100.0)[3] == []


def test_a_constant_column_is_never_brought_in(problem):
    X, y, hypergraph = problem
    X = X.copy()
    X[:, 1] = 3.0
    support = np.arange(6) == 0
    for move in _moved(X, y, hypergraph, support, 1e-4)[3]:
        assert move[1] == 0
