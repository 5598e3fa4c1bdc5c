"""Every way to compute marginals is exact on forests and near it elsewhere."""

import numpy as np
import pytest

from solvers.markov.engines import make_engine
from tests.markov.reference import enumerate_beliefs, random_model

KINDS = ["cold", "warm", "tree-reweighted", "exact"]


def _made(kind, model):
    return make_engine(kind, model.n_nodes, model.edges)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_on_a_tree_every_engine_is_exact(kind, seed):
    model = random_model(seed, n=6, n_labels=3)
    nodes, edges, log_z = enumerate_beliefs(model)
    found = _made(kind, model)(model)
    assert found.node == pytest.approx(nodes, abs=1e-8)
    assert found.edge == pytest.approx(edges, abs=1e-8)
    assert found.log_partition == pytest.approx(log_z)


@pytest.mark.parametrize("seed", range(3))
def test_elimination_is_exact_on_circles_too(seed):
    model = random_model(seed, n=6, n_extra=4)
    nodes, _, log_z = enumerate_beliefs(model)
    found = _made("exact", model)(model)
    assert found.node == pytest.approx(nodes, abs=1e-8)
    assert found.log_partition == pytest.approx(log_z)


@pytest.mark.parametrize("seed", range(3))
def test_reweighted_messages_bound_log_z_from_above(seed):
    model = random_model(seed, n=6, n_extra=4, strength=2.0)
    found = _made("tree-reweighted", model)(model)
    assert found.log_partition >= enumerate_beliefs(model)[2] - 1e-6


def test_a_warm_engine_goes_on_from_the_messages_before():
    model = random_model(1, n=8, n_extra=5)
    cold, warm = _made("cold", model), _made("warm", model)
    first, again = warm(model), warm(model)
    assert first.node == pytest.approx(cold(model).node, abs=1e-6)
    assert again.iterations < first.iterations
    assert again.node == pytest.approx(first.node, abs=1e-6)


def test_a_loose_tolerance_ends_sooner():
    model = random_model(1, n=8, n_extra=5)
    rough = make_engine("cold", 8, model.edges, tolerance=1e-2)(model)
    fine = make_engine("cold", 8, model.edges, tolerance=1e-10)(model)
    assert rough.iterations < fine.iterations
    assert np.abs(rough.node - fine.node).max() < 0.05
