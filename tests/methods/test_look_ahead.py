"""Look-ahead: what a purchase is expected to tell, and what is looked past."""

import numpy as np
import pytest
from scipy.stats import entropy

from solvers import FeatureHypergraph
from solvers.datasets import make_cube, make_regions
from solvers.methods.look_ahead import LookAheadClassifier


@pytest.fixture(scope="module")
def cube():
    return make_cube(2000, random_state=1)


@pytest.fixture(scope="module")
def model(cube):
    return LookAheadClassifier(cube.hypergraph).fit(cube.X[:600], cube.y[:600])


def test_the_indicators_are_found_to_be_the_parent_and_bought_first(cube, model):
    assert model.parent_ == tuple(f"context {k}" for k in range(5))
    first = model.set_params(budget=1.0).decide(cube.X[1200:])
    assert first.acquired[:, :5].all()
    assert not first.acquired[:, 5:].any()


def test_rows_then_buy_of_the_block_of_their_context(cube, model):
    found = model.set_params(budget=5.0).decide(cube.X[1200:])
    blocks = found.acquired[:, 5:].reshape(-1, 5, 10).any(axis=2)
    shown = cube.X[1200:, :5].astype(bool)
    assert (blocks & ~shown).any(axis=1).mean() < 0.02
    # The exact posterior reaches .66 with five actions.
    assert np.mean(found.labels == cube.y[1200:]) > 0.58


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


def test_half_of_a_column_can_be_the_parent():
    data = make_regions(n_samples=3000)
    model = LookAheadClassifier(data.hypergraph, budget=16.0)
    model.fit(data.X[:2000], data.y[:2000])
    assert model.parent_ == ("gate",)
    found = model.decide(data.X[2000:])
    both = found.acquired[:, 1:11].any(axis=1) & found.acquired[:, 11:].any(axis=1)
    assert not both.any()  # one reader is enough
    assert np.mean(found.labels == data.y[2000:]) > 0.85


def test_noise_has_no_parent_and_nothing_is_bought_for_it():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((400, 6)), rng.integers(2, size=400)
    model = LookAheadClassifier().fit(X, y)
    assert model.parent_ == ()
    assert model.prediction_cost(X).mean() < 1.0


def test_what_shares_a_component_is_one_purchase():
    rng = np.random.default_rng(1)
    y = rng.integers(2, size=400)
    X = rng.standard_normal((400, 3)) + np.outer(y, [1.0, 1.0, 1.6])
    together = FeatureHypergraph([[1, 1, 0], [0, 0, 1]], [1.0, 1.0])
    model = LookAheadClassifier(together, budget=1.0).fit(X, y)
    acquired = model.acquired_features(X)
    assert np.array_equal(acquired[:, 0], acquired[:, 1])
