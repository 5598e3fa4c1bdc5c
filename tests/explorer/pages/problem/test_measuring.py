"""Measured costs are those of the features that are open, and of no others."""

import time

import numpy as np

from explorer.pages.problem.measuring import MeasuringPart
from explorer.session.context import Context
from explorer.session.state import SessionState, bundled
from solvers.features.timing import Measurement
from tests.waiting import until


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
