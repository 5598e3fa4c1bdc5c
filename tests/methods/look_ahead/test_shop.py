"""What a purchase is expected to tell, and what is looked past."""

import numpy as np
import pytest
from scipy.stats import entropy

from solvers import FeatureHypergraph
from solvers.methods.look_ahead import LookAheadClassifier


def test_the_parent_is_worth_what_follows_it_not_what_it_tells(model):
    shop = model._shop
    belief, _ = shop.start(1)
    share = np.exp(shop.prior)[np.newaxis]
    alone = 51.0 * (shop.at_first - shop._expected(share)[0]) / shop.at_first
    looked = shop._rates(belief, np.ones((1, 51)), np.zeros((1, 51), dtype=bool))[0]
    unit = int(np.flatnonzero(shop.is_parent)[0])
    assert looked[unit] > 2.0 * max(alone[unit], np.delete(looked, unit).max())
    assert np.delete(looked, unit) == pytest.approx(np.delete(alone, unit), abs=1e-6)


def test_what_is_expected_is_the_mean_over_outcomes_of_what_is_left():
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=300)
    X = np.column_stack([y + rng.standard_normal(300), rng.standard_normal(300) > y])
    shop = LookAheadClassifier().fit(X, y)._shop
    belief = np.array([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]])
    found = shop._expected(belief[:, :, np.newaxis])
    for row, share in enumerate(belief):
        for unit, column in enumerate(shop.lead):
            likely = np.exp(shop.table[column][:, :, 0])
            likely /= likely.sum(axis=0)
            told = likely**shop.temper
            comes = likely @ share
            left = [
                entropy(share * one) if p else 0.0
                for one, p in zip(told, comes, strict=True)
            ]
            assert found[row, unit] == pytest.approx(comes @ left)


def test_what_shares_a_component_is_one_purchase():
    rng = np.random.default_rng(1)
    y = rng.integers(2, size=400)
    X = rng.standard_normal((400, 3)) + np.outer(y, [1.0, 1.0, 1.6])
    together = FeatureHypergraph([[1, 1, 0], [0, 0, 1]], [1.0, 1.0])
    model = LookAheadClassifier(together, budget=1.0).fit(X, y)
    acquired = model.acquired_features(X)
    assert np.array_equal(acquired[:, 0], acquired[:, 1])
