"""A collapse of the Markov network is seen and said."""

import numpy as np
import pytest

from solvers.markov import (
    CostSensitiveMarkovNetwork,
    MarkovNetworkClassifier,
    grow_graphs,
    misclassification_cost,
)
from solvers.markov.classifier import Labelling
from solvers.markov.health import report_health


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


@pytest.mark.parametrize(
    "network", [MarkovNetworkClassifier, CostSensitiveMarkovNetwork]
)
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
