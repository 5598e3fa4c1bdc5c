"""Bounds of the two-step inference hold, and what it certifies is so."""

from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.markov import CostSensitiveMarkovNetwork, grow_graphs, sum_product
from tests.markov.reference import all_labels, random_graph, random_weights

seeds = st.integers(0, 10_000)


def smallest_objective(model, graph):
    labellings = all_labels(graph.n_nodes, graph.n_labels)
    return min(model.objective(graph, labels) for labels in labellings)


def exact_model(seed, n_labels=2, scale=2.0, **parameters):
    weights = random_weights(seed, n_labels=n_labels, scale=scale)
    parameters = {"inference": "exact", **parameters}
    return CostSensitiveMarkovNetwork.from_weights(*weights, **parameters)


@given(
    seeds,
    st.sampled_from([("exact", 0), ("exact", 3), ("cold", 0)]),
    st.sampled_from([(2, 5), (3, 4)]),
    st.booleans(),
    st.sampled_from([0.0, 0.3]),
    st.sampled_from([1, 3, 10]),
    st.sampled_from([1.0, 2.0, 6.0]),
)
@settings(max_examples=30)
def test_smallest_objective_lies_between_the_bounds(
    seed, kind, size, average, floor, max_steps, scale
):
    """Whatever the options: labels, links, averages, floors, steps, strength."""
    (inference, n_extra), (n_labels, n) = kind, size
    graph = random_graph(seed, n, n_labels, n_extra)
    options = {"average": average, "loss_floor": floor, "max_steps": max_steps}
    model = exact_model(seed, n_labels, scale, inference=inference, **options)
    trace = model.trace(graph)
    smallest = smallest_objective(model, graph)
    slack = 1e-9 * max(1.0, smallest)
    assert trace.exact
    assert all(step.lower_bound <= smallest + slack for step in trace.steps)
    assert smallest <= trace.objective + slack
    if trace.certificate == "exact":
        assert trace.objective == pytest.approx(smallest, abs=1e-5)


@given(seeds)
@settings(max_examples=25)
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
    assert averaged.gap < 2 / 3 * plain.gap


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


def test_messages_that_do_not_rest_certify_nothing(monkeypatch):
    """Their log Z is that of no fixed point, and their bound proves nothing."""
    impatient = partial(sum_product, max_iterations=2)
    certified = 0
    for seed in range(8):
        graph = random_graph(seed, 9, 2, n_extra=6)
        weights = random_weights(seed, scale=2.0)
        model = CostSensitiveMarkovNetwork.from_weights(*weights, average=True)
        certified += model.trace(graph).certificate == "bethe"
        with monkeypatch.context() as patch:
            patch.setattr("solvers.markov.engines.sum_product", impatient)
            trace = model.trace(graph)
        assert not any(step.settled for step in trace.steps)
        assert trace.certificate == "none"
        assert trace.lower_bound == 0.0
    assert certified
