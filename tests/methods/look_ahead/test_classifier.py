"""Look-ahead: the parent that is found, and what rows buy after it."""

import numpy as np

from solvers.datasets import make_regions
from solvers.methods.look_ahead import LookAheadClassifier


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
