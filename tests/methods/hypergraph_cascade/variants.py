"""Six priced features, and settings of every kind."""

from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB

from solvers import FeatureHypergraph

# Six features of three groups; the components of the first two share "base".
PRICES = FeatureHypergraph(
    [[1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 0, 0], [0, 0, 1, 1, 0, 0], [0, 0, 0, 0, 1, 1]],
    [4.0, 1.0, 2.0, 6.0],
    component_names=("base", "a", "b", "c"),
)


def table(n_classes=2, n_samples=240):
    return make_classification(
        n_samples,
        n_features=6,
        n_informative=4,
        n_redundant=1,
        n_classes=n_classes,
        class_sep=1.0,
        random_state=1,
    )


VARIANTS = {
    "both": {"stages": 3},
    "block": {"order": "block", "stages": 4},
    "expanded": {"model": "expanded", "stages": 3},
    "boosted": {"model": "boosted", "stages": 2, "order": "forward"},
    "bayes": {"model": GaussianNB(), "stages": 3},
    "routed": {"routing": 1, "stages": 3, "order": "forward"},
    "p95": {"accounting": "p95", "stages": 3, "order": "forward"},
    "max": {"accounting": "max", "stages": 3, "order": "forward"},
}
