"""Bounds of the two-step inference hold, and what it certifies is so."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.markov import CostSensitiveMarkovNetwork, grow_graphs
from tests.markov.reference import all_labels, random_graph, random_weights

seeds = st.integers(0, 10_000)


def smallest_objective(model, graph):
    labellings = all_labels(graph.n_nodes, graph.n_labels)
    return min(model.objective(graph, labels) for labels in labellings)


def exact_model(seed, **parameters):
    weights = random_weights(seed, scale=2.0)
    return CostSensitiveMarkovNetwork.from_weights(
        *weights, inference="exact", **parameters
    )


@given(seeds, st.booleans())
@settings(max_examples=40)
def test_smallest_objective_lies_between_the_bounds(seed, average):
    graph = random_graph(seed, 5, 2, n_extra=3)
    model = exact_model(seed, average=average)
    trace = model.trace(graph)
    smallest = smallest_objective(model, graph)
    assert trace.lower_bound <= smallest + 1e-9
    assert smallest <= trace.objective + 1e-9


@given(seeds)
@settings(max_examples=40)
def test_a_fixed_point_is_the_best_labelling(seed):
    graph = random_graph(seed, 5, 2, n_extra=3)
    model = exact_model(seed)
    trace = model.trace(graph)
    if trace.period == 1:
        assert trace.certificate == "exact"
        assert trace.objective == pytest.approx(smallest_objective(model, graph))


@given(seeds)
def test_the_labels_with_the_smallest_objective_seen_are_returned(seed):
    graph = random_graph(seed, 8, 3, n_extra=4)
    nodes, edges = random_weights(seed, n_labels=3, scale=2.0)
    model = CostSensitiveMarkovNetwork.from_weights(nodes, edges)
    trace = model.trace(graph)
    values = [step.objective for step in trace.steps]
    assert trace.objective == min(values)
    value = model.objective(graph, trace.labels)
    assert value == pytest.approx(min(values))
    assert np.array_equal(model.predict(graph), trace.labels)


@given(seeds)
def test_averaging_loosens_no_bound(seed):
    graph = random_graph(seed, 6, 2, n_extra=4)
    plain = exact_model(seed).trace(graph)
    averaged = exact_model(seed, average=True).trace(graph)
    assert averaged.lower_bound >= plain.lower_bound - 1e-9
    assert averaged.objective <= plain.objective + 1e-9


def test_averaging_narrows_the_gap_of_a_cycle():
    graphs = grow_graphs(3, 150, label_agreement=0.85, random_state=1)
    fitted = CostSensitiveMarkovNetwork().fit(graphs[:2])
    weights = fitted.node_weights_, fitted.edge_weights_
    averaging = CostSensitiveMarkovNetwork.from_weights(*weights, average=True)
    plain, averaged = fitted.trace(graphs[2]), averaging.trace(graphs[2])
    assert plain.period == 2
    assert plain.certificate == "none"
    assert averaged.gap < plain.gap / 2


def test_steps_come_one_by_one_and_start_from_the_scores():
    graph = random_graph(0, 8, 2, n_extra=4)
    nodes, edges = random_weights(0, scale=2.0)
    steps = CostSensitiveMarkovNetwork.from_weights(nodes, edges).steps(graph)
    first = next(steps)
    assert first.index == 0
    assert np.array_equal(first.labels, (graph.attributes @ nodes).argmax(axis=1))
    steps.close()


def test_never_more_steps_than_asked_for():
    graph = random_graph(1, 10, 2, n_extra=6)
    for max_steps in (1, 2, 5):
        model = exact_model(1, max_steps=max_steps, average=True)
        assert len(model.trace(graph).steps) <= max_steps


def test_each_step_goes_where_the_one_before_said():
    graph = random_graph(4, 10, 2, n_extra=6)
    steps = exact_model(4, average=True).trace(graph).steps
    for before, after in pairwise(steps):
        assert np.array_equal(before.proposal, after.labels)


def test_certificates_on_loopy_graphs_speak_of_bethe():
    for seed in range(20):
        graph = random_graph(seed, 8, 2, n_extra=4)
        weights = random_weights(seed)
        trace = CostSensitiveMarkovNetwork.from_weights(*weights).trace(graph)
        assert trace.certificate in ("bethe", "none")
