"""Bad graphs and weights are refused, and a labelling says when not to trust it."""

import numpy as np
import pytest

from solvers.errors import DataError, KnobError, ThriftscopeError
from solvers.markov import (
    ConstantLabelClassifier,
    CostSensitiveMarkovNetwork,
    MarkovNetworkClassifier,
    NodeLogisticClassifier,
    grow_graphs,
    misclassification_cost,
)
from solvers.markov.classifier import Labelling, report_health
from tests.each import each
from tests.markov.golden import golden_model


def test_labels_of_the_test_graph_are_not_looked_at(grown):
    hidden = grown[2].with_labels(None)
    for kind in (
        NodeLogisticClassifier,
        MarkovNetworkClassifier,
        CostSensitiveMarkovNetwork,
    ):
        model = kind().fit(grown[:2])
        assert np.array_equal(model.predict(hidden), model.predict(grown[2]))


@each(
    ("model", "sentence"),
    [
        (MarkovNetworkClassifier(alpha=-1.0), "alpha is -1; it is 0 or more"),
        (MarkovNetworkClassifier("hot"), "training is 'hot'; it is one of 'cold'"),
        (MarkovNetworkClassifier(tolerance=0.0), "tolerance is 0; it is between"),
        (CostSensitiveMarkovNetwork(inference="hot"), "inference is 'hot'"),
        (CostSensitiveMarkovNetwork(max_steps=0), "max_steps is 0; it is 1 or more"),
        (CostSensitiveMarkovNetwork(max_steps=1.5), "give a whole number"),
        (CostSensitiveMarkovNetwork(loss_floor=np.nan), "loss_floor is nan"),
        (NodeLogisticClassifier(alpha="much"), "alpha is 'much'; give a number"),
        (ConstantLabelClassifier(-1), "label is -1; it is 0 or more"),
    ],
)
def test_bad_parameters_are_refused_in_fit(grown, model, sentence):
    with pytest.raises(KnobError, match=sentence):
        model.fit(grown)


def test_one_label_cannot_be_learned_from(grown):
    single = grown[0].with_labels(np.ones(120, int))
    with pytest.raises(DataError, match="Every node is labelled 1"):
        CostSensitiveMarkovNetwork().fit([single])


def test_unlabelled_graphs_cannot_be_learned_from(grown):
    with pytest.raises(DataError, match="has no labels"):
        CostSensitiveMarkovNetwork().fit([grown[0], grown[1].with_labels(None)])


def test_something_else_is_no_graph():
    with pytest.raises(DataError, match="is not a CostGraph"):
        CostSensitiveMarkovNetwork().fit([np.ones(3)])


def test_weights_come_before_predictions(golden):
    with pytest.raises(ThriftscopeError, match="has no weights yet; call fit"):
        CostSensitiveMarkovNetwork().predict(golden)
    with pytest.raises(ThriftscopeError, match="has no weights yet; call fit"):
        CostSensitiveMarkovNetwork().trace(golden)


def test_a_graph_of_another_kind_is_refused(golden, grown):
    model = golden_model(CostSensitiveMarkovNetwork)
    with pytest.raises(DataError, match="9 attributes and 2 labels, but the weights"):
        model.predict(grown[0])


@each(
    ("nodes", "edges", "sentence"),
    [
        ([1.0, 2.0], None, r"node weights have shape \(2,\); give \(D, L\)"),
        ([[1.0, 2.0]], [[1.0]], r"edge weights have shape \(1, 1\); give \(2, 2\)"),
        ([[np.inf, 2.0]], None, "The node weights hold inf"),
    ],
)
def test_bad_weights_are_refused_with_a_sentence(nodes, edges, sentence):
    with pytest.raises(DataError, match=sentence):
        MarkovNetworkClassifier.from_weights(nodes, edges)


@pytest.fixture(scope="module")
def collapsing():
    """Weak attributes and strong links: where warm messages stick in one label."""
    return grow_graphs(
        3, 300, label_agreement=0.8, attribute_strength=0.15, random_state=0
    )


def test_a_labelling_with_one_label_is_stuck():
    report = report_health(Labelling(np.ones(100, int)), 2, 0.55)
    assert report.stuck_at == 1
    assert report.one_class_share == 1.0
    assert not report.is_healthy
    assert "100% of the nodes are called 1" in report.sentences()[0]


def test_one_label_is_fine_where_training_had_it_so():
    assert report_health(Labelling(np.ones(100, int)), 2, 0.9).is_healthy


def test_cold_messages_are_the_yardstick(collapsing):
    model = MarkovNetworkClassifier().fit(collapsing[:2])
    assert model.nats_above_cold_ == 0.0


def test_warm_messages_end_above_a_cold_restart(collapsing):
    model = MarkovNetworkClassifier("warm").fit(collapsing[:2])
    report = model.health(collapsing[2])
    assert report.nats_above_cold > 10
    assert not report.is_healthy
    assert any("above a cold restart" in text for text in report.sentences())


def test_cost_sensitive_networks_report_their_messages(collapsing):
    model = CostSensitiveMarkovNetwork().fit(collapsing[:2])
    report = model.health(collapsing[2])
    assert report.converged
    assert report.iterations > 1
    assert report.nats_above_cold is None


def test_messages_that_do_not_rest_are_said():
    graphs = grow_graphs(3, 40, extra_links=0.9, random_state=0)
    weights = np.zeros((9, 2)), np.array([[-9.0, 4.0], [5.0, -7.0]])
    report = MarkovNetworkClassifier.from_weights(*weights).health(graphs[0])
    assert not report.converged
    assert any("after 200 rounds" in text for text in report.sentences())


@each("network", [MarkovNetworkClassifier, CostSensitiveMarkovNetwork])
def test_training_that_gives_up_is_said(collapsing, network, monkeypatch):
    model = network().fit(collapsing[:2])
    assert model.health(collapsing[2]).trained
    monkeypatch.setattr("solvers.markov.training.MAX_STEPS", 1)
    monkeypatch.setattr("solvers.markov.training.LAST_EVALUATIONS", 0)
    report = model.fit(collapsing[:2]).health(collapsing[2])
    assert not report.is_healthy
    assert "Training did not converge" in report.sentences()[0]


def test_collapse_shows_in_the_cost():
    graphs = grow_graphs(
        3, 300, label_agreement=0.75, attribute_strength=0.25, random_state=2
    )
    costs = {}
    for test in range(3):
        training = [graph for k, graph in enumerate(graphs) if k != test]
        model = MarkovNetworkClassifier().fit(training)
        decision = model.decide(graphs[test])
        cost = misclassification_cost(graphs[test], decision.labels)
        report = model.health(graphs[test], decision)
        costs.setdefault(report.stuck_at is not None, []).append(cost)
    assert min(costs[True]) > 2 * max(costs[False])


def test_dark_snapshots_are_no_collapse_where_training_had_them():
    dark = np.zeros(50, int)
    assert report_health(Labelling(dark), 3, 1.0).stuck_at is None
