"""Small results of every kind that is drawn, each computed once."""

from functools import cache

import numpy as np

from solvers import FeatureHypergraph, FrontierPoint
from solvers.bayes import learned_classifier, search_trimmings
from solvers.markov import NodeLogisticClassifier, grow_graphs
from solvers.methods.selective_ridge import selective_ridge_path
from solvers.methods.tefe import TEFEClassifier

GRAPH = FeatureHypergraph(
    [[1, 1, 0], [0, 1, 1]],
    [2.0, 3.0],
    ("low", "mid", "high"),
    ("fft", "sum"),
    unit="ms",
)


def point(method, cost, f1, **params):
    scores = {"f1": f1, "precision": f1, "recall": f1, "accuracy": f1}
    charged = {"mean": cost, "p95": cost, "max": cost}
    return FrontierPoint(
        method,
        params,
        np.array([True, False, False]),
        1,
        1,
        charged,
        {"validation": scores, "test": scores},
        0.1,
    )


def points():
    return [
        point("l1", 0.0, 0.5, alpha=1.0),
        point("l1", 2.0, 0.8, alpha=0.1),
        point("acafh", 1.0, 0.7, alpha=0.3),
        point("acafh", 5.0, 0.9, alpha=0.03),
    ]


@cache
def rows():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 3))
    return X, (X[:, 0] + X[:, 1] > 0).astype(int)


@cache
def cascade():
    X, y = rows()
    model = TEFEClassifier(hypergraph=GRAPH).fit(X, y)
    model.threshold = float(np.median(model.stage_confidences(X)[:, 0]))
    return model


@cache
def fits():
    X, y = rows()
    return list(selective_ridge_path(X, 2.0 * y - 1.0, n_points=5))


@cache
def search():
    return list(search_trimmings(learned_classifier("wine", n_columns=4).classifier, 2))


@cache
def graph():
    *training, test = grow_graphs(2, 20, random_state=0)
    return test, NodeLogisticClassifier().fit(training).predict(test)
