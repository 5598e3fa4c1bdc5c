"""Small things that the screen once said or showed wrongly."""

import numpy as np
import pytest

from explorer.app import Explorer
from explorer.figures import frontier, hypergraph
from explorer.pages.cascade.curves import CascadeTradeoff
from explorer.pages.cascade.state import CascadeState
from explorer.pages.frontier.controls import trade_off_sliders
from explorer.pages.frontier.hypergraph_view import MAX_TERMS, HypergraphView, sum_text
from explorer.pages.frontier.page import FrontierPage
from explorer.pages.frontier.state import FrontierState
from explorer.pages.problem.data import DataPart
from explorer.session.context import Context
from explorer.session.data_dialog import DataDialog
from explorer.session.state import SessionState, bundled
from explorer.widgets.text import cost_text
from solvers import FeatureHypergraph
from tests.each import each
from tests.explorer.worlds import own_table


@pytest.fixture
def context():
    return Context(SessionState(dataset=bundled("breast_cancer")))


@each("tooltips", [frontier.TOOLTIPS, hypergraph.TOOLTIPS])
def test_labels_of_tooltips_are_text_and_costs_have_their_unit(tooltips):
    assert not any("@" in label for label, _ in tooltips)
    assert dict(tooltips)["cost"] == "@cost"


def test_features_that_are_counted_have_no_decimals():
    assert cost_text(18.0, "features") == "18 features"
    assert cost_text(1.0, "features") == "1 feature"
    assert cost_text(1.5, "features") == "1.50 features"


def test_p_rests_while_a_penalty_without_p_is_chosen(context):
    page = FrontierPage(context)
    _, slider = trade_off_sliders(page.state)
    assert not slider.disabled
    page.state.penalty = "mcp"
    assert slider.disabled


def test_a_dialog_that_opens_again_has_forgotten_what_it_refused(context):
    dialog = DataDialog(context)
    dialog.open()
    dialog.job.message = "Table is too large."
    dialog._table.value = b"refused"
    dialog.open()
    assert dialog.job.message == ""
    assert dialog._table.value is None
    assert not dialog._mapping.visible


def test_the_data_set_on_the_problem_page_is_the_one_that_is_open(context):
    part = DataPart(context, context.problem)
    context.session.dataset = bundled("signals")
    assert part._name.value == "signals"
    context.session.dataset = own_table()
    assert part._now.object == "<p>Open now: own.</p>"


def test_an_empty_drawing_disagrees_with_nothing(context):
    problem = context.problem
    drawing = problem.editor.drawing
    nodes = [*drawing.component_ids, *drawing.feature_ids]
    problem.editor.receive({"op": "delete", "nodes": nodes})
    assert problem.editor.drawing.feature_ids == ()
    assert problem.disagreement == ""


def test_nothing_is_said_of_a_point_before_there_is_one():
    state = FrontierState(dataset=bundled("signals"))
    view = HypergraphView(state=state)
    assert "No point is chosen yet." in view._text.object
    assert "Nothing is computed" not in view._text.object


def test_no_ring_stands_at_zero_before_a_cascade_is_trained():
    assert not len(CascadeTradeoff(state=CascadeState())._shown["here"])


def test_the_list_of_data_sets_shows_a_drawing_that_is_open(context):
    part = DataPart(context, context.problem)
    context.session.dataset = own_table()
    shown = {value: label for label, value in part._name.options.items()}
    assert shown[part._name.value] == "own (open now)"
    assert part._sliders.objects == []
    context.session.dataset = bundled("signals")
    assert "own (open now)" not in part._name.options


def test_a_page_that_has_come_ends_the_sign_that_it_is_coming():
    app = Explorer()
    before = app._browser.turned
    app.session.page = "lessons"
    assert (app._browser.front, app._browser.turned) == ("Lessons", before + 1)
    app.visit("?page=lessons&lesson=order")  # where one is already
    assert app._browser.turned == before + 2


def test_one_more_component_is_told_in_the_singular():
    graph = FeatureHypergraph.independent([1.0] * (MAX_TERMS + 1))
    told = sum_text(graph, np.ones(graph.n_features, dtype=bool))
    assert told.endswith("1.00 for 1 more component.")
