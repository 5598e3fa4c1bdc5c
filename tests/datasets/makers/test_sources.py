"""Features of one source share it, and nothing else."""

import numpy as np
import pytest

from solvers.datasets import make_sources
from solvers.errors import KnobError
from tests.each import each


def test_each_source_is_a_block():
    hypergraph = make_sources(4, 3, 500).hypergraph
    assert (hypergraph.n_features, hypergraph.n_components) == (12, 4 + 12)
    blocks = hypergraph.connected_components()[1].reshape(4, 3)
    assert len(np.unique(blocks)) == 4
    assert (blocks == blocks[:, :1]).all()


def test_a_paid_source_makes_its_other_features_cheap():
    hypergraph = make_sources().hypergraph
    assert hypergraph.marginal_costs().min() > 1.0
    paid = hypergraph.required_components(["s3.0"])
    marginal = hypergraph.marginal_costs(paid)
    assert marginal[15] == 0.0
    assert np.all(marginal[16:20] <= 0.5)
    assert np.all(np.delete(marginal, range(15, 20)) > 1.0)


def test_costs_lie_between_their_bounds():
    costs = make_sources().hypergraph.component_costs
    assert np.all((costs[:20] >= 1) & (costs[:20] <= 6))
    assert np.all((costs[20:] >= 0.1) & (costs[20:] <= 0.5))


def test_names_tell_the_source():
    hypergraph = make_sources(2, 2, 500).hypergraph
    assert hypergraph.features == ("s0.0", "s0.1", "s1.0", "s1.1")
    assert hypergraph.components[:3] == ("source 0", "source 1", "s0.0")


def test_the_seed_decides():
    first, again, other = (make_sources(random_state=seed) for seed in (0, 0, 1))
    assert np.array_equal(first.X, again.X)
    assert first.hypergraph.equals(again.hypergraph)
    assert not np.array_equal(first.X, other.X)


@each(
    ("options", "sentence"),
    [
        ({"n_sources": 0}, "n_sources is 0; Sources lies between 1"),
        ({"features_per_source": 2.0}, "Features per source is a whole number"),
        ({"noise": float("inf")}, "noise is inf; Label noise lies"),
    ],
)
def test_bad_options_are_refused_with_a_sentence(options, sentence):
    with pytest.raises(KnobError, match=sentence):
        make_sources(**options)
