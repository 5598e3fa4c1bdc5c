"""Each order and each method is timed once, on the blocks that there are."""

import numpy as np
import pytest

from solvers.datasets import make_gaussian
from solvers.methods.l1 import L1Classifier
from solvers.papers.figures.gradients import ORDERS
from solvers.papers.figures.timing import (
    GRADIENT,
    TRAINING,
    gradient_rows,
    trained_as,
    training_rows,
)


@pytest.fixture(scope="module")
def data():
    return make_gaussian(0.1, 12, 200)


def test_every_order_of_multiplication_is_timed(data):
    rows = list(gradient_rows(data.hypergraph, 0.1, 1, 0))
    assert [row.procedure for row in rows] == [order.title for order in ORDERS]
    n_blocks = len(set(data.hypergraph.connected_components()[1]))
    assert {(row.what, row.n_blocks) for row in rows} == {(GRADIENT, n_blocks)}
    assert all(row.seconds > 0 and row.products > 0 for row in rows)


def test_a_training_has_no_products_and_leaves_the_method_alone(data):
    method = L1Classifier()
    (row,) = training_rows({"L1": method}, data.X, data.y, data.hypergraph, 0.1, 1)
    assert (row.what, row.procedure, row.n_samples) == (TRAINING, "L1", 200)
    assert np.isnan(row.products)
    assert method.hypergraph is None


def test_both_procedures_are_trained_for_both_of_the_paper_s_p():
    found = {(one.p, one.decompose) for one in trained_as().values()}
    assert found == {(p, whole) for p in (1 / 2, 2 / 3) for whole in (True, False)}
