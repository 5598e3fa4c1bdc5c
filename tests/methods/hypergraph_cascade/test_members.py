"""A cascade run by hand, the bounds that it keeps, and its trees as nodes."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import HistGradientBoostingClassifier

from solvers.decisions.basket import Basket, FeatureValues
from solvers.decisions.machine import prepared_nodes, run_policy
from solvers.decisions.program import node_data
from solvers.errors import DeployError
from solvers.methods.hypergraph_cascade import members
from solvers.methods.hypergraph_cascade.members import (
    LeafCascade,
    Member,
    amid,
    boosted_parts,
)
from solvers.methods.hypergraph_cascade.routing import FeatureCut, RoutingTree
from solvers.methods.hypergraph_cascade.rows import ExpandedColumns
from solvers.methods.hypergraph_cascade.stages import StageModel, StagePlan
from tests.each import each
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


SCORES = st.lists(st.integers(-8, 8), min_size=1, max_size=8, unique=True).map(
    lambda drawn: np.sort(np.array(drawn, dtype=float))
)


@given(SCORES, st.floats(-10, 10, allow_subnormal=False))
@settings(max_examples=50)
def test_no_score_changes_sides_of_a_bound_that_parts_them(scores, bound):
    if np.abs(scores - bound).min() < 1e-6:
        return
    assert ((scores > amid(bound, scores)) == (scores > bound)).all()


@given(SCORES, st.floats(-8, 8))
@settings(max_examples=50)
def test_a_bound_between_scores_is_seated_in_the_middle_of_their_gap(scores, bound):
    if scores[0] <= bound <= scores[-1]:
        assert np.abs(scores - amid(bound, scores)).min() >= 0.5


def test_scores_that_differ_by_rounding_are_not_parted():
    scores = np.array([0.3, 0.1 + 0.2, 1.0])
    scores.sort()
    assert amid(float(scores[1]), scores) == (scores[1] + 1.0) / 2


def test_a_bound_on_the_last_score_goes_above_it_and_on_the_first_below_it():
    assert amid(2.0, np.array([1.0, 2.0])) == 1.5
    assert amid(2.0 + 1e-12, np.array([1.0, 2.0])) == 3.0
    assert amid(1.0, np.array([1.0, 2.0])) == 0.0


def test_what_is_as_sure_as_can_be_is_beyond_every_bound():
    assert amid(25.0, np.array([1.0, 2.0])) == np.inf
    assert amid(-25.0, np.array([1.0, 2.0])) == -np.inf


MANY = np.random.default_rng(0).normal(size=(200, 3))


@each("n_classes", [2, 3])
def test_parts_add_up_to_the_decision(n_classes):
    y = np.digitize(MANY[:, 0] + MANY[:, 1], [-0.5, 0.5][: n_classes - 1])
    model = HistGradientBoostingClassifier(max_iter=3).fit(MANY, y)
    sums, trees = boosted_parts(model, ["a", "b", "c"], begin=0)
    nodes = [node_data(node, str, str) for node in trees]
    ready = prepared_nodes(nodes, sums.parts, 0, {}, {}, {})
    for row, said in zip(MANY, model.decision_function(MANY), strict=True):
        basket = Basket(FeatureValues(dict(zip("abc", row, strict=True))))
        found = run_policy(ready, sums.parts, len(sums.base), basket)
        assert np.add(found, sums.base) == pytest.approx(np.atleast_1d(said))


def test_sets_of_categories_are_refused():
    frame = pd.DataFrame({"kind": pd.Categorical(list("abcd") * 50)})
    y = frame["kind"].isin(["a", "c"])
    model = HistGradientBoostingClassifier(
        max_iter=1, categorical_features="from_dtype"
    ).fit(frame, y)
    with pytest.raises(DeployError, match="cut sets of categories"):
        boosted_parts(model, ["kind"], 0)
