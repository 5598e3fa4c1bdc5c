"""Which features count depends on the sign of one."""

import numpy as np
import pytest

from solvers.datasets import make_regions
from solvers.errors import KnobError
from tests.each import each


def test_a_half_costs_its_reader_once():
    hypergraph = make_regions(n_samples=200).hypergraph
    assert hypergraph.cost("gate") == 0.5
    assert hypergraph.cost([f"a{j}" for j in range(10)]) == 15.0
    assert hypergraph.total_cost == 30.5


def test_gate_and_halves_share_nothing():
    blocks = make_regions(features_per_region=3).hypergraph.connected_components()[1]
    assert len(np.unique(blocks)) == 3
    assert len(np.unique(blocks[1:4])) == len(np.unique(blocks[4:])) == 1


def _fit(X, y):
    weights = np.linalg.lstsq(X, y)[0]
    return np.mean(np.sign(X @ weights) == y)


def test_each_half_decides_on_its_side_of_the_gate_alone():
    data = make_regions(noise=0.0)
    above = data.X[:, 0] > 0
    first, second = data.X[:, 1:11], data.X[:, 11:]
    assert _fit(first[above], data.y[above]) > 0.97
    assert _fit(second[~above], data.y[~above]) > 0.97
    assert _fit(first[~above], data.y[~above]) < 0.56
    assert _fit(second[above], data.y[above]) < 0.56


def test_the_seed_decides():
    first, again, other = (make_regions(random_state=seed) for seed in (0, 0, 1))
    assert np.array_equal(first.X, again.X)
    assert np.array_equal(first.y, again.y)
    assert not np.array_equal(first.X, other.X)


@each(
    ("options", "sentence"),
    [
        ({"features_per_region": 0}, "features_per_region is 0; Features per region"),
        ({"noise": -1.0}, "noise is -1; Label noise lies between 0 and 100"),
    ],
)
def test_bad_options_are_refused_with_a_sentence(options, sentence):
    with pytest.raises(KnobError, match=sentence):
        make_regions(**options)
