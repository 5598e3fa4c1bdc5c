"""Sparse rows give the models that the same dense rows give; others refuse them."""

import numpy as np
import pytest
from scipy import sparse

from solvers import FeatureHypergraph, all_methods
from solvers.errors import DataError
from solvers.methods import csnb, trimmed_naive_bayes
from solvers.numerics.curvature import hessian
from solvers.numerics.logistic import CentredColumns, LogisticLoss, chosen_columns
from tests.each import each

TAKES = ("acafh", "forward_selection", "l1", "reweighted_l1")
BRIEF = {"forward_selection": {"budget": 6.0}}


def rows(n=300, m=40, density=0.15, seed=0):
    rng = np.random.default_rng(seed)
    X = sparse.random_array((n, m), density=density, rng=rng, format="csr")
    X.data = rng.normal(1.0, 2.0, X.nnz)
    X = X.toarray()
    X[:, 5] = 0.0  # a column that is constant
    X[:, 6] = 3.0
    score = X[:, :4] @ [2.0, -2.0, 1.5, 1.0] + 0.5 * rng.normal(size=n)
    return X, np.where(score > np.median(score), "b", "a")


def prices(m=40):
    rng = np.random.default_rng(1)
    return FeatureHypergraph(
        np.vstack([np.eye(m), rng.random((4, m)) < 0.3]), rng.uniform(0.5, 2.0, m + 4)
    )


@each("form", [sparse.csr_array, sparse.csc_matrix])
@each("name", TAKES)
def test_sparse_rows_train_the_dense_rows_model(name, form):
    X, y = rows()
    weights = np.linspace(0.5, 2.0, len(y))
    model = all_methods()[name](prices(), **BRIEF.get(name, {}))
    dense = model.fit(X, y, weights)
    before = (dense.coef_.copy(), dense.intercept_.copy(), dense.cost_)
    given = form(X)
    model.fit(given, y, weights)
    assert np.allclose(model.coef_, before[0], atol=2e-4)
    assert np.allclose(model.intercept_, before[1], atol=2e-4)
    assert model.cost_ == before[2]
    assert np.allclose(model.decision_function(given), model.decision_function(X))
    decision = model.decide(given)
    assert decision.labels.tolist() == model.predict(X).tolist()
    assert np.array_equal(model.prediction_cost(given), model.prediction_cost(X))


@each("name", TAKES)
def test_a_path_over_sparse_rows_buys_what_that_over_dense_rows_buys(name):
    X, y = rows(seed=3)
    model = all_methods()[name](prices())
    if "n_alphas" in model.get_params():
        model.set_params(n_alphas=6)
    dense = [found.cost_ for found in model.path(X, y)]
    found = [found.cost_ for found in model.path(sparse.csr_array(X), y)]
    assert np.allclose(found, dense)


@each("name", sorted(n for n, m in all_methods().items() if not m.takes_sparse))
def test_others_refuse_sparse_rows_by_name(name):
    X, y = rows()
    method = all_methods()[name]
    with pytest.raises(DataError, match="takes no sparse rows; give") as refused:
        method().fit(sparse.csr_array(X), y)
    assert str(refused.value).startswith(method.title)


@each("form", [sparse.csr_array, sparse.csc_matrix])
@each(
    ("name", "options"),
    [
        ("cegb", {"n_estimators": 20, "alpha": 0.002}),
        ("cegb", {"n_estimators": 20, "alpha": 0.002, "charge": "lazy"}),
        ("csnb", {}),
        ("trimmed_naive_bayes", {"budget": 8.0}),
    ],
)
def test_trees_and_naive_bayes_decide_on_sparse_rows_as_on_dense_ones(
    name, options, form
):
    X, y = rows()
    X[7], y[7] = X[8], y[8]  # rows that repeat are one row
    weights = np.linspace(0.5, 2.0, len(y))
    method = all_methods()[name]
    dense = method(hypergraph=prices(), **options).fit(X, y, weights)
    found = method(hypergraph=prices(), **options).fit(form(X), y, weights)
    expected = dense.decision_function(X)
    for model in (dense, found):
        assert np.allclose(model.decision_function(form(X)), expected)
    assert np.array_equal(found.acquired_features(form(X)), dense.acquired_features(X))
    assert np.array_equal(found.decide(form(X)).cost, dense.prediction_cost(X))


def test_naive_bayes_says_when_zeros_are_too_many(monkeypatch):
    monkeypatch.setattr(trimmed_naive_bayes, "MOST_VALUES", 1000)
    X, y = rows()
    with pytest.raises(DataError, match="bins all 12,000 values of 300 rows"):
        all_methods()["trimmed_naive_bayes"]().fit(sparse.csr_array(X), y)
    monkeypatch.setattr(csnb, "MOST_CHOICES", 1000)
    with pytest.raises(DataError, match="of 300 rows and 40 columns, and makes 1,000"):
        all_methods()["csnb"]().path(sparse.csr_array(X), y)


def test_columns_that_are_centred_lazily_are_those_that_are_centred():
    X, y = rows()
    signs, weights = np.where(y == "b", 1.0, -1.0), np.linspace(0.5, 2.0, len(y))
    dense = LogisticLoss.from_rows(X, signs, weights)
    lazy = LogisticLoss.from_rows(sparse.csr_array(X), signs, weights)
    assert isinstance(lazy.columns, CentredColumns)
    assert np.allclose(lazy.columns[:], dense.columns)
    assert np.allclose(lazy.columns[3], dense.columns[3])
    assert np.allclose(lazy.gradient_bounds, dense.gradient_bounds)
    assert np.allclose(lazy.variances, dense.variances)
    assert np.array_equal(lazy.selectable, dense.selectable)
    v, w = np.sin(np.arange(len(y))), np.cos(np.arange(X.shape[1]))
    assert np.allclose(lazy.columns @ v, dense.columns @ v)
    assert np.allclose(w @ lazy.columns, w @ dense.columns)
    assert np.allclose(lazy.centre, dense.centre)


def test_what_a_static_method_acquires_is_written_once():
    X, y = rows()
    model = all_methods()["l1"](prices()).fit(X, y)
    acquired = model.acquired_features(X)
    assert acquired.shape == X.shape
    assert acquired.strides[0] == 0


@each("density", [0.02, 0.4])
def test_second_moments_of_sparse_columns_are_those_of_dense_ones(density):
    rng = np.random.default_rng(2)
    scaled = sparse.random_array((30, 400), density=density, rng=rng, format="csr")
    columns = CentredColumns(scaled, rng.normal(size=30))
    assert columns.is_full == (density > 0.05)
    curvatures, chosen = rng.uniform(0.1, 0.3, 400), np.array([3, 5, 21])
    dense = chosen_columns(columns[:], chosen)
    found = hessian(chosen_columns(columns, chosen), curvatures)
    assert np.allclose(found, hessian(dense, curvatures))
    none = chosen_columns(columns, np.zeros(0, dtype=int))
    assert hessian(none, curvatures) == pytest.approx(curvatures.sum())
