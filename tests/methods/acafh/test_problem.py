"""A prepared problem gives what fit gives, whatever was solved before."""

import numpy as np
import pytest

from solvers.errors import KnobError
from solvers.methods.acafh import ACAFHClassifier, ACAFHProblem, Lp
from tests.methods.tables import random_problem


def _problem(X, y, hypergraph, **options):
    signs = np.asarray(y, dtype=float)
    return ACAFHProblem(X, signs, np.ones(len(y)), hypergraph, **options)


def test_prepared_data_give_what_fit_gives():
    X, y, hypergraph = random_problem(19, n_features=10, n_samples=200)
    prepared = ACAFHClassifier(hypergraph).prepare(X, y)
    for params in ({"alpha": 0.01}, {"alpha": 0.004, "p": 0.3}, {"penalty": "mcp"}):
        quick = prepared.at(**params)
        fresh = ACAFHClassifier(hypergraph, **params).fit(X, y)
        assert quick.objective_ == fresh.objective_
        assert np.array_equal(quick.coef_, fresh.coef_)
        assert quick.get_params() == fresh.get_params()
        assert quick.predict(X).shape == y.shape


def test_what_was_solved_before_changes_no_solution():
    X, y, hypergraph = random_problem(20, n_features=15, n_samples=150)
    fresh, used = _problem(X, y, hypergraph), _problem(X, y, hypergraph)
    alpha = fresh.alphas()[10]
    for other in used.alphas(Lp(0.3))[::-1]:
        used.solve(other, Lp(0.3))
    list(used.path(n_alphas=10))
    one, other = fresh.solve(alpha), used.solve(alpha)
    assert np.array_equal(one.fit.weights, other.fit.weights)
    assert one.objective == other.objective


def test_a_hand_on_the_sliders_all_day_fills_no_memory():
    X, y, hypergraph = random_problem(21, n_features=10, n_samples=200)
    prepared = ACAFHClassifier(hypergraph).prepare(X, y)
    for p in np.linspace(0.1, 0.9, 40):
        prepared.at(alpha=0.01, p=float(p))
    assert len(prepared.problem.starts._ladders) <= 8


def test_preparation_refuses_what_it_cannot_change():
    X, y, hypergraph = random_problem(21)
    prepared = ACAFHClassifier(hypergraph).prepare(X, y)
    with pytest.raises(KnobError, match="tol is 1, but the data were prepared"):
        prepared.at(tol=1)
    with pytest.raises(KnobError, match="Quasi-norm p lies strictly between 0 and 1"):
        prepared.at(p=1.0)
