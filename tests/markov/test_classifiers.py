"""The classifiers on two nodes solved by hand, and on graphs they learn from."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from solvers.markov import (
    CostGraph,
    CostSensitiveMarkovNetwork,
    MarkovNetworkClassifier,
    NodeLogisticClassifier,
    expected_costs,
    grow_graphs,
    misclassification_cost,
)
from solvers.markov.graph import disjoint_union
from solvers.markov.training import WeightLayout
from tests.each import each
from tests.markov.golden import golden_model

pytestmark = pytest.mark.kernels

PAIRS = [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_golden_objective(golden):
    model = golden_model(CostSensitiveMarkovNetwork)
    assert model.objective(golden) == pytest.approx(1.0808721195626858, abs=1e-12)


def test_golden_gradient(golden):
    model = golden_model(CostSensitiveMarkovNetwork)
    free = WeightLayout(2, 2).pack_gradient(*model.gradient(golden))
    wanted = [0.350487, -0.350487, -0.640604, 0.640604, 0.049546, -0.241715, 0.192169]
    assert np.allclose(free, wanted, atol=1e-6)


def test_golden_objective_of_every_labelling(golden):
    model = golden_model(CostSensitiveMarkovNetwork)
    values = [model.objective(golden, pair) for pair in PAIRS]
    assert np.allclose(values, [1.229505, 1.834771, 1.080872, 0.790081], atol=1e-6)


def test_golden_inference_ends_in_a_proven_fixed_point(golden):
    trace = golden_model(CostSensitiveMarkovNetwork).trace(golden)
    assert trace.labels.tolist() == [1, 1]
    assert len(trace.steps) == 2
    assert trace.period == 1
    assert trace.certificate == "exact"
    assert trace.gap == pytest.approx(0.0, abs=1e-9)


def test_golden_inference_without_costs(golden):
    model = golden_model(CostSensitiveMarkovNetwork, cost_sensitive_inference=False)
    assert model.predict(golden).tolist() == [1, 1]


def test_golden_likelihood(golden):
    model = golden_model(MarkovNetworkClassifier)
    assert model.objective(golden) == pytest.approx(1.9334814159739497, abs=1e-12)


def test_golden_expected_costs(golden):
    decision = golden_model(MarkovNetworkClassifier).decide(golden)
    values = [decision.energies.total(np.array(pair)) for pair in PAIRS]
    assert np.allclose(values, [1.490211, 2.258712, 0.654688, 1.394869], atol=1e-6)
    assert decision.labels.tolist() == [1, 0]


def test_node_without_links_follows_the_sign_of_its_score():
    node = CostGraph([[1.0]], [], [0], [[[0, 1.5], [0.5, 0]]], [])
    model = CostSensitiveMarkovNetwork.from_weights([[0.0, 0.9]])
    # G(0) = log(1 + e^(0.5 * 0.9)), G(1) = log(1 + e^(-1.5 * 0.9)).
    assert model.objective(node, [0]) == pytest.approx(0.943249, abs=1e-6)
    assert model.objective(node, [1]) == pytest.approx(0.230509, abs=1e-6)
    assert model.predict(node).tolist() == [1]


def test_logistic_weights_are_those_of_scikit_learn(grown):
    alpha = 0.5
    model = NodeLogisticClassifier(alpha=alpha, tolerance=1e-6).fit(grown[:2])
    both = disjoint_union(grown[:2])
    # Two columns of weights w and -w have twice the penalty of their difference's
    # quarter: alpha * 2 (d / 2)^2 = d^2 / (2 C) for C = 1 / alpha.
    rival = LogisticRegression(C=1 / alpha, fit_intercept=False, tol=1e-8)
    rival.fit(both.attributes, both.labels)
    learned = model.node_weights_[:, 1] - model.node_weights_[:, 0]
    assert np.allclose(learned, rival.coef_[0], atol=1e-4)


def test_logistic_prior_grows_with_the_nodes(grown):
    model = NodeLogisticClassifier(tolerance=1e-6).fit(grown[:2])
    given = NodeLogisticClassifier(alpha=240e-4, tolerance=1e-6).fit(grown[:2])
    assert np.allclose(model.node_weights_, given.node_weights_)


@each(
    "model",
    [
        MarkovNetworkClassifier(tolerance=1e-6),
        MarkovNetworkClassifier("pseudo-likelihood", tolerance=1e-6),
        CostSensitiveMarkovNetwork(tolerance=1e-6),
        CostSensitiveMarkovNetwork(symmetric=False, tolerance=1e-6),
    ],
    ids=lambda model: model.title,
)
def test_training_ends_where_loss_and_prior_balance(grown, model):
    model.fit(grown[:2])
    nodes, edges = model.gradient(disjoint_union(grown[:2]))
    layout = WeightLayout(9, 2, model.symmetric)
    pull = layout.pack_gradient(nodes, edges)
    rows = np.triu_indices(2) if model.symmetric else np.nonzero(np.ones((2, 2)))
    weights = np.concatenate([model.node_weights_.ravel(), model.edge_weights_[rows]])
    assert model.training_.converged
    assert np.allclose(pull, -2 * model.alpha * weights, atol=1e-4)


def test_training_on_graphs_is_training_on_their_union(grown):
    apart = CostSensitiveMarkovNetwork().fit(grown[:2])
    together = CostSensitiveMarkovNetwork().fit(disjoint_union(grown[:2]))
    assert np.array_equal(apart.node_weights_, together.node_weights_)


def test_exact_training_is_cold_training_on_forests():
    forests = grow_graphs(2, 80, extra_links=0.0, random_state=0)
    exact = MarkovNetworkClassifier("exact", tolerance=1e-6).fit(forests)
    for training in ("cold", "warm", "tree-reweighted"):
        other = MarkovNetworkClassifier(training, tolerance=1e-6).fit(forests)
        assert np.allclose(exact.node_weights_, other.node_weights_, atol=1e-5)


def test_links_help_where_labels_agree():
    graphs = grow_graphs(3, 300, label_agreement=0.95, random_state=0)
    costs = {
        kind: misclassification_cost(
            graphs[2], kind().fit(graphs[:2]).predict(graphs[2])
        )
        for kind in (
            NodeLogisticClassifier,
            MarkovNetworkClassifier,
            CostSensitiveMarkovNetwork,
        )
    }
    assert costs[MarkovNetworkClassifier] < costs[NodeLogisticClassifier]
    assert costs[CostSensitiveMarkovNetwork] < costs[NodeLogisticClassifier]


def test_edge_aware_decisions_have_lower_expected_cost(grown):
    plain = NodeLogisticClassifier().fit(grown[:2])
    aware = NodeLogisticClassifier(edge_aware=True).fit(grown[:2])
    energies = aware.decide(grown[2]).energies
    expected = energies.total(aware.predict(grown[2]))
    assert expected <= energies.total(plain.predict(grown[2]))


def test_least_expected_cost_beats_truth_constants_and_argmax(grown):
    model = MarkovNetworkClassifier().fit(grown[:2])
    decision = model.decide(grown[2])
    least = decision.energies.total(decision.labels)
    rivals = [
        grown[2].labels,
        decision.beliefs.node.argmax(axis=1),
        np.zeros(120, int),
        np.ones(120, int),
    ]
    assert all(least <= decision.energies.total(rival) for rival in rivals)


def test_equal_costs_on_nodes_mean_the_likeliest_label(grown):
    model = MarkovNetworkClassifier().fit(grown[:2])
    flat = grown[2].with_costs(
        np.tile(1 - np.eye(2), (120, 1, 1)), np.zeros_like(grown[2].edge_costs)
    )
    assert np.array_equal(
        model.predict(flat), model.marginals(flat).node.argmax(axis=1)
    )


def test_expected_cost_of_certain_labels_is_their_cost(grown):
    graph = grown[0]
    sure = np.eye(2)[graph.labels]
    i, j = graph.edges.T
    pairs = sure[i][:, :, None] * sure[j][:, None, :]
    energies = expected_costs(graph, sure, pairs)
    called = np.random.default_rng(0).integers(0, 2, 120)
    wanted = misclassification_cost(graph, called)
    assert energies.total(called) == pytest.approx(wanted)
