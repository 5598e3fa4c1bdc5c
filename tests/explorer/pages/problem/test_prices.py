"""Prices that are typed, and costs that are measured, are those of what is open."""

import time

import numpy as np
import pytest

from explorer.pages.problem.prices import FurtherPrices, MeasuringPart
from explorer.session.context import Context
from explorer.session.state import SessionState, bundled
from solvers.features.timing import Measurement
from tests.waiting import until


@pytest.fixture
def context():
    return Context(SessionState())


@pytest.fixture
def form(context):
    made = FurtherPrices(context.problem)
    made._name.value_input, made._unit.value_input = "energy", "mJ"
    made._add()
    return made


def prices(context):
    return context.session.dataset.hypergraph.prices


def test_an_added_price_reaches_what_is_learned(context, form):
    assert [(one.name, one.unit) for one in prices(context)] == [("energy", "mJ")]
    assert form._table.columns[-1] == "energy (mJ), sum"
    assert form._table.visible
    context.undo_stack.undo()
    assert prices(context) == ()
    assert not form._table.visible


def test_a_picked_components_price_is_typed_and_undone(context, form):
    form._table._handle_msg({"pick": 2})
    name = context.session.dataset.hypergraph.components[2]
    (field,) = form._values.objects
    assert field.value == "0"
    assert field.label == f"energy (mJ) of {name}"
    field.value = "1.5"
    assert prices(context)[0].values[2] == 1.5
    assert form._table.rows[2][-1] == 1.5
    context.undo_stack.undo()
    assert prices(context)[0].values[2] == 0
    assert form._values.objects == [field]
    assert field.value == "0"


def test_to_show_a_long_number_is_not_to_round_it(context, form):
    form._table._handle_msg({"pick": 2})
    form._values.objects[0].value = "1.23456789"
    for row in (0, 2):
        form._table._handle_msg({"pick": row})
    assert prices(context)[0].values[2] == 1.23456789
    assert form._values.objects[0].value == "1.23457"


def test_what_is_refused_is_said_and_changes_nothing(context, form):
    form._table._handle_msg({"pick": 0})
    form._values.objects[0].value = "much"
    assert "'much' is no number" in form._refused.text
    assert form._values.objects[0].value == "0"
    form._name.value_input = "energy"
    form._add()
    assert "Two prices are called 'energy'" in form._refused.text
    assert len(prices(context)) == 1


def test_a_dropped_price_is_gone(context, form):
    form._drops.objects[0].clicks += 1
    assert prices(context) == ()


def measured(dataset):
    graph = dataset.hypergraph
    spread = np.zeros(graph.n_components)
    return Measurement(graph, graph, spread, "a quiet machine", 15, 100, notes=())


def opened(name="signals"):
    context = Context(SessionState(dataset=bundled(name)))
    return MeasuringPart(context, context.problem)


def test_costs_are_set_and_shown_while_their_features_are_open():
    part = opened()
    session = part.context.session
    part._show(measured(session.dataset))
    costs = dict.fromkeys(session.dataset.hypergraph.components, 2.0)
    assert part._problem.set_costs(costs, "us", "Set costs", "Measured here.")
    assert part.result.visible
    part._problem.open_dataset(bundled("digit_images"))
    assert not part.result.visible


def test_what_is_still_measured_is_given_up_when_other_features_are_opened():
    part, steps = opened(), []

    def endless():
        try:
            while True:
                steps.append("measured")
                time.sleep(0.005)
                yield None
        finally:
            steps.append("given up")

    part.job.submit(endless, lambda found: None)
    until(lambda: steps)
    part._problem.open_dataset(bundled("heart"))
    until(lambda: steps[-1] == "given up")
    assert not part.start.visible
