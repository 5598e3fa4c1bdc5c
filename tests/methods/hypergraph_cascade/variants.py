"""Six priced features, and settings of every kind."""

from functools import cache

from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB

from solvers import FeatureHypergraph
from solvers.methods.hypergraph_cascade import HypergraphCascadeClassifier
from tests.each import each

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
every_variant = each("name", VARIANTS)


@cache
def trained(name):
    """Rows and a fitted cascade at a middling budget."""
    X, y = table()
    model = HypergraphCascadeClassifier(PRICES, **VARIANTS[name]).fit(X, y)
    middle = model.policies_[len(model.policies_) // 2]
    return X, y, model.at_budget(middle.cost(model.accounting))
