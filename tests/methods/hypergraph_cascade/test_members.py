"""A cascade run by hand: where rows leave, what they heard, what they bought."""

import numpy as np
import pytest

from solvers.methods.hypergraph_cascade.calibration import Platt
from solvers.methods.hypergraph_cascade.columns import ExpandedColumns
from solvers.methods.hypergraph_cascade.members import LeafCascade, Member
from solvers.methods.hypergraph_cascade.policies import Policy
from solvers.methods.hypergraph_cascade.routing import FeatureCut, RoutingTree
from solvers.methods.hypergraph_cascade.stages import StageModel, StagePlan

PLAN = StagePlan(np.array([2, 0]), np.array([0, 1, 2]), np.array([0.0, 1.0, 3.0]))
MODELS = (
    StageModel(np.zeros((1, 0)), np.array([0.5])),
    StageModel(np.array([[1.0]]), np.zeros(1)),
    StageModel(np.array([[1.0, 10.0]]), np.zeros(1)),
)
CALIBRATIONS = (Platt(1.0, 0.0), Platt(2.0, 0.1), Platt(3.0, 0.2))
LEAF = LeafCascade((), PLAN, MODELS, CALIBRATIONS)
X = np.array([[0.3, 0.0, -4.0], [0.3, 0.0, 0.5], [-0.2, 0.0, 1.0], [0.1, 0.0, 5.0]])


def _policy(low, high, n_leaves=1):
    bounds = tuple(np.array(low) for _ in range(n_leaves))
    tops = tuple(np.array(high) for _ in range(n_leaves))
    return Policy(0, bounds, tops, 0.0, 1.0, 0.0, 0.0, 0.0)


# Nobody leaves at once; at the second stage rows of |x2| up to 2 go on.
PATIENT = _policy([-np.inf, -2.0, np.inf], [np.inf, 2.0, -np.inf])


def test_rows_leave_at_the_first_stage_whose_bounds_they_are_beyond():
    answers = Member(RoutingTree(), ExpandedColumns(3), (LEAF,)).run(X, PATIENT, 1)
    assert answers.stage.tolist() == [1, 2, 2, 1]
    wanted = [2 * -4.0 + 0.1, 3 * 3.5 + 0.2, 3 * -1.0 + 0.2, 2 * 5.0 + 0.1]
    assert answers.belief[:, 0] == pytest.approx(wanted)


def test_what_a_row_did_not_buy_is_not_looked_at():
    member = Member(RoutingTree(), ExpandedColumns(3), (LEAF,))
    blind = X.copy()
    blind[[0, 3], 0] = np.nan
    blind[:, 1] = np.nan
    one, other = member.run(X, PATIENT, 1), member.run(blind, PATIENT, 1)
    assert (one.belief == other.belief).all()


def test_a_row_that_leaves_at_once_buys_nothing_but_its_route():
    leaf = LeafCascade((1,), PLAN, MODELS, CALIBRATIONS)
    member = Member(RoutingTree(), ExpandedColumns(3), (leaf,))
    assert member.acquired(0, 0).tolist() == [False, True, False]
    assert member.acquired(0, 1).tolist() == [False, True, True]
    assert member.acquired(0, 2).tolist() == [True, True, True]


def test_each_leaf_has_stages_and_bounds_of_its_own():
    tree = RoutingTree((FeatureCut(1, 0.0, -1, -2),), ((1,), (1,)))
    flipped = LeafCascade(
        (1,),
        PLAN,
        tuple(StageModel(-m.coef, -m.intercept) for m in MODELS),
        CALIBRATIONS,
    )
    member = Member(tree, ExpandedColumns(3), (LEAF, flipped))
    rows = X.copy()
    rows[2:, 1] = 1.0
    answers = member.run(rows, _policy(*_bounds(PATIENT), n_leaves=2), 1)
    assert answers.leaf.tolist() == [0, 0, 1, 1]
    alone = Member(RoutingTree(), ExpandedColumns(3), (flipped,)).run(X, PATIENT, 1)
    assert answers.belief[2:] == pytest.approx(alone.belief[2:])


def _bounds(policy):
    return policy.low[0], policy.high[0]


def test_an_expanded_column_is_bought_with_its_feature():
    columns = ExpandedColumns(3, np.array([[-1.0] * 3, [0.0] * 3, [1.0] * 3]))
    plan = StagePlan(np.array([4]), np.array([0, 1]), np.array([0.0, 1.0]))
    leaf = LeafCascade((), plan, MODELS[:2], CALIBRATIONS[:2])
    member = Member(RoutingTree(), columns, (leaf,))
    assert member.acquired(0, 1).tolist() == [False, True, False]
    # The second kind of a feature's columns is its distance from the median.
    rows = np.array([[9.0, -3.0, 9.0]])
    assert member.outputs(rows, 0, 1).tolist() == [[3.0]]


def test_bounds_name_the_stages_at_which_rows_may_leave():
    assert PATIENT.stops == (((1, -2.0, 2.0), (2, np.inf, -np.inf)),)
    at_once = _policy([np.inf, -2.0, np.inf], [-np.inf, 2.0, -np.inf])
    assert at_once.stops == (((0, np.inf, -np.inf),),)
