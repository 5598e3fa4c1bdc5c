"""Training ends where the gradient is small, and says so only where it is."""

from dataclasses import replace

import numpy as np

from solvers.markov import (
    CostSensitiveMarkovNetwork,
    MarkovNetworkClassifier,
    NodeLogisticClassifier,
    grow_graphs,
)
from solvers.markov.graph import disjoint_union
from solvers.markov.losses import LossValue
from solvers.markov.pairwise import Beliefs
from solvers.markov.training import WeightLayout, fit_weights
from tests.each import each

SMOOTH = {
    "LOGREG": NodeLogisticClassifier(tolerance=1e-8),
    "PL": MarkovNetworkClassifier("pseudo-likelihood", tolerance=1e-8),
    "exact": MarkovNetworkClassifier("exact", tolerance=1e-8),
    "CSMN": CostSensitiveMarkovNetwork(tolerance=1e-8),
    "one way": CostSensitiveMarkovNetwork(symmetric=False, tolerance=1e-8),
}


def steepness(model, graph):
    """Largest component of loss and prior together, from the public gradient."""
    symmetric = getattr(model, "symmetric", True)
    layout = WeightLayout(graph.n_attributes, graph.n_labels, symmetric)
    gradient = layout.pack_gradient(*model.gradient(graph))
    rows = np.triu_indices(2) if symmetric else np.nonzero(np.ones((2, 2)))
    nodes, edges = model.node_weights_.ravel(), model.edge_weights_[rows]
    prior = model._prior(graph)
    return np.abs(gradient + 2 * prior * np.concatenate([nodes, edges])).max()


@each(("seed", "name"), enumerate(SMOOTH))
def test_the_gradient_decides_where_the_loss_can_no_longer_tell(name, seed):
    """At 1e-8 the loss changes by less than its rounding, whatever the kernel."""
    graph = disjoint_union(grow_graphs(2, 60, random_state=seed, label_agreement=0.75))
    model = SMOOTH[name].fit(graph)
    assert model.training_.converged
    # Messages rest within a hundredth of the tolerance of 1e-8.
    assert steepness(model, graph) <= 1.1e-8


@each("seed", range(3))
def test_the_last_bits_of_the_attributes_do_not_decide_where_training_ends(seed):
    """Other kernels round other ways; so does this noise."""
    graph = disjoint_union(grow_graphs(2, 60, random_state=seed, label_agreement=0.6))
    rng = np.random.default_rng(seed)
    shaken = graph.attributes * (
        1 + 4e-16 * rng.integers(-1, 2, graph.attributes.shape)
    )
    for model in (SMOOTH["CSMN"], MarkovNetworkClassifier(tolerance=1e-6)):
        weights = model.fit(graph).node_weights_.copy()
        assert model.training_.converged
        again = model.fit(replace(graph, attributes=shaken))
        assert again.training_.converged
        assert np.allclose(again.node_weights_, weights, atol=1e-6)


@each("at_rest", [True, False])
def test_messages_that_do_not_rest_give_no_convergence(at_rest):
    beliefs = Beliefs(np.ones((1, 2)) / 2, np.ones((0, 2, 2)), 0.0, at_rest)

    def loss(nodes, edges):
        return LossValue((nodes**2).sum(), 2 * nodes, 0 * edges, beliefs)

    fitted = fit_weights(loss, WeightLayout(3, 2), 1.0, 1e-2)
    assert fitted.converged == at_rest
