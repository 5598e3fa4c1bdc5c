"""The frontier page follows the data set, without a browser."""

from dataclasses import replace

from explorer.pages.frontier.page import FrontierPage
from explorer.session.context import Context
from explorer.session.state import SessionState


def test_cost_edits_leave_no_watchers_on_the_budget():
    page = FrontierPage(Context(SessionState()))
    session, state = page.context.session, page.state

    def n_watchers():
        return len(state.param.watchers["budget"]["value"])

    before = n_watchers()
    for cost in range(1, 21):
        data = session.dataset
        session.dataset = replace(data, hypergraph=data.hypergraph.set_cost(0, cost))
    assert n_watchers() == before


def test_the_budget_slider_ends_at_what_everything_costs_now():
    page = FrontierPage(Context(SessionState()))
    session, slider = page.context.session, page._budget
    hypergraph = session.dataset.hypergraph.set_cost(0, 1e3)
    session.dataset = replace(session.dataset, hypergraph=hypergraph)
    assert slider.end == hypergraph.total_cost
    assert slider.value == page.state.budget
    slider.value = slider.end
    assert page.state.budget == hypergraph.total_cost
