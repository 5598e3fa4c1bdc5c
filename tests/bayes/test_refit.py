"""A point of trimmed naive Bayes' path is what its parameters alone train."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer

from solvers.methods.trimmed_naive_bayes import TrimmedNaiveBayesClassifier
from tests.each import each


@each("n_columns", [10, 20], ids=["exact", "sampled"])
@each("max_evaluations", [12, 30, 5000])
def test_refit_gives_the_point_that_was_shown(n_columns, max_evaluations):
    X, y = load_breast_cancer(return_X_y=True)
    X = X[:, :n_columns]
    model = TrimmedNaiveBayesClassifier(
        n_budgets=6, n_samples=500, max_evaluations=max_evaluations
    )
    for point in model.path(X, y):
        again = clone(point).fit(X, y)
        assert again.support_.tolist() == point.support_.tolist()
        # A matrix product of another size may round its last bit otherwise.
        for name in ("agreement", "bound"):
            shown = getattr(point.trimming_, name)
            assert getattr(again.trimming_, name) == pytest.approx(shown, rel=1e-12)
        rounded = {"agreement": 0.0, "bound": 0.0}
        assert replace(again.trimming_, **rounded) == replace(
            point.trimming_, **rounded
        )
        assert np.array_equal(again.predict(X), point.predict(X))
