"""What is done otherwise for many features gives the same answers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from solvers import FeatureHypergraph
from solvers.methods.acafh import ACAFHClassifier, ACAFHProblem, moves, penalties
from solvers.methods.acafh.penalties import Sharing
from solvers.methods.forward_selection import ForwardSelectionClassifier
from solvers.methods.l1 import L1Classifier
from solvers.numerics import logistic
from solvers.numerics.curvature import HessianCache
from solvers.numerics.prox_newton import LinearFit
from tests.each import each
from tests.methods.tables import random_problem


@given(st.integers(0, 10_000), st.integers(1, 12), st.integers(1, 5))
def test_components_that_the_same_features_need_are_one(seed, n_components, n_features):
    rng = np.random.default_rng(seed)
    incidence = rng.random((n_components, n_features)) < 0.5
    whole = np.vstack([incidence, np.ones((1, n_features), dtype=bool)])
    costs = rng.exponential(1.0, len(whole)) * (rng.random(len(whole)) < 0.8)
    sharing = Sharing(FeatureHypergraph(whole, costs), decompose=False)
    expected: dict[bytes, float] = {}
    for row, cost in zip(whole, costs, strict=True):
        if cost > 0 and row.any():
            expected[row.tobytes()] = expected.get(row.tobytes(), 0.0) + cost
    found = sharing.incidence.toarray().astype(bool)
    assert [row.tobytes() for row in found] == list(expected)
    assert sharing.costs == pytest.approx(list(expected.values()))


@pytest.fixture
def sparse_only(monkeypatch):
    """As if the hypergraph and the table were too large for dense copies."""
    monkeypatch.setattr(penalties, "_DENSE_ENTRIES", 0)
    monkeypatch.setattr(penalties, "_DENSE_PRODUCTS", 0)
    monkeypatch.setattr(logistic, "_COPIED", 0)
    monkeypatch.setattr(logistic, "_MANY", 0.0)


def test_a_sparse_hypergraph_gives_the_path_of_a_dense_one(request):
    X, y, hypergraph = random_problem(0, n_features=30, n_samples=120)
    dense = list(ACAFHClassifier(hypergraph, n_alphas=8).path(X, y))
    request.getfixturevalue("sparse_only")
    thin = list(ACAFHClassifier(hypergraph, n_alphas=8).path(X, y))
    assert len(dense) == len(thin)
    for one, other in zip(dense, thin, strict=True):
        assert np.array_equal(one.support_, other.support_)
        assert other.coef_ == pytest.approx(one.coef_, rel=1e-5, abs=1e-8)


@each("method", [ACAFHClassifier, L1Classifier, ForwardSelectionClassifier])
def test_large_tables_in_single_precision_stay_so(monkeypatch, method):
    X, y, hypergraph = random_problem(1, n_features=20, n_samples=150)
    single = X.astype(np.float32)
    exact = method(hypergraph).fit(single, y)
    monkeypatch.setattr("solvers.methods.rows._LARGE_TABLE", 0)
    kept = []
    from_rows = logistic.LogisticLoss.from_rows.__func__

    def watched(cls, rows, *others):
        kept.append(rows.dtype)
        return from_rows(cls, rows, *others)

    monkeypatch.setattr(logistic.LogisticLoss, "from_rows", classmethod(watched))
    rough = method(hypergraph).fit(single, y)
    assert kept == [np.float32]
    assert np.array_equal(rough.support_, exact.support_)
    assert rough.coef_ == pytest.approx(exact.coef_, rel=1e-3, abs=1e-5)


def test_small_tables_in_single_precision_are_solved_in_double():
    X, y, hypergraph = random_problem(1, n_features=20, n_samples=150)
    single = X.astype(np.float32)
    one = ACAFHClassifier(hypergraph).fit(single, y)
    other = ACAFHClassifier(hypergraph).fit(single.astype(float), y)
    assert np.array_equal(one.coef_, other.coef_)


def test_a_path_over_many_more_features_than_rows_finds_those_that_matter():
    rng = np.random.default_rng(0)
    n, m = 150, 3000
    X = rng.standard_normal((n, m))
    y = X[:, :3] @ [3.0, -3.0, 3.0] + 0.3 * rng.standard_normal(n) > 0
    shared = sparse.coo_array(
        (np.ones(m, dtype=bool), (np.arange(m) // 10, np.arange(m))), (m // 10, m)
    )
    own = sparse.eye_array(m, dtype=bool)
    incidence = sparse.vstack([shared, own]).tocsr()
    hypergraph = FeatureHypergraph(incidence, np.full(len(incidence.indptr) - 1, 1.0))
    models = list(ACAFHClassifier(hypergraph, n_alphas=8).path(X, y))
    assert not models[0].support_.any()
    found = [np.flatnonzero(model.support_).tolist() for model in models]
    assert [0, 1, 2] in found
    for model in models:
        assert model.cost_ == pytest.approx(hypergraph.cost(model.support_))


def test_a_fit_of_more_features_than_rows_is_the_point_of_the_path():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((60, 400))
    y = X[:, :3] @ [3.0, -3.0, 3.0] + 0.3 * rng.standard_normal(60) > 0
    models = list(ACAFHClassifier(n_alphas=8).path(X, y))
    for model in models[1::4]:
        again = ACAFHClassifier(alpha=model.alpha, budget=model.budget).fit(X, y)
        assert np.array_equal(again.coef_, model.coef_)


def test_moves_are_made_among_many_features_too(monkeypatch):
    # More than 200,000 pairs of features and components.
    X, y, hypergraph = random_problem(2, n_features=350, n_samples=200, density=0.01)
    problem = ACAFHProblem(X, y.astype(float), np.ones(len(y)), hypergraph)
    alphas = problem.alphas(n_alphas=8)[2:6]
    thin = [problem.solve(alpha).objective for alpha in alphas]
    starts = [problem.solve(alpha).start for alpha in alphas]
    monkeypatch.setattr(moves, "_ENTRIES", 10**9)
    every = [problem.solve(alpha).objective for alpha in alphas]
    monkeypatch.setattr("solvers.methods.acafh.problem.promising_moves", lambda *_: [])
    still = [problem.solve(alpha).objective for alpha in alphas]
    assert "move" in starts
    assert np.array(thin) == pytest.approx(np.array(every), abs=2e-4)
    assert all(a <= b + 1e-9 for a, b in zip(thin, still, strict=True))
    assert sum(thin) < sum(still)


def test_no_move_is_proposed_where_the_odds_leave_no_curvature():
    problem = ACAFHProblem(
        np.array([[-1.0], [1.0]]),
        np.array([-1.0, 1.0]),
        np.ones(2),
        FeatureHypergraph([[1]], [1.0]),
    )
    penalty = penalties.SharedPenalty(1e-3, penalties.Scad(3.7), problem.sharing)
    # At odds of a thousand the second derivative of the logistic loss is 0 in doubles.
    odds = np.array([-1e3, 1e3])
    fit = LinearFit(np.array([1e3]), 0.0, 0.0, 0.0, 1, 0.0, odds)
    cache = HessianCache(problem.loss)
    assert not moves.promising_moves(problem.loss, penalty, cache, fit, 2, 1e-5)
