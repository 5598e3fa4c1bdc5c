"""CSMN: what it minimises, and what its inference falls back on."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.errors import KnobError
from solvers.markov import CostSensitiveMarkovNetwork
from solvers.markov.pairwise import linear_scores
from tests.markov.reference import all_labels, random_graph, random_weights

seeds = st.integers(0, 9_999)


def _model(seed, **options):
    weights = random_weights(seed)
    return CostSensitiveMarkovNetwork.from_weights(*weights, **options)


@given(seeds)
@settings(max_examples=20)
def test_without_cost_sensitive_inference_the_likeliest_labelling_is_given(seed):
    graph = random_graph(seed, 5, 2, 2)
    model = _model(seed, cost_sensitive_inference=False, inference="exact")
    scores = linear_scores(graph, model.node_weights_, model.edge_weights_)
    best = max(scores.total(labels) for labels in all_labels(5, 2))
    assert scores.total(model.decide(graph).labels) == pytest.approx(best)


@given(seeds)
@settings(max_examples=20)
def test_the_best_step_of_the_trace_is_what_is_decided(seed):
    graph = random_graph(seed, 6, 2, 2)
    model = _model(seed, inference="exact")
    trace, decision = model.trace(graph), model.decide(graph)
    assert decision.labels.tolist() == trace.best.labels.tolist()
    least = min(step.objective for step in trace.steps)
    assert model.objective(graph, decision.labels) == pytest.approx(least)


@pytest.mark.parametrize("n_labels", [2, 3])
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
    assert len(list(_model(3, max_steps=2).steps(graph))) <= 2


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"inference": "lukewarm"}, "inference is 'lukewarm'"),
        ({"max_steps": 0}, "max_steps is 0"),
        ({"loss_floor": -1.0}, "loss_floor is -1"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(options, sentence):
    with pytest.raises(KnobError) as refusal:
        _model(0, **options)
    assert sentence in str(refusal.value)


def test_bad_graphs_are_refused_before_the_first_step():
    model = _model(0)
    with pytest.raises(ValueError, match="attributes"):
        model.steps(random_graph(0, n_attributes=5))
