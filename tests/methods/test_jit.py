"""JIT's information is that of scikit-learn, and its trees weigh it against cost."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import mutual_info_score

from solvers import FeatureHypergraph
from solvers.methods.jit import JITClassifier, information_gains
from tests.each import each


@given(st.integers(0, 999), st.integers(2, 4), st.integers(2, 3))
@settings(max_examples=30)
def test_gains_are_mutual_information_in_bits(seed, n_bins, n_classes):
    counts = np.random.default_rng(seed).integers(0, 6, (3, n_bins, n_classes))
    # Each feature parts the same rows.
    counts[1:] = 0
    counts[1, 0] = counts[0].sum(axis=0)
    counts[2] = counts[0][::-1]
    if not counts[0].any():
        return
    found = information_gains(counts.astype(float))
    wanted = mutual_info_score(None, None, contingency=counts[0]) / np.log(2)
    assert found[0] == pytest.approx(wanted, abs=1e-9)
    assert found[1] == pytest.approx(0.0, abs=1e-9)
    assert found[2] == pytest.approx(wanted, abs=1e-9)


def _rows(n=80, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    dear = y + 0.1 * rng.standard_normal(n)
    cheap = y + 0.9 * rng.standard_normal(n)
    return np.column_stack([dear, cheap]), y


@each(("weight", "first"), [(0.0, 0), (0.5, 1)])
def test_the_first_question_is_the_one_of_best_score(weight, first):
    X, y = _rows()
    prices = FeatureHypergraph.independent([10.0, 1.0])
    model = JITClassifier(prices, cost_weight=weight, n_bins=2).fit(X, y)
    assert model.tree_.feature[0] == first


def test_rows_that_are_of_one_class_in_a_bin_are_asked_no_more():
    X = np.array([[0.0, 5.0], [0.0, 6.0], [1.0, 5.0], [1.0, 6.0]])
    model = JITClassifier(cost_weight=0.0).fit(X, [0, 0, 1, 1])
    assert model.acquired_features(X).tolist() == [[True, False]] * 4


def test_what_tells_nothing_is_not_asked_even_if_it_is_free():
    X = np.column_stack([np.tile([0.0, 1.0], 20), np.repeat([0.0, 1.0], 20)])
    free = FeatureHypergraph.independent([0.0, 0.0])
    model = JITClassifier(free, [[0], [1]]).fit(X, np.repeat([0, 1], 20))
    assert not model.acquired_features(X)[:, 0].any()


def test_prices_of_another_unit_grow_the_same_tree():
    X, y = _rows(seed=3)
    one, other = (
        JITClassifier(FeatureHypergraph.independent(prices), cost_weight=0.3).fit(X, y)
        for prices in ([10.0, 1.0], [10_000.0, 1000.0])
    )
    assert one.tree_.feature == other.tree_.feature
