"""What was measured can be taken over, and is held against the budget."""

import numpy as np
import pytest

from explorer.session.context import Context
from explorer.session.state import SessionState, bundled
from explorer.session.verification import VerificationPart
from solvers.features.verification import verifying


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
