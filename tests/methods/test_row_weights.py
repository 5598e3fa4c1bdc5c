"""A row of weight k is k rows written out, and a row of weight 0 is not there.

scikit-learn's ``check_estimator`` holds default parameters and predictions to it; here
are the paths, their knobs, what rows acquire, and the settings that train otherwise.
"""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from solvers import FeatureHypergraph, all_methods
from solvers.methods.acafh import ACAFHClassifier
from solvers.methods.cegb import CEGBClassifier
from solvers.methods.cstc import CSTCClassifier
from solvers.methods.dag import DAGClassifier
from solvers.methods.greedy_miser import GreedyMiserClassifier
from solvers.methods.hypergraph_cascade import HypergraphCascadeClassifier
from solvers.methods.l1 import L1Classifier
from solvers.methods.linear_choices import chosen_features
from solvers.methods.neural_network import NeuralNetworkClassifier
from solvers.methods.random_forest import RandomForestClassifier
from solvers.methods.relief_svm import ReliefSVMClassifier
from solvers.methods.reweighted_l1 import ReweightedL1Classifier
from solvers.methods.selective_ridge import SelectiveRidgeClassifier
from solvers.methods.static import StaticClassifier
from solvers.methods.static_prefix import StaticPrefixClassifier
from solvers.methods.tefe import TEFEClassifier
from tests.each import each

N_ROWS, N_FEATURES = 70, 5
needs = np.vstack([np.eye(N_FEATURES), np.arange(N_FEATURES) % 2 == 0])
PRICES = FeatureHypergraph(needs.astype(bool), np.linspace(0.3, 2.0, len(needs)))
SETTINGS = {
    **{name: method() for name, method in all_methods().items()},
    "acafh": ACAFHClassifier(n_alphas=4),
    "cegb": CEGBClassifier(n_estimators=20),
    "cstc": CSTCClassifier(depth=1, n_restarts=1),
    "greedy_miser": GreedyMiserClassifier(n_estimators=12),
    "hypergraph_cascade": HypergraphCascadeClassifier(stages=1),
    "l1": L1Classifier(n_alphas=8),
    "neural_network": NeuralNetworkClassifier(max_iter=60),
    "random_forest": RandomForestClassifier(n_estimators=8),
    "reweighted_l1": ReweightedL1Classifier(n_alphas=8),
    "cegb, lazy": CEGBClassifier(charge="lazy", n_estimators=10),
    "dag, lattice": DAGClassifier(structure="lattice", base_budget=0.3),
    "greedy_miser, logistic": GreedyMiserClassifier(loss="logistic", n_estimators=10),
    "hypergraph_cascade, max": HypergraphCascadeClassifier(
        accounting="max", model="logistic"
    ),
    "selective_ridge, logistic": SelectiveRidgeClassifier(loss="logistic"),
    "static_prefix, value": StaticPrefixClassifier(order="value"),
    "tefe, gap": TEFEClassifier(confidence="gap", order="value"),
    "tefe, as given": TEFEClassifier(standardise=False),
}


def table():
    """Rows, of which three columns repeat their values, labels, and weights to 3."""
    rng = np.random.default_rng(3)
    X = rng.standard_normal((N_ROWS, N_FEATURES))
    X[:, :3] = np.round(2 * X[:, :3])
    y = X @ [1.5, -1.0, 0.5, 0.0, 0.3] + rng.standard_normal(N_ROWS) > 0
    return X, y.astype(int), rng.integers(0, 4, N_ROWS)


def paths(estimator, groups=None):
    """The path of weighted rows and that of rows written out, in another order."""
    X, y, weights = table()
    written = np.random.default_rng(1).permutation(
        np.repeat(np.arange(len(X)), weights)
    )
    estimator.set_params(hypergraph=PRICES)
    grouped = {} if groups is None else {"groups": groups}
    again = {} if groups is None else {"groups": groups[written]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        one = list(estimator.path(X, y, weights, **grouped))
        return X, one, list(estimator.path(X[written], y[written], **again))


def numbers(model):
    return [v for v in model.get_params(deep=False).values() if isinstance(v, float)]


def assert_same(X, weighted, written):
    assert len(weighted) == len(written) > 1
    for one, other in zip(weighted, written, strict=True):
        assert numbers(one) == pytest.approx(numbers(other), rel=1e-6)
        assert np.array_equal(one.acquired_features(X), other.acquired_features(X))
        said = one.decision_function(X)
        # Descents end where they are close enough.
        slack = 1e-4 * max(1.0, np.abs(said).max())
        assert other.decision_function(X) == pytest.approx(said, abs=slack)


@each("name", SETTINGS)
def test_a_row_of_weight_k_is_k_rows(name):
    assert_same(*paths(SETTINGS[name]))


def test_calibration_needs_to_know_which_rows_are_copies():
    estimator = TEFEClassifier(confidence="calibrated")
    assert_same(*paths(estimator, groups=np.arange(N_ROWS)))
    X, weighted, written = paths(estimator)
    said = [[m.predict(X).tolist() for m in models] for models in (weighted, written)]
    assert said[0] != said[1]  # copies part between folds


def test_of_rows_that_relief_draws_the_number_counts():
    drawn = ReliefSVMClassifier(n_draws=30)
    _, weighted, written = paths(drawn)
    assert not np.allclose(weighted[0].relief_, written[0].relief_)


def test_shares_of_rows_that_acquire_a_feature_are_shares_of_weight():
    X, y, weights = table()
    written = np.repeat(np.arange(len(X)), weights)
    method = RandomForestClassifier(PRICES, n_estimators=5)
    assert not isinstance(method, StaticClassifier)
    one = list(chosen_features(method, X, y, weights))
    other = list(chosen_features(method, X[written], y[written]))
    assert [a.tolist() for a in one] == [b.tolist() for b in other]
