"""Relief chooses, one machine decides, and whole groups are paid for."""

import numpy as np
import pytest
from sklearn.svm import SVC

from solvers import FeatureHypergraph
from solvers.methods.relief_svm import ReliefSVMClassifier
from solvers.numerics.relief import relief_weights
from tests.each import each

PRICES = FeatureHypergraph.independent([1.0, 2.0, 4.0, 8.0, 16.0])


def _rows(seed=0, n=80):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 5))
    return X, (X[:, 3] + 0.5 * X[:, 1] + 0.3 * rng.standard_normal(n) > 0).astype(int)


def test_features_are_ranked_by_their_relief_weights():
    X, y = _rows()
    model = ReliefSVMClassifier(PRICES, n_selected=2).fit(X, y)
    weights = relief_weights(X, y, np.ones(len(y)), 1000, 0)
    assert model.relief_ == pytest.approx(weights)
    assert (np.diff(weights[model.ranking_]) <= 0).all()
    assert set(np.flatnonzero(model.support_)) == set(model.ranking_[:2])
    assert model.support_[3]
    assert model.cost_ == PRICES.cost(model.support_)


@each("n_selected", [1, 3, 5])
def test_the_machine_is_that_of_scikit_learn_on_the_selected_columns(n_selected):
    X, y = _rows()
    model = ReliefSVMClassifier(PRICES, n_selected=n_selected).fit(X, y)
    columns = (X / X.std(axis=0))[:, model.support_]
    theirs = SVC(kernel="linear", tol=1e-8).fit(columns, y)
    assert model.decision_function(X) == pytest.approx(
        theirs.decision_function(columns), abs=1e-4
    )


def test_selections_of_a_path_are_nested_and_ranked_once():
    X, y = _rows()
    path = list(ReliefSVMClassifier(PRICES).path(X, y))
    assert [model.n_selected for model in path] == [1, 2, 3, 4, 5]
    for number, model in enumerate(path, start=1):
        assert model.ranking_ is path[0].ranking_
        assert set(np.flatnonzero(model.support_)) == set(model.ranking_[:number])


def test_prices_play_no_part_in_the_choice():
    X, y = _rows()
    dear = FeatureHypergraph.independent([1.0, 1.0, 1.0, 1e6, 1.0])
    one = ReliefSVMClassifier(PRICES, n_selected=1).fit(X, y)
    other = ReliefSVMClassifier(dear, n_selected=1).fit(X, y)
    assert (one.support_ == other.support_).all()


def test_few_draws_depend_on_the_seed_and_repeat_with_it():
    X, y = _rows()

    def weights(seed):
        model = ReliefSVMClassifier(PRICES, n_draws=5, random_state=seed)
        return model.fit(X, y).relief_

    assert (weights(1) == weights(1)).all()
    assert (weights(1) != weights(2)).any()
