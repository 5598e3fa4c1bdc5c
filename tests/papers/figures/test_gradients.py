"""All orders of multiplication give one gradient, and are counted as they are."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import block_array, csgraph

from solvers import FeatureHypergraph
from solvers.datasets import make_gaussian
from solvers.papers.figures.gradients import ORDERS, BlockShapes
from tests.each import each
from tests.strategies import hypergraphs

# Python's own objects beside the arrays that are counted.
OVERHEAD = 0.1


def reference(hypergraph, halves, target, rho):
    """The gradient by central differences of the term itself."""
    H = hypergraph.incidence.toarray().astype(float)
    P = np.hstack([H, H])

    def value(B):
        return rho / 2 * np.sum((P @ B - target) ** 2)

    steps = 0.5 * np.eye(len(halves))  # exact for a quadratic
    return np.array([value(halves + e) - value(halves - e) for e in steps])


@given(hypergraphs(), st.integers(0, 99))
def test_all_orders_give_the_gradient(hypergraph, seed):
    rng = np.random.default_rng(seed)
    halves = rng.random(2 * hypergraph.n_features)
    target = rng.random(hypergraph.n_components)
    expected = reference(hypergraph, halves, target, 0.7)
    for order in ORDERS:
        found = order.prepared(hypergraph)(halves, target, 0.7)
        assert found == pytest.approx(expected, abs=1e-9)


def test_orders_agree_on_a_generated_problem():
    hypergraph = make_gaussian(0.005, 150, 100).hypergraph
    rng = np.random.default_rng(0)
    halves, target = rng.random(300), rng.random(300)
    first, *others = (o.prepared(hypergraph)(halves, target, 2.0) for o in ORDERS)
    for other in others:
        assert other == pytest.approx(first, abs=1e-9)


@given(hypergraphs())
def test_blocks_are_the_connected_components(hypergraph):
    H = hypergraph.incidence.astype(float)
    expected, labels = csgraph.connected_components(
        block_array([[None, H], [H.T, None]])
    )
    shapes = BlockShapes.of(hypergraph)
    assert shapes.n_blocks == expected
    sizes = np.bincount(labels[hypergraph.n_components :], minlength=expected)
    assert shapes.largest == sizes.max()
    assert shapes.n_components.sum() == hypergraph.n_components


def test_one_block_makes_cafh_and_acafh_the_same_work():
    shapes = BlockShapes.of(FeatureHypergraph([[1, 1, 1], [1, 0, 0]], [1.0, 1.0]))
    whole, _, blocks, _, _ = (order.n_products(shapes) for order in ORDERS)
    assert whole == blocks == 2 * 6**2 + 6**2 + 2 * 6


def test_features_apart_are_counted_block_by_block():
    shapes = BlockShapes.of(FeatureHypergraph.independent([1.0, 1.0, 1.0]))
    whole, bracketed, blocks, both, ours = (o.n_products(shapes) for o in ORDERS)
    assert whole == 3 * 36 + 36 + 3 * 6
    assert bracketed == 2 * 3 * 6
    assert blocks == 3 * (1 * 4 + 4 + 1 * 2)
    assert both == 3 * (2 * 2)
    assert ours == 2 * 3


@each("order", ORDERS, ids=lambda order: order.title)
def test_counted_bytes_are_those_that_are_allocated(order):
    hypergraph = make_gaussian(0.005, 400, 100).hypergraph
    shapes = BlockShapes.of(hypergraph)
    assert shapes.largest > 200  # else the many small blocks are all overhead
    halves, target = np.ones(800), np.ones(800)
    order.prepared(hypergraph)(halves, target, 1.0)  # what is cached does not count
    tracemalloc.start()
    gradient = order.prepared(hypergraph)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.reset_peak()
    slope = gradient(halves, target, 1.0)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert slope.shape == (800,)
    assert kept < peak
    assert peak == pytest.approx(order.n_bytes(shapes), rel=OVERHEAD, abs=20_000)
