"""An expanded column is bought with its feature."""

import numpy as np

from solvers.methods.hypergraph_cascade.members import LeafCascade, Member
from solvers.methods.hypergraph_cascade.routing import RoutingTree
from solvers.methods.hypergraph_cascade.rows import ExpandedColumns
from solvers.methods.hypergraph_cascade.stages import StagePlan
from tests.methods.hypergraph_cascade.by_hand import CALIBRATIONS, MODELS


def test_an_expanded_column_is_bought_with_its_feature():
    columns = ExpandedColumns(3, np.array([[-1.0] * 3, [0.0] * 3, [1.0] * 3]))
    plan = StagePlan(np.array([4]), np.array([0, 1]), np.array([0.0, 1.0]))
    leaf = LeafCascade((), plan, MODELS[:2], CALIBRATIONS[:2])
    member = Member(RoutingTree(), columns, (leaf,))
    assert member.acquired(0, 1).tolist() == [False, True, False]
    # The second kind of a feature's columns is its distance from the median.
    rows = np.array([[9.0, -3.0, 9.0]])
    assert member.outputs(rows, 0, 1).tolist() == [[3.0]]


def test_kinds_of_columns_are_the_feature_a_fold_and_two_hinges():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((50, 2)).astype(np.float32)
    low, middle, high = knots = np.array([[-0.5, -1.0], [0.1, 0.2], [0.6, 0.9]])
    columns, before = ExpandedColumns(2, knots), X.copy()
    wanted = np.hstack(
        [X, np.abs(X - middle), np.maximum(X - high, 0), np.maximum(low - X, 0)]
    )
    chosen = rng.permutation(8)
    np.testing.assert_array_equal(columns.table(X, chosen), wanted[:, chosen])
    np.testing.assert_array_equal(X, before)  # rows are left as they are
