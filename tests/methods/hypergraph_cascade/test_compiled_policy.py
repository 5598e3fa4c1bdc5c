"""What is made ready for one sample: names to read, and each stage's own answer."""

import numpy as np
import pytest

from solvers.methods.hypergraph_cascade.deciding import compile_policy
from solvers.methods.hypergraph_cascade.members import LeafCascade, Member
from solvers.methods.hypergraph_cascade.routing import RoutingTree
from solvers.methods.hypergraph_cascade.rows import ExpandedColumns
from solvers.methods.hypergraph_cascade.stages import StagePlan
from tests.methods.hypergraph_cascade.by_hand import (
    CALIBRATIONS,
    MODELS,
    PATIENT,
    policy_of,
)

PLAN = StagePlan(np.array([2, 0]), np.array([0, 1, 2]), np.array([0.0, 1.0, 3.0]))
NAMES = ("a", "b", "c")
ANYWHERE = policy_of([-1.0, -2.0, np.inf], [1.0, 2.0, -np.inf])


def compiled(policy, route=()):
    """The way of the only leaf."""
    leaf = LeafCascade(route, PLAN, MODELS, CALIBRATIONS)
    member = Member(RoutingTree(), ExpandedColumns(3), (leaf,))
    (way,) = compile_policy(member, policy, NAMES)
    return way


def test_a_stage_at_which_nobody_leaves_is_left_out():
    points = [step[0] for step in compiled(PATIENT).steps]
    assert [(point.stage, point.names) for point in points] == [
        (1, ("c",)),
        (2, ("a",)),
    ]
    assert (points[0].low, points[0].high) == (-2.0, 2.0)


def test_what_the_route_has_computed_is_not_computed_again():
    way = compiled(PATIENT, route=(2,))
    assert way.route == (2,)
    assert [step[0].names for step in way.steps] == [(), ("a",)]
    assert [step[0].n_known for step in way.steps] == [2, 3]


@pytest.mark.parametrize("route", [(), (1,), (0,)])
def test_each_stage_answers_as_its_model_does(route):
    row, way = np.array([0.3, 0.7, -4.0]), compiled(ANYWHERE, route)
    known = way.first.copy()
    at = 1 + len(route)
    known[1:at] = row[list(route)]
    for point, *_, answer, _low, _high in way.steps:
        stop = at + len(point.features)
        known[at:stop] = row[list(point.features)]
        at = stop
        bought = PLAN.columns[: PLAN.ends[point.stage]]
        model = MODELS[point.stage]
        expected = model.coef @ row[bought] + model.intercept
        assert answer(known, np.zeros(1)) == pytest.approx(expected)
