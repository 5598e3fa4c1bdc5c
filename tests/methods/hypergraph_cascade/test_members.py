"""A cascade run by hand: where rows leave, what they heard, what they bought."""

import numpy as np
import pytest

from solvers.methods.hypergraph_cascade import members
from solvers.methods.hypergraph_cascade.members import LeafCascade, Member
from solvers.methods.hypergraph_cascade.routing import FeatureCut, RoutingTree
from solvers.methods.hypergraph_cascade.rows import ExpandedColumns
from solvers.methods.hypergraph_cascade.stages import StageModel, StagePlan
from tests.methods.hypergraph_cascade.by_hand import (
    CALIBRATIONS,
    MODELS,
    PATIENT,
    policy_of,
)

PLAN = StagePlan(np.array([2, 0]), np.array([0, 1, 2]), np.array([0.0, 1.0, 3.0]))

LEAF = LeafCascade((), PLAN, MODELS, CALIBRATIONS)

X = np.array([[0.3, 0.0, -4.0], [0.3, 0.0, 0.5], [-0.2, 0.0, 1.0], [0.1, 0.0, 5.0]])


def test_rows_leave_at_the_first_stage_whose_bounds_they_are_beyond():
    answers = Member(RoutingTree(), ExpandedColumns(3), (LEAF,)).run(X, PATIENT, 1)
    assert answers.stage.tolist() == [1, 2, 2, 1]
    wanted = [2 * -4.0 + 0.1, 3 * 3.5 + 0.2, 3 * -1.0 + 0.2, 2 * 5.0 + 0.1]
    assert answers.belief[:, 0] == pytest.approx(wanted)


def test_many_rows_are_answered_a_part_at_a_time(monkeypatch):
    member = Member(RoutingTree(), ExpandedColumns(3), (LEAF,))
    whole, none = member.outputs(X, 0, 2), member.outputs(X[:0], 0, 2)
    monkeypatch.setattr(members, "ROWS_AT_ONCE", 3)
    assert member.outputs(X, 0, 2) == pytest.approx(whole)
    assert none.shape == (0, 1)


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
    answers = member.run(rows, policy_of(*_bounds(PATIENT), n_leaves=2), 1)
    assert answers.leaf.tolist() == [0, 0, 1, 1]
    alone = Member(RoutingTree(), ExpandedColumns(3), (flipped,)).run(X, PATIENT, 1)
    assert answers.belief[2:] == pytest.approx(alone.belief[2:])


def _bounds(policy):
    return policy.low[0], policy.high[0]
