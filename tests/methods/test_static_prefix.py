"""Static prefixes: the machine on the first groups, and nothing beyond them."""

import numpy as np
import pytest
from sklearn.svm import SVC

from solvers import FeatureHypergraph
from solvers.methods.static_prefix import StaticPrefixClassifier
from tests.each import each

PRICES = FeatureHypergraph([[1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], [3.0, 1.0, 2.0])


def _rows(n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((90, 4)) * [1.0, 5.0, 0.2, 1.0] + 3.0
    scores = X[:, 0] + 0.2 * X[:, 1] + rng.standard_normal(90)
    edges = np.quantile(scores, np.arange(1, n_classes) / n_classes)
    return X, np.digitize(scores, edges)


@pytest.mark.parametrize(
    ("order", "bought"),
    [("alone", [[2], [2, 3], [0, 1, 2, 3]])],
)
def test_prefixes_buy_the_cheapest_groups_first(order, bought):
    path = list(StaticPrefixClassifier(PRICES, order=order).path(*_rows()))
    assert [np.flatnonzero(model.support_).tolist() for model in path] == bought
    assert [model.cost_ for model in path] == [1.0, 3.0, 6.0]


@each("n_groups", [1, 2, 3])
def test_a_prefix_is_the_machine_of_scikit_learn_on_its_columns(n_groups):
    X, y = _rows()
    model = StaticPrefixClassifier(PRICES, n_groups=n_groups, C=0.5).fit(X, y)
    units = X.std(axis=0)
    columns = (X / units)[:, model.support_]
    theirs = SVC(kernel="linear", C=0.5, tol=1e-8).fit(columns, y)
    assert model.decision_function(X) == pytest.approx(
        theirs.decision_function(columns), abs=1e-4
    )


def test_a_model_of_the_path_is_what_its_number_of_groups_trains():
    X, y = _rows(3)
    for model in StaticPrefixClassifier(PRICES).path(X, y):
        again = StaticPrefixClassifier(PRICES, n_groups=model.n_groups).fit(X, y)
        assert again.coef_ == pytest.approx(model.coef_, abs=1e-6)


def test_columns_beyond_the_prefix_are_not_looked_at():
    X, y = _rows()
    model = StaticPrefixClassifier(PRICES, n_groups=2).fit(X, y)
    blind = X.copy()
    blind[:, ~model.support_] = 1e9
    assert (model.decision_function(blind) == model.decision_function(X)).all()


def test_of_three_classes_each_has_a_machine_against_the_rest():
    X, y = _rows(3)
    model = StaticPrefixClassifier(PRICES).fit(X, y)
    for k in range(3):
        one = StaticPrefixClassifier(PRICES).fit(X, y == k)
        assert model.coef_[k] == pytest.approx(one.coef_[0], abs=1e-5)
    scores = model.decision_function(X)
    assert (model.predict(X) == scores.argmax(axis=1)).all()
    assert model.procedure() is None
