"""The cube: one action opens the context, three columns of its block tell the class."""

import numpy as np
import pytest

from solvers import split_dataset
from solvers.datasets import make_cube
from solvers.datasets.makers.cube import class_means


@pytest.fixture(scope="module")
def cube():
    return make_cube(20_000, noise=0.1)


def test_rows_are_those_of_the_description():
    cube = make_cube()
    rows = split_dataset(cube, 7).rows
    assert [len(rows[part]) for part in ("train", "validation", "test")] == [
        600,
        200,
        200,
    ]
    assert (cube.n_features, cube.hypergraph.n_components) == (55, 51)
    assert np.array_equal(cube.X[:, :5].sum(axis=1), np.ones(1000))
    assert not np.array_equal(cube.X, make_cube(random_state=1).X)


def test_one_action_opens_the_context_and_every_other_column_is_one(cube):
    prices = cube.hypergraph
    assert prices.cost([f"context {k}" for k in range(5)]) == 1.0
    assert prices.cost(["context 0", "block 3 column 9"]) == 2.0
    assert prices.total_cost == 51.0


def test_three_columns_of_the_block_are_the_bits_of_the_class(cube):
    context, label = cube.X[:, :5].argmax(axis=1), cube.y.astype(int)
    blocks = cube.X[:, 5:].reshape(-1, 5, 10)
    own = blocks[np.arange(len(label)), context]
    for y in (0, 5, 7):
        bits = [y & 1, y >> 1 & 1, y >> 2 & 1]
        assert np.allclose(own[label == y][:, y : y + 3].mean(axis=0), bits, atol=0.02)
        assert np.allclose(own[label == y][:, y : y + 3].std(axis=0), 0.1, atol=0.01)
        rest = np.delete(own[label == y], [y, y + 1, y + 2], axis=1)
        assert rest.mean() == pytest.approx(0.5, abs=0.01)
        assert rest.std() == pytest.approx(0.3, abs=0.01)
    others = blocks[context != 0, 0]
    assert (others.mean(), others.std()) == pytest.approx((0.5, 0.3), abs=0.01)
    assert np.isfinite(class_means()).sum() == 24
