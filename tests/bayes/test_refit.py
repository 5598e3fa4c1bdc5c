"""A point of trimmed naive Bayes' path is what its parameters alone train."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer

from solvers.methods.trimmed_naive_bayes import TrimmedNaiveBayesClassifier


@pytest.mark.parametrize("n_columns", [10, 20], ids=["exact", "sampled"])
@pytest.mark.parametrize("max_evaluations", [12, 30, 5000])
def test_refit_gives_the_point_that_was_shown(n_columns, max_evaluations):
    X, y = load_breast_cancer(return_X_y=True)
    X = X[:, :n_columns]
    model = TrimmedNaiveBayesClassifier(
        n_budgets=6, n_samples=500, max_evaluations=max_evaluations
    )
    for point in model.path(X, y):
        again = clone(point).fit(X, y)
        assert again.support_.tolist() == point.support_.tolist()
        assert again.trimming_ == point.trimming_
        assert np.array_equal(again.predict(X), point.predict(X))
