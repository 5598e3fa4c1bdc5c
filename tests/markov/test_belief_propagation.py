"""Messages give what enumeration gives on trees, and bounds where they should."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.markov import (
    PairwiseModel,
    exact_marginals,
    exact_maximum,
    max_product,
    sum_product,
)
from solvers.markov.engines import edge_appearance
from tests.markov.reference import all_totals, enumerate_beliefs, random_model

seeds = st.integers(0, 10_000)
label_counts = st.integers(2, 4)
sizes = st.integers(1, 6)


@given(seeds, sizes, label_counts)
def test_sum_product_is_enumeration_on_trees(seed, n, n_labels):
    model = random_model(seed, n, n_labels, strength=2.0)
    nodes, edges, log_z = enumerate_beliefs(model)
    beliefs = sum_product(model)
    assert beliefs.converged
    assert np.allclose(beliefs.node, nodes, atol=1e-8)
    assert np.allclose(beliefs.edge, edges, atol=1e-8)
    assert beliefs.log_partition == pytest.approx(log_z, abs=1e-8)


@given(seeds, st.integers(1, 5), st.integers(2, 3), st.integers(0, 4))
def test_elimination_is_enumeration_on_any_graph(seed, n, n_labels, n_extra):
    model = random_model(seed, n, n_labels, n_extra)
    nodes, edges, log_z = enumerate_beliefs(model)
    beliefs = exact_marginals(model)
    assert np.allclose(beliefs.node, nodes)
    assert np.allclose(beliefs.edge, edges)
    assert beliefs.log_partition == pytest.approx(log_z)


@given(seeds, sizes, label_counts)
def test_max_product_is_enumeration_on_trees(seed, n, n_labels):
    model = random_model(seed, n, n_labels)
    labels, converged = max_product(model)
    assert converged
    assert model.total(labels) == pytest.approx(all_totals(model)[1].max())


@given(seeds, st.integers(1, 6), st.integers(0, 6))
def test_elimination_finds_the_best_labelling(seed, n, n_extra):
    model = random_model(seed, n, 2, n_extra)
    best = all_totals(model)[1].max()
    assert model.total(exact_maximum(model)) == pytest.approx(best)


@given(seeds, st.integers(2, 3))
def test_loopy_marginals_agree_between_nodes_and_edges(seed, n_labels):
    model = random_model(seed, 8, n_labels, n_extra=4, strength=0.5)
    beliefs = sum_product(model)
    assert beliefs.converged
    i, j = model.edges.T
    assert np.allclose(beliefs.node.sum(axis=1), 1.0)
    assert np.allclose(beliefs.edge.sum(axis=2), beliefs.node[i], atol=1e-6)
    assert np.allclose(beliefs.edge.sum(axis=1), beliefs.node[j], atol=1e-6)


@given(seeds, st.integers(2, 3))
def test_weak_loops_change_little(seed, n_labels):
    model = random_model(seed, 6, n_labels, n_extra=3, strength=0.2)
    assert np.allclose(sum_product(model).node, enumerate_beliefs(model)[0], atol=0.01)


@given(seeds, st.integers(2, 3))
def test_derivative_of_the_bethe_value_is_the_marginal(seed, n_labels):
    model = random_model(seed, 6, n_labels, n_extra=3, strength=0.5)
    step = 1e-5
    moved = model.node_tables.copy()
    moved[2, 1] += step
    up = sum_product(PairwiseModel(moved, model.edges, model.edge_tables))
    moved[2, 1] -= 2 * step
    down = sum_product(PairwiseModel(moved, model.edges, model.edge_tables))
    slope = (up.log_partition - down.log_partition) / (2 * step)
    assert slope == pytest.approx(sum_product(model).node[2, 1], abs=1e-6)


@given(seeds, st.integers(0, 6), st.integers(2, 3))
def test_tree_reweighted_value_bounds_log_z_from_above(seed, n_extra, n_labels):
    model = random_model(seed, 6, n_labels, n_extra, strength=0.7)
    appearance = edge_appearance(model.n_nodes, model.edges)
    beliefs = sum_product(model, appearance=appearance, max_iterations=2000)
    assert beliefs.converged
    assert beliefs.log_partition >= enumerate_beliefs(model)[2] - 1e-6


@given(seeds, st.integers(0, 6))
def test_appearances_add_up_to_a_spanning_tree(seed, n_extra):
    model = random_model(seed, 7, 2, n_extra)
    appearance = edge_appearance(7, model.edges)
    assert appearance.sum() == pytest.approx(6)
    assert (appearance > 0).all()
    assert (appearance <= 1).all()


@given(seeds, st.integers(2, 3))
def test_huge_scores_neither_overflow_nor_differ(seed, n_labels):
    model = random_model(seed, 5, n_labels, strength=300.0)
    nodes, _, log_z = enumerate_beliefs(model)
    beliefs = sum_product(model)
    assert np.allclose(beliefs.node, nodes, atol=1e-8)
    assert beliefs.log_partition == pytest.approx(log_z)


def test_going_on_from_rest_takes_one_round():
    model = random_model(0, 8, 2, n_extra=3, strength=0.5)
    rest = sum_product(model)
    again = sum_product(model, start=rest.messages)
    assert again.iterations == 1
    assert np.allclose(again.node, rest.node)


def test_messages_that_do_not_rest_are_reported():
    model = random_model(3, 8, 2, n_extra=12, strength=5.0)
    beliefs = sum_product(model, max_iterations=3)
    assert not beliefs.converged
    assert beliefs.iterations == 3
    assert beliefs.residual > 0


def test_a_node_without_links_is_a_softmax():
    model = PairwiseModel(
        np.array([[0.0, np.log(3.0)]]), np.zeros((0, 2), int), np.zeros((0, 2, 2))
    )
    assert np.allclose(sum_product(model).node, [[0.25, 0.75]])
    assert sum_product(model).log_partition == pytest.approx(np.log(4.0))
