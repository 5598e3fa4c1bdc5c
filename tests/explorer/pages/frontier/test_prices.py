"""Another price is charged, others are limited: on screen, in link, session, script."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given

from explorer.pages.frontier.answer import summary_text
from explorer.pages.frontier.controls import PricesPart
from explorer.pages.frontier.queries import TRACES
from explorer.pages.frontier.state import FrontierState
from explorer.pages.frontier.take_away import frontier_script
from explorer.session.link import read_link, write_link
from explorer.session.saved_drawing import graph_text, read_graph_text
from explorer.session.state import SessionState, bundled, opening_budget
from explorer.widgets.text import cost_text
from solvers import ComponentPrices
from tests.costs.test_prices import priced_hypergraphs
from tests.explorer.worlds import own_table


@pytest.fixture
def state():
    found = FrontierState(dataset=bundled("heart"), methods=["static_prefix"])
    found.budget = 120.0
    return found


def traced(state):
    TRACES.answer(state)
    return state


def priced_table():
    """Time is charged, energy is known as well."""
    table = own_table(200)
    energy = ComponentPrices("energy", [1.0, 8.0], "mJ")
    hypergraph = dataclasses.replace(table.hypergraph, prices=[energy])
    return dataclasses.replace(table, hypergraph=hypergraph)


def test_a_limit_takes_what_exceeds_it_off_the_offer(state):
    traced(state)
    state.limits = {"delay": 0.0, "unknown": 3.0}
    assert set(bundled("heart").feature_names) - set(state.dataset.feature_names) == {
        "chol",
        "fbs",
    }
    assert state.traces == {}
    assert state.budget == 120.0
    traced(state)
    chosen = state.chosen().point
    assert chosen.prices["delay"]["max"] == 0
    assert state.axes().limits == {"delay": 0.0}
    assert "Beside that: no delay." in summary_text(state)
    state.limits = {}
    assert state.dataset is bundled("heart")


def test_a_budget_that_nothing_keeps_is_told_with_its_limits(state):
    state.limits = {"delay": 0.0}
    state.budget = 0.0
    traced(state)
    frontier = state.frontier()
    least = min(frontier.held(point) for point in frontier.points)
    assert summary_text(state) == (
        "No method has a point within 0 CAD and no delay, the least costs "
        f"{cost_text(least, 'CAD')}; raise the budget or a limit."
    )


def test_another_price_is_charged_at_the_same_share_of_the_budget():
    state = FrontierState(dataset=priced_table())
    state.budget = state.dataset.hypergraph.total_cost / 5
    state.price = "energy"
    assert (state.dataset.unit, state.budget) == ("mJ", pytest.approx(9.0 / 5))
    assert state.dataset.hypergraph.price("cost").values.tolist() == [3.0, 0.5]
    state.price = ""
    assert state.dataset.unit == "us"


def test_a_limit_that_leaves_nothing_is_refused_in_a_sentence():
    state = FrontierState(dataset=priced_table())
    state.limits = {"energy": 0.5}
    assert state.refused.startswith("No feature stays within energy 0.5; raise")
    assert state.dataset.n_features == 3
    state.limits = {"energy": 1.0}
    assert (state.refused, state.dataset.n_features) == ("", 2)


def test_a_link_carries_price_and_limits(state):
    session = SessionState(dataset=bundled("heart"))
    state.limits = {"delay": 0.0}
    link = write_link(session, state)
    assert "data=heart" in link
    assert "limits=delay:0.0" in link
    other, frontier = SessionState(), FrontierState(dataset=bundled("heart"))
    assert read_link(link, other, frontier) == []
    assert frontier.dataset.n_features == 11


def test_the_controls_are_there_where_there_are_prices(state):
    part = PricesPart(state=state)
    (limit,) = part._fields.values()
    assert limit.label == "Limit on delay"
    limit.value = 0.0
    assert state.limits == {"delay": 0.0}
    limit.value = None
    assert state.limits == {}
    state.open_dataset(priced_table())
    price = part._column.objects[0]
    assert price.options == {"cost (µs)": "cost", "energy (mJ)": "energy"}
    price.value = "energy"
    assert state.dataset.unit == "mJ"
    assert [*part._fields] == ["cost"]
    state.open_dataset(bundled("breast_cancer"))
    assert part._column.objects == []


def test_another_table_opens_with_a_budget_of_what_is_charged_of_it():
    state = FrontierState(dataset=bundled("breast_cancer"), price="energy")
    state.open_dataset(priced_table())
    assert state.dataset.unit == "mJ"
    assert state.budget == opening_budget(state.dataset)


def test_the_script_names_price_and_limits():
    table = priced_table()
    state = FrontierState(dataset=table, price="energy", limits={"cost": 2.5})
    text = frontier_script(state, SessionState(dataset=table))
    assert "dataset = charging(dataset, 'energy')" in text
    assert "    limits={'cost': 2.5},\n" in text
    assert "dataset = within_limits(dataset, {'cost': 2.5})" in text


def test_the_script_gives_the_point_on_screen(state, capsys):
    state.limits = {"delay": 0.0}
    traced(state)
    session = SessionState(dataset=bundled("heart"))
    text = frontier_script(state, session)
    exec(compile(text, "view.py", "exec"), {"__name__": "__main__"})
    printed = capsys.readouterr().out
    chosen = state.chosen().point
    assert f"f1 {chosen.scores['test']['f1']:.3f} on test rows" in printed
    names = np.array(state.dataset.feature_names)[chosen.features]
    assert all(f"\n    {name}\n" in printed for name in names)


@given(priced_hypergraphs())
def test_a_link_to_a_drawing_carries_prices(hypergraph):
    names = [price.name + price.unit for price in hypergraph.prices]
    text = graph_text(hypergraph)
    if text is not None and all(name.isprintable() for name in names):
        assert read_graph_text(text).equals(hypergraph)
