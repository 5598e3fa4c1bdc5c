"""Trimmed naive Bayes is a scikit-learn classifier that keeps its budget."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from solvers import Dataset, FeatureHypergraph, trace_frontier
from solvers.bayes import agreement, trim
from solvers.errors import KnobError
from solvers.methods.trimmed_naive_bayes import TrimmedNaiveBayesClassifier


@pytest.fixture(scope="module")
def table():
    X, y = load_breast_cancer(return_X_y=True)
    return X[:, :8], y


@pytest.fixture
def shared():
    """Eight features: four need one scan, three another, one stands alone."""
    incidence = np.zeros((3, 8), dtype=bool)
    incidence[0, :4] = incidence[1, 4:7] = incidence[2, 7] = True
    return FeatureHypergraph(incidence, [2.0, 3.0, 1.0], unit="ms")


def test_without_a_budget_it_decides_as_the_full_model(table):
    X, y = table
    model = TrimmedNaiveBayesClassifier(n_bins=2).fit(X, y)
    full = model.original_.decide(model.cut_points_.codes(X))
    assert np.array_equal(model.predict(X) == 1, full)
    assert model.trimming_.agreement == pytest.approx(1.0)


def test_features_and_threshold_are_the_best_trimming(table):
    X, y = table
    model = TrimmedNaiveBayesClassifier(budget=3, n_bins=2).fit(X, y)
    best = trim(model.original_, 3)
    assert model.trimming_.agreement == pytest.approx(best.agreement)
    assert model.trimming_.gap == 0.0
    kept = np.flatnonzero(model.support_)
    found = agreement(model.original_, kept, model.trimming_.threshold)
    assert found == pytest.approx(best.agreement)


def test_predictions_compare_the_posterior_with_the_new_threshold(table):
    X, y = table
    model = TrimmedNaiveBayesClassifier(budget=2, threshold=0.3).fit(X, y)
    codes = model.cut_points_.codes(X)
    expected = model.original_.decide(codes, model.support_, model.trimming_.threshold)
    assert np.array_equal(model.predict(X) == 1, expected)


def test_features_that_are_not_kept_are_not_looked_at(table):
    X, y = table
    model = TrimmedNaiveBayesClassifier(budget=2).fit(X, y)
    changed = np.where(model.support_, X, 1e9)
    assert np.array_equal(model.decision_function(X), model.decision_function(changed))


def test_shared_components_are_paid_once(table, shared):
    X, y = table
    model = TrimmedNaiveBayesClassifier(budget=2.0, n_bins=2, hypergraph=shared)
    model.fit(X, y)
    assert model.support_.sum() > 1
    assert model.cost_ == 2.0
    assert np.all(model.prediction_cost(X[:3]) == 2.0)


def test_path_keeps_every_budget_and_agrees_more_and_more(table, shared):
    X, y = table
    models = list(TrimmedNaiveBayesClassifier(hypergraph=shared).path(X, y))
    assert all(model.cost_ <= model.budget + 1e-9 for model in models)
    found = [model.trimming_.agreement for model in models]
    assert found == sorted(found)
    assert models[-1].trimming_.agreement == pytest.approx(1.0)


def test_path_gives_what_fitting_gives(table, shared):
    X, y = table
    for model in TrimmedNaiveBayesClassifier(hypergraph=shared, n_bins=2).path(X, y):
        alone = TrimmedNaiveBayesClassifier(model.budget, n_bins=2, hypergraph=shared)
        found = alone.fit(X, y).trimming_.agreement
        assert found == pytest.approx(model.trimming_.agreement)


def test_path_checks_before_it_is_pulled(table):
    X, y = table
    with pytest.raises(KnobError, match="n_bins is 1; Bins lies between 2 and 16"):
        TrimmedNaiveBayesClassifier(n_bins=1).path(X, y)


def test_many_features_are_trimmed_by_samples_and_it_says_so():
    X, y = load_breast_cancer(return_X_y=True)
    model = TrimmedNaiveBayesClassifier(budget=3, n_samples=1000).fit(X, y)
    assert not model.trimming_.exact
    assert model.trimming_.standard_error > 0
    assert (model.predict(X) == y).mean() > 0.85


def test_weight_of_two_is_a_row_twice(table):
    X, y = table
    weights = np.random.default_rng(0).integers(0, 3, len(y))
    weighted = TrimmedNaiveBayesClassifier(budget=3).fit(X, y, weights)
    repeated = TrimmedNaiveBayesClassifier(budget=3).fit(
        np.repeat(X, weights, axis=0), np.repeat(y, weights)
    )
    assert np.array_equal(weighted.support_, repeated.support_)
    assert weighted.decision_function(X) == pytest.approx(repeated.decision_function(X))


def test_traces_a_frontier(table, shared):
    X, y = table
    points = list(
        trace_frontier("trimmed_naive_bayes", Dataset("cancer", X, y, shared))
    )
    assert points[-1].scores["test"]["f1"] > 0.85
    assert all(point.cost["max"] <= shared.total_cost for point in points)
