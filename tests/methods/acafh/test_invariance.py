"""ACAFH's answer is the same however the same problem is written down."""

import numpy as np
import pytest
from sklearn.preprocessing import MaxAbsScaler

from solvers import FeatureHypergraph
from solvers.methods.acafh import ACAFHClassifier
from tests.methods.tables import random_problem

pytestmark = pytest.mark.kernels


def test_permuting_features_and_components_permutes_the_answer():
    X, y, hypergraph = random_problem(9, n_features=12, n_samples=150)
    rng = np.random.default_rng(0)
    columns = rng.permutation(12)
    rows = rng.permutation(hypergraph.n_components)
    shuffled = FeatureHypergraph(
        hypergraph.incidence.toarray()[rows][:, columns],
        hypergraph.component_costs[rows],
    )
    one = ACAFHClassifier(hypergraph, alpha=0.01).fit(X, y)
    other = ACAFHClassifier(shuffled, alpha=0.01).fit(X[:, columns], y)
    assert other.objective_ == pytest.approx(one.objective_, abs=1e-9)
    assert other.coef_[0] == pytest.approx(one.coef_[0][columns], rel=1e-5)


def test_flipping_the_labels_flips_the_weights():
    X, y, hypergraph = random_problem(10, n_features=8, n_samples=150)
    one = ACAFHClassifier(hypergraph, alpha=0.01).fit(X, y)
    other = ACAFHClassifier(hypergraph, alpha=0.01).fit(X, -y)
    assert other.coef_[0] == pytest.approx(-one.coef_[0], rel=1e-6)
    assert other.intercept_[0] == pytest.approx(-one.intercept_[0], rel=1e-6, abs=1e-9)


def test_a_component_split_in_two_costs_the_same():
    X, y, hypergraph = random_problem(11, n_features=6, n_samples=120)
    needs = hypergraph.incidence.toarray()
    costs = np.append(hypergraph.component_costs, 0.7 * hypergraph.component_costs[0])
    costs[0] *= 0.3
    split = FeatureHypergraph(np.vstack([needs, needs[:1]]), costs)
    one = ACAFHClassifier(hypergraph, alpha=0.01).fit(X, y)
    other = ACAFHClassifier(split, alpha=0.01).fit(X, y)
    assert other.coef_ == pytest.approx(one.coef_, rel=1e-7)


def test_alpha_and_the_unit_of_costs_trade():
    X, y, hypergraph = random_problem(12, n_features=8, n_samples=120)
    dearer = FeatureHypergraph(hypergraph.incidence, 1e3 * hypergraph.component_costs)
    one = ACAFHClassifier(hypergraph, alpha=0.01).fit(X, y)
    other = ACAFHClassifier(dearer, alpha=0.01 / 1e3).fit(X, y)
    assert other.objective_ == pytest.approx(one.objective_, abs=1e-9)
    assert np.array_equal(other.support_, one.support_)


def test_empty_components_have_no_effect():
    X, y, hypergraph = random_problem(13, n_features=6)
    needs = np.vstack([hypergraph.incidence.toarray(), np.zeros((1, 6), dtype=bool)])
    idle = FeatureHypergraph(needs, np.append(hypergraph.component_costs, 100.0))
    one = ACAFHClassifier(hypergraph, alpha=0.01).fit(X, y)
    other = ACAFHClassifier(idle, alpha=0.01).fit(X, y)
    assert other.objective_ == one.objective_


def test_weights_of_rows_are_repeats():
    X, y, hypergraph = random_problem(14, n_features=8, n_samples=100)
    times = np.random.default_rng(0).integers(0, 4, 100)
    weighed = ACAFHClassifier(hypergraph, alpha=0.01).fit(X, y, times)
    repeated = ACAFHClassifier(hypergraph, alpha=0.01).fit(
        np.repeat(X, times, axis=0), np.repeat(y, times)
    )
    assert weighed.objective_ == pytest.approx(repeated.objective_, abs=1e-9)
    assert weighed.coef_ == pytest.approx(repeated.coef_, rel=1e-6)


def test_scaling_of_columns_does_not_matter():
    X, y, hypergraph = random_problem(15, n_features=6, n_samples=100)
    one = ACAFHClassifier(hypergraph, alpha=0.01).fit(X, y)
    scaled = MaxAbsScaler().fit(X)
    other = ACAFHClassifier(hypergraph, alpha=0.01).fit(scaled.transform(X), y)
    assert one.decision_function(X) == pytest.approx(
        other.decision_function(scaled.transform(X)), rel=1e-6
    )


def test_components_of_price_zero_are_not_penalised():
    X, y, hypergraph = random_problem(16, n_features=4, n_samples=100)
    needs = hypergraph.incidence.toarray()
    costs = hypergraph.component_costs.copy()
    costs[needs[:, 1]] = 0.0
    model = ACAFHClassifier(FeatureHypergraph(needs, costs), alpha=1e3).fit(X, y)
    assert model.support_.tolist() == [False, True, False, False]
    assert model.cost_ == 0
