"""A small table, and a cascade that is fitted to it."""

from sklearn.datasets import make_classification

from solvers import FeatureHypergraph
from solvers.methods.tefe import TEFEClassifier

PRICES = FeatureHypergraph.independent([3.0, 1.0, 2.0, 5.0, 4.0, 6.0])


def table(n_classes=2, n_samples=150, seed=1):
    return make_classification(
        n_samples,
        n_features=6,
        n_informative=4,
        n_redundant=1,
        n_classes=n_classes,
        flip_y=0.1,
        random_state=seed,
    )


def fitted(n_classes=2, **params):
    return TEFEClassifier(PRICES, **params).fit(*table(n_classes))
