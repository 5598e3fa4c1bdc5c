"""Markov networks: marginals by enumeration, and labels of least expected cost."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.errors import KnobError
from solvers.markov import MarkovNetworkClassifier, misclassification_cost
from solvers.markov.pairwise import linear_scores
from tests.markov.reference import (
    all_labels,
    enumerate_beliefs,
    random_graph,
    random_weights,
)

seeds = st.integers(0, 9_999)


def _model(seed, training="exact", n_labels=2, **options):
    weights = random_weights(seed, n_labels=n_labels)
    return MarkovNetworkClassifier.from_weights(*weights, training=training, **options)


@given(seeds, st.sampled_from([(0, "cold"), (3, "exact")]), st.integers(2, 3))
@settings(max_examples=20)
def test_marginals_are_those_of_all_labellings(seed, kind, n_labels):
    n_extra, training = kind
    graph = random_graph(seed, 5, n_labels, n_extra)
    model = _model(seed, training, n_labels)
    scores = linear_scores(graph, model.node_weights_, model.edge_weights_)
    nodes, edges, _ = enumerate_beliefs(scores)
    found = model.marginals(graph)
    assert found.node == pytest.approx(nodes, abs=1e-7)
    assert found.edge == pytest.approx(edges, abs=1e-7)


@given(seeds)
@settings(max_examples=6)
def test_no_labelling_has_a_lower_expected_cost(seed):
    graph = random_graph(seed, 4, 2, 2)
    model = _model(seed)
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
