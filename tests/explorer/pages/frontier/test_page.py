"""The frontier page follows the data set, without a browser."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from explorer.compute.traces import Trace
from explorer.pages.frontier.answer import traced_text, tracing_row
from explorer.pages.frontier.controls import _axes, _menu_note, trade_off_sliders
from explorer.pages.frontier.page import FrontierPage
from explorer.session.context import Context
from explorer.session.declared import link_names
from explorer.session.link import read_page_link, write_page_link
from explorer.session.state import SessionState, bundled
from solvers import Dataset, FeatureHypergraph
from solvers.values.rounding import rounded
from tests.each import each


def behind():
    """The page while another is in front: nothing is traced."""
    return FrontierPage(Context(SessionState(page="problem")))


def test_what_was_asked_for_while_another_page_was_in_front_is_traced_on_return():
    page, asked = behind(), []
    page.state.traces = {"l1": Trace((), is_complete=True)}  # as it was left
    page.traces.submit = lambda *_, **__: asked.append(page.state.p)
    page.state.p = 0.9  # undone, for one
    assert asked == []
    page.context.session.page = "frontier"
    page.start()
    page.start()
    assert asked == [0.9]


def test_cost_edits_leave_no_watchers_on_the_budget():
    page = behind()
    session, state = page.context.session, page.state

    def n_watchers():
        return len(state.param.watchers["budget"]["value"])

    before = n_watchers()
    for cost in range(1, 21):
        data = session.dataset
        session.dataset = replace(data, hypergraph=data.hypergraph.set_cost(0, cost))
    assert n_watchers() == before


def test_the_budget_slider_ends_at_what_everything_costs_now():
    page = behind()
    session, slider = page.context.session, page._budget
    hypergraph = session.dataset.hypergraph.set_cost(0, 1e3)
    session.dataset = replace(session.dataset, hypergraph=hypergraph)
    assert slider.end == hypergraph.total_cost
    assert slider.value == page.state.budget
    slider.value = slider.end
    assert page.state.budget == hypergraph.total_cost


def test_a_typed_budget_is_in_the_unit_of_what_is_paid():
    page = behind()
    field, data = page._typed_budget, page.context.session.dataset
    assert field.label == "Budget (µs)"
    paid = replace(data, hypergraph=replace_unit(data.hypergraph, "CAD"))
    page.context.session.dataset = paid
    assert field.label == "Budget (CAD)"
    field.value = 3.25
    assert page.state.budget == page._budget.value == 3.25


def test_a_budget_that_is_shown_rounded_is_not_rounded():
    page = behind()
    page.state.budget = 12.34567
    assert page._typed_budget.value == 12.35
    assert page.state.budget == 12.34567


def in_dollars(data):
    return replace(data, hypergraph=replace_unit(data.hypergraph, "CAD"))


@each("is_tuned", [True, False])
@each(
    ("chosen", "other", "left"),
    [
        ({"charge": "one_row"}, in_dollars, {"charge": "features"}),
        (
            {"score": "sensitivity_at_specificity"},
            lambda _: bundled("thyroid"),
            {"score": "f1"},
        ),
    ],
)
def test_what_other_data_do_not_have_gives_way_whether_the_drawer_was_opened_or_not(
    is_tuned, chosen, other, left
):
    page = behind()
    if is_tuned:
        _axes(page.state)
    page.state.param.update(**chosen)
    page.context.session.dataset = other(page.context.session.dataset)
    assert {name: getattr(page.state, name) for name in left} == left


def test_lambda_is_out_of_reach_where_no_ticked_method_is_solved_at_it():
    page = behind()
    trade_off, _ = trade_off_sliders(page.state)
    assert not trade_off.disabled
    page.state.methods = ["csdt"]
    assert trade_off.disabled
    page.state.methods = ["csdt", "l1"]
    assert not trade_off.disabled


def test_p_is_out_of_reach_where_no_ticked_method_or_penalty_has_it():
    page = behind()
    _, p = trade_off_sliders(page.state)
    assert not p.disabled
    page.state.penalty = "mcp"
    assert p.disabled
    page.state.param.update(penalty="lp", methods=["csdt", "l1"])
    assert p.disabled
    page.state.methods = ["csdt", "acafh"]
    assert not p.disabled


def test_a_budget_that_cannot_be_is_the_nearest_that_can():
    page = behind()
    field = page._typed_budget
    for typed in ("1e9", "", "2e9"):  # the last from the end already
        field._text.value = typed
        assert page.state.budget == field.end
        assert field.value == rounded(field.end, 4)
    field._text.value = "-1"
    assert page.state.budget == field.end
    assert "0 or more" in field._text.helper_text


def replace_unit(hypergraph, unit):
    return FeatureHypergraph(
        hypergraph.incidence,
        hypergraph.component_costs,
        hypergraph.features,
        hypergraph.components,
        unit=unit,
    )


@each("positive", [None, "<b>"])
def test_of_many_classes_it_says_whose_f1_is_shown(positive):
    y = np.resize(["<b>", "b", "c"], 12)
    prices = FeatureHypergraph.independent([1.0, 2.0])
    data = Dataset("x", np.zeros((12, 2)), y, prices, positive=positive)
    said = "that of &lt;b&gt; against the others" if positive else "the mean over"
    assert f"F1 is {said}" in _menu_note(data)


def test_the_row_of_progress_says_what_is_traced():
    traces = {"l1": Trace((None,) * 3, True), "csdt": Trace((None,), True)}
    state = SimpleNamespace(methods=["l1", "acafh"], traces=traces)
    told = "3 models traced, of 1 method. Not traced to the end: ACAFH."
    assert traced_text(state) == told
    assert traced_text(state, goes_on=True) == "3 models traced, of 1 method."
    state.methods = ["csdt"]
    assert traced_text(state) == "1 model traced, of 1 method."
    state.methods = ["acafh"]
    assert traced_text(state) == ""
    assert "3 models" in tracing_row(behind().traces, "3 models traced")[0].object


def test_a_figure_that_a_link_asks_for_is_computed_and_another_one_not():
    page = behind()
    part, asked = page.figures, []
    part.job.submit = lambda *_, **__: asked.append(part.state.figure)
    link = link_names(type(page.state))
    read_page_link("?figure=8", page.state, link)
    assert not asked
    read_page_link("?figure=10&compute=yes", page.state, link)
    assert asked == ["10"]
    # It stands in the link of the page until another figure is chosen.
    assert "compute=yes" in write_page_link(page.state, link)
    page.state.figure = "8"
    assert "compute=no" in write_page_link(page.state, link)
    assert len(asked) == 1
