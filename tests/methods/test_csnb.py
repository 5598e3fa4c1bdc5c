"""csNB beside the same shopping done row by row with plain probabilities."""

import numpy as np
import pytest

from solvers import FeatureHypergraph
from solvers.methods.csnb import CSNBClassifier
from tests.each import each

# Two features of one computation; two more that share a component.
SHARED = FeatureHypergraph([[1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 1]], [2.0, 1.0, 1.5])


def _rows(n_classes=2, n=120, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 4))
    scores = X[:, 0] + 0.7 * X[:, 2] - 0.5 * X[:, 3] + 0.6 * rng.standard_normal(n)
    return X, np.digitize(scores, np.linspace(-1, 1, n_classes + 1)[1:-1])


def _shopped(model, row, hypergraph, error_cost):
    """Posterior and bought groups of one row, one purchase after the other."""
    binned = model.bins_.transform(row[np.newaxis])[0]
    given = np.exp(model.feature_log_prob_)  # (feature, bin, class)
    posterior = np.exp(model.class_log_prior_)
    bought = []
    while True:
        worth = {}
        paid = hypergraph.cost(_members(model, bought))
        for g, group in enumerate(model.groups_):
            if g in bought:
                continue
            promise = max(
                sum((posterior * given[j, v]).max() for v in range(given.shape[1]))
                - posterior.max()
                for j in group
            )
            added = hypergraph.cost(_members(model, [*bought, g])) - paid
            worth[g] = error_cost * promise - added
        if not worth or max(worth.values()) <= 1e-9:
            return posterior, bought
        best = max(worth, key=worth.get)
        bought.append(best)
        for j in model.groups_[best]:
            posterior = posterior * given[j, binned[j]]
        posterior = posterior / posterior.sum()


def _members(model, groups):
    mask = np.zeros(4, dtype=bool)
    for g in groups:
        mask[model.groups_[g]] = True
    return mask


@each("n_classes", [2, 3])
@each("error_cost", [3.0, 12.0, 60.0])
def test_every_row_shops_as_by_hand(n_classes, error_cost):
    X, y = _rows(n_classes)
    model = CSNBClassifier(SHARED, error_cost=error_cost, n_bins=4).fit(X, y)
    chances, acquired = model.predict_proba(X[:40]), model.acquired_features(X[:40])
    for row, shares, mask in zip(X[:40], chances, acquired, strict=True):
        posterior, bought = _shopped(model, row, SHARED, error_cost)
        assert mask.tolist() == _members(model, bought).tolist()
        assert shares == pytest.approx(posterior, abs=1e-9)


def test_shares_of_bins_are_counts_with_one_row_more_each():
    X, y = _rows()
    model = CSNBClassifier(SHARED, n_bins=3).fit(X, y)
    binned = model.bins_.transform(X)
    for j in range(4):
        for c in range(2):
            counts = np.bincount(binned[y == c, j], minlength=3) + 1.0
            wanted = np.log(counts / counts.sum())
            assert model.feature_log_prob_[j, :, c] == pytest.approx(wanted)
    assert np.exp(model.class_log_prior_) == pytest.approx(np.bincount(y) / len(y))


def test_a_weight_of_two_counts_as_two_rows():
    X, y = _rows()
    weights = np.where(np.arange(len(y)) % 3 == 0, 2, 1)
    twice = np.repeat(np.arange(len(y)), weights)
    weighed = CSNBClassifier(SHARED).fit(X, y, weights)
    written = CSNBClassifier(SHARED).fit(X[twice], y[twice])
    assert weighed.predict_proba(X) == pytest.approx(written.predict_proba(X))


def test_dearer_errors_never_buy_less_on_the_whole():
    X, y = _rows()
    costs = [
        model.prediction_cost(X).mean() for model in CSNBClassifier(SHARED).path(X, y)
    ]
    assert costs == sorted(costs)
    assert costs[0] == 0.0
    assert costs[-1] > SHARED.total_cost / 2


def test_scores_of_two_classes_are_log_odds():
    X, y = _rows()
    model = CSNBClassifier(SHARED, error_cost=20.0).fit(X, y)
    chances = model.predict_proba(X)
    odds = np.log(chances[:, 1] / chances[:, 0])
    assert model.decision_function(X) == pytest.approx(odds)
