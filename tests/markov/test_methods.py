"""LOGREG, MN and CSMN do what all labellings listed say; a constant and the truth."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.errors import DataError, KnobError
from solvers.markov import (
    ConstantLabelClassifier,
    CostGraph,
    CostSensitiveMarkovNetwork,
    MarkovNetworkClassifier,
    NodeLogisticClassifier,
    TruthClassifier,
    misclassification_cost,
)
from solvers.markov.pairwise import linear_scores
from tests.each import each
from tests.markov.reference import (
    all_labels,
    enumerate_beliefs,
    random_graph,
    random_weights,
)

seeds = st.integers(0, 9_999)


def node_model(seed, n_labels=2, **options):
    nodes, _ = random_weights(seed, n_labels=n_labels)
    return NodeLogisticClassifier.from_weights(nodes, **options)


def _chances(model, graph):
    scores = np.exp(graph.attributes @ model.node_weights_)
    return scores / scores.sum(axis=1, keepdims=True)


@given(seeds, st.integers(2, 3))
@settings(max_examples=20)
def test_each_node_takes_the_label_of_least_expected_cost(seed, n_labels):
    graph = random_graph(seed, 6, n_labels, 2)
    model = node_model(seed, n_labels)
    expected = np.einsum("npt,nt->np", graph.node_costs, _chances(model, graph))
    assert model.decide(graph).labels.tolist() == expected.argmin(axis=1).tolist()


@given(seeds)
@settings(max_examples=8)
def test_with_edges_no_labelling_of_a_tree_has_a_lower_expected_cost(seed):
    graph = random_graph(seed, 4, 2)
    model = node_model(seed, edge_aware=True)
    chances, every = _chances(model, graph), all_labels(4, 2)
    weights = np.array([chances[range(4), truth].prod() for truth in every])

    def expected(labels):
        costs = [misclassification_cost(graph.with_labels(t), labels) for t in every]
        return weights @ costs

    least = min(expected(labels) for labels in every)
    assert expected(model.decide(graph).labels) == pytest.approx(least)


@given(seeds)
@settings(max_examples=20)
def test_probabilities_of_pairs_are_those_of_their_ends(seed):
    graph = random_graph(seed, 6, 2, 3)
    model = node_model(seed)
    beliefs = model.decide(graph).beliefs
    assert beliefs.node == pytest.approx(_chances(model, graph))
    assert beliefs.edge.sum(axis=2) == pytest.approx(beliefs.node[graph.edges[:, 0]])
    assert beliefs.edge.sum(axis=1) == pytest.approx(beliefs.node[graph.edges[:, 1]])


def test_links_are_not_learned_from():
    graph = random_graph(3, 30, 2, 10)
    other = random_graph(4, 30, 2, 0)
    alone = CostGraph(
        graph.attributes,
        other.edges,
        graph.truth,
        graph.node_costs,
        other.edge_costs,
    )
    one, two = (NodeLogisticClassifier().fit(g) for g in (graph, alone))
    assert one.node_weights_ == pytest.approx(two.node_weights_, abs=1e-6)


def network_model(seed, training="exact", n_labels=2, **options):
    weights = random_weights(seed, n_labels=n_labels)
    return MarkovNetworkClassifier.from_weights(*weights, training=training, **options)


@given(seeds, st.sampled_from([(0, "cold"), (3, "exact")]), st.integers(2, 3))
@settings(max_examples=20)
def test_marginals_are_those_of_all_labellings(seed, kind, n_labels):
    n_extra, training = kind
    graph = random_graph(seed, 5, n_labels, n_extra)
    model = network_model(seed, training, n_labels)
    scores = linear_scores(graph, model.node_weights_, model.edge_weights_)
    nodes, edges, _ = enumerate_beliefs(scores)
    found = model.marginals(graph)
    assert found.node == pytest.approx(nodes, abs=1e-7)
    assert found.edge == pytest.approx(edges, abs=1e-7)


@given(seeds)
@settings(max_examples=6)
def test_no_labelling_has_a_lower_expected_cost(seed):
    graph = random_graph(seed, 4, 2, 2)
    model = network_model(seed)
    labels = model.decide(graph).labels
    scores = linear_scores(graph, model.node_weights_, model.edge_weights_)
    every = all_labels(4, 2)
    chances = np.exp([scores.total(truth) for truth in every])
    chances /= chances.sum()

    def expected(predicted):
        costs = [misclassification_cost(graph.with_labels(t), predicted) for t in every]
        return chances @ costs

    least = min(expected(predicted) for predicted in every)
    assert expected(labels) == pytest.approx(least, abs=1e-6)


def test_trained_exactly_or_by_messages_a_tree_has_the_same_weights():
    graph = random_graph(4, 12, 2, 0)
    exact, cold = (
        MarkovNetworkClassifier(training=kind, tolerance=1e-5).fit(graph)
        for kind in ("exact", "cold")
    )
    assert exact.node_weights_ == pytest.approx(cold.node_weights_, abs=1e-3)
    assert cold.nats_above_cold_ == 0.0
    assert exact.nats_above_cold_ is None


def test_warm_messages_tell_how_far_above_cold_training_they_ended():
    graph = random_graph(2, 10, 2, 4)
    warm = MarkovNetworkClassifier(training="warm").fit(graph)
    cold = MarkovNetworkClassifier(training="cold").fit(graph)
    wanted = warm.training_.objective - cold.training_.objective
    assert warm.nats_above_cold_ == pytest.approx(wanted, abs=1e-9)


def test_symmetric_weights_are_the_same_in_both_orders():
    graph = random_graph(1, 12, 3, 4)
    model = MarkovNetworkClassifier(symmetric=True).fit(graph)
    assert model.edge_weights_ == pytest.approx(model.edge_weights_.T)


def test_a_way_of_training_that_does_not_exist_is_refused():
    with pytest.raises(KnobError, match="training is 'lukewarm'"):
        MarkovNetworkClassifier(training="lukewarm").fit(random_graph(0))


def cost_sensitive_model(seed, **options):
    weights = random_weights(seed)
    return CostSensitiveMarkovNetwork.from_weights(*weights, **options)


@given(seeds)
@settings(max_examples=20)
def test_without_cost_sensitive_inference_the_likeliest_labelling_is_given(seed):
    graph = random_graph(seed, 5, 2, 2)
    model = cost_sensitive_model(
        seed, cost_sensitive_inference=False, inference="exact"
    )
    scores = linear_scores(graph, model.node_weights_, model.edge_weights_)
    best = max(scores.total(labels) for labels in all_labels(5, 2))
    assert scores.total(model.decide(graph).labels) == pytest.approx(best)


@given(seeds)
@settings(max_examples=20)
def test_the_best_step_of_the_trace_is_what_is_decided(seed):
    graph = random_graph(seed, 6, 2, 2)
    model = cost_sensitive_model(seed, inference="exact")
    trace, decision = model.trace(graph), model.decide(graph)
    assert decision.labels.tolist() == trace.best.labels.tolist()
    least = min(step.objective for step in trace.steps)
    assert model.objective(graph, decision.labels) == pytest.approx(least)


@each("n_labels", [2, 3])
def test_where_nothing_weighs_or_costs_anything_every_label_is_as_likely(n_labels):
    graph = random_graph(5, 6, n_labels, 3)
    nothing = np.zeros((3, n_labels))
    idle = CostSensitiveMarkovNetwork.from_weights(nothing, inference="exact")
    assert idle.objective(graph) == pytest.approx(6 * np.log(n_labels))
    free = graph.with_costs(0 * graph.node_costs, 0 * graph.edge_costs)
    weights = random_weights(5, n_labels=n_labels)
    heavy = CostSensitiveMarkovNetwork.from_weights(*weights, inference="exact")
    assert heavy.objective(free) == pytest.approx(6 * np.log(n_labels))
    assert heavy.objective(graph) != pytest.approx(6 * np.log(n_labels))


def test_no_more_steps_are_taken_than_allowed():
    graph = random_graph(3, 8, 2, 5)
    assert len(list(cost_sensitive_model(3, max_steps=2).steps(graph))) <= 2


@each(
    ("options", "sentence"),
    [
        ({"inference": "lukewarm"}, "inference is 'lukewarm'"),
        ({"max_steps": 0}, "max_steps is 0"),
        ({"loss_floor": -1.0}, "loss_floor is -1"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(options, sentence):
    with pytest.raises(KnobError) as refusal:
        cost_sensitive_model(0, **options)
    assert sentence in str(refusal.value)


def test_bad_graphs_are_refused_before_the_first_step():
    model = cost_sensitive_model(0)
    with pytest.raises(ValueError, match="attributes"):
        model.steps(random_graph(0, n_attributes=5))


def test_baselines(grown):
    assert TruthClassifier().fit(grown).predict(grown[0]).tolist() == list(
        grown[0].labels
    )
    ones = ConstantLabelClassifier(1).fit(grown).predict(grown[0])
    assert ones.tolist() == [1] * 120


def test_a_constant_label_exists(golden):
    with pytest.raises(DataError, match="no label 2; labels run from 0 to 1"):
        ConstantLabelClassifier(2).predict(golden)
