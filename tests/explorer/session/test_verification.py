"""What was measured can be taken over, and stands against what was predicted."""

import numpy as np
import pytest

from explorer.session.context import Context
from explorer.session.state import SessionState, bundled
from explorer.session.verification import (
    VerificationPart,
    VerificationPlot,
    verification,
)
from solvers.features.verification import Verification, verifying


@pytest.fixture(scope="module")
def measured():
    """A part that has measured two repeats, and its context."""
    data = bundled("signals")
    context = Context(SessionState(dataset=data))
    mask = np.arange(data.n_features) < 3
    part = VerificationPart(context, lambda: {"Chosen": mask}, "", lambda: 1e-9)
    names = [data.feature_names[j] for j in np.flatnonzero(mask)]
    *_, found = verifying(data.pipeline, [names], data.samples[:4], 2)
    part._show(data, {"Chosen": mask}, found)
    return part, context, found


def test_what_takes_longer_than_the_budget_is_said(measured):
    part, _, _ = measured
    assert "That is over the budget of" in part.about.object
    assert part._use.visible


def test_measured_costs_are_used_in_one_step_of_undo(measured):
    part, context, found = measured
    before = context.session.dataset.hypergraph.component_costs
    part.use_costs()
    costs = context.session.dataset.hypergraph
    wanted = dict(
        zip(
            found.measurement.hypergraph.components,
            found.measurement.hypergraph.component_costs,
            strict=True,
        )
    )
    taken = dict(zip(costs.components, costs.component_costs, strict=True))
    assert taken == pytest.approx({name: wanted[name] for name in taken})
    context.undo_stack.undo()
    assert context.session.dataset.hypergraph.component_costs == pytest.approx(before)
    assert not part._use.visible


def test_what_was_measured_is_let_go_of_with_its_choice_or_its_budget():
    data = bundled("signals")
    asked = {"budget": 5.0, "mask": np.arange(data.n_features) < 3}
    part = VerificationPart(
        Context(SessionState(dataset=data)),
        lambda: {"Chosen": asked["mask"]},
        "",
        lambda: asked["budget"],
    )
    for name, other in (("budget", 6.0), ("mask", ~asked["mask"])):
        part._asked, part.result.visible = part._question(), True
        part.follow()
        assert part.result.visible
        asked[name] = other
        part.follow()
        assert not part.result.visible


def found():
    predicted, measured = np.array([1.0, 4.0]), np.array([1.5, 3.0])
    return Verification(predicted, measured, np.array([0.5, 1.0]), None, 9)


def test_marks_and_spread_lie_within_the_axes_and_on_the_diagonal_both_agree():
    drawn = {
        layer.name: layer.columns for layer in verification(found(), ["a", "b"]).layers
    }
    spread = drawn["spread"]
    assert list(spread["y0"]) == [1.25, 2.5]
    assert list(spread["y1"]) == [1.75, 3.5]
    assert list(drawn["alike"]["x"]) == list(drawn["alike"]["y"])
    assert drawn["alike"]["x"][-1] > max(*spread["y1"], 4.0)


def test_nothing_is_drawn_before_it_was_measured():
    view = VerificationPlot()
    assert not view.figure.renderers
    view.param.update(result=found(), names=["a", "b"])
    assert view.figure.renderers
