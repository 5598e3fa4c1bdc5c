"""A small method and a small data set, for tests of the app."""

from __future__ import annotations

import numpy as np
from sklearn.linear_model import LogisticRegression

from solvers import Dataset, FeatureHypergraph, LinearClassifier, Number

__all__ = ["CheapestFeaturesClassifier", "make_dataset"]


class CheapestFeaturesClassifier(LinearClassifier):
    """Logistic regression on the `n_kept` features of least cost alone."""

    knobs = {
        "n_kept": Number("Features kept", 0, 1000, integer=True),
        "C": Number("Regularisation C", 1e-6, 1e6, scale="log"),
    }
    path_knob = "n_kept"
    title = "Cheapest features"

    def __init__(self, hypergraph=None, n_kept=2, C=1.0):
        self.hypergraph = hypergraph
        self.n_kept = n_kept
        self.C = C

    def _take(self, data):
        order = np.argsort(data.hypergraph.marginal_costs(), kind="stable")
        kept = order[: self.n_kept]
        coef = np.zeros(data.X.shape[1])
        inner = LogisticRegression(C=self.C).fit(
            data.X[:, kept] if kept.size else 0 * data.X[:, :1], data.signs
        )
        coef[kept] = inner.coef_[0, : kept.size]
        self._set_weights(coef, float(inner.intercept_[0]))
        return self

    def _values(self, data):
        return range(data.X.shape[1] + 1)


def make_dataset(positive="intruder", n=120, random_state=0):
    rng = np.random.default_rng(random_state)
    X = rng.normal(size=(n, 3))
    y = np.where(X[:, 0] + X[:, 2] + rng.normal(size=n) / 2 > 0.4, "intruder", "benign")
    hypergraph = FeatureHypergraph(
        [[1, 1, 0], [0, 1, 0], [0, 0, 1]],
        [3.0, 0.1, 1.0],
        ("peak", "<b>μ</b>", "it's"),
        ("fft", "mean", "count"),
        unit="ms",
    )
    return Dataset("tiny", X, y, hypergraph, positive=positive)
