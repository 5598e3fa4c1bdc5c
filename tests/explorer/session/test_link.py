"""A link restores every scalar choice and every knob, and nothing else."""

import dataclasses

import param
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.document.recipes import DataRecipe, made, recipe_of
from explorer.pages.frontier.state import FrontierState
from explorer.session.link import (
    knob_text,
    knob_value,
    read_link,
    read_page_link,
    write_link,
    write_page_link,
)
from explorer.session.state import DEFAULT_DATASET, SessionState, bundled
from solvers import Choice, Number, Switch
from solvers.datasets import make_sources
from tests.each import each
from tests.fuzz.refusal import is_one_sentence


@pytest.fixture(scope="module")
def data():
    return bundled("breast_cancer")


def opened(data):
    return SessionState(dataset=data), FrontierState(dataset=data)


def test_a_link_restores_every_scalar_choice(data):
    session, frontier = opened(data)
    frontier.param.update(
        alpha=0.02,
        p=0.35,
        penalty="scad",
        accounting="p95",
        threshold="default",
        refit=False,
        budget=3.5,
        methods=["l1", "acafh"],
    )
    other_session, other = opened(data)
    read_link(write_link(session, frontier), other_session, other)
    for name in ("alpha", "p", "penalty", "accounting", "threshold", "refit", "budget"):
        assert getattr(other, name) == pytest.approx(getattr(frontier, name)), name
    assert set(other.methods) == {"l1", "acafh"}


def test_a_link_opens_a_bundled_data_set(data):
    session, frontier = opened(data)
    read_link("?data=sources", session, frontier)
    assert session.dataset.name == "sources"


@each(
    "query",
    [
        "?p=7", "?p=nan", "?p=x", "?lambda=-1", "?lambda=1e9", "?penalty=../../etc",
        "?accounting=<script>", "?methods=,,nothing", "?data=/etc/hosts", "?refit=no!",
        "?" + "a" * 10_000, "?budget=1e400", "?p=0.5" + "&x=1" * 30,
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_left_out(data, query):
    session, frontier = opened(data)
    before = write_link(session, frontier)
    read_link(query, session, frontier)
    assert write_link(session, frontier) == before


@given(st.text(max_size=200))
def test_no_link_breaks_a_session(data, query):
    session, frontier = opened(data)
    read_link("?" + query, session, frontier)
    assert 0 <= frontier.p <= 1


def test_a_budget_beyond_everything_buys_everything(data):
    session, frontier = opened(data)
    read_link("?budget=1e9", session, frontier)
    assert frontier.budget == pytest.approx(data.hypergraph.total_cost)


class PageState(param.Parameterized):
    threshold = param.Number(default=0.5, bounds=(0, 1))
    budget = param.Integer(default=3, bounds=(0, 9))
    order = param.Selector(default="alone", objects=["alone", "value"])
    stepped = param.Boolean(default=False)


LINK = {"threshold": "T", "budget": "B", "order": "order", "stepped": "stepped"}


@given(
    st.floats(0, 1),
    st.integers(0, 9),
    st.sampled_from(["alone", "value"]),
    st.booleans(),
)
def test_a_link_restores_every_scalar_of_a_page(threshold, budget, order, stepped):
    state = PageState(threshold=threshold, budget=budget, order=order, stepped=stepped)
    other = PageState()
    read_page_link("?page=x" + write_page_link(state, LINK), other, LINK)
    assert other.threshold == pytest.approx(threshold, rel=1e-5)
    assert (other.budget, other.order, other.stepped) == (budget, order, stepped)


@each("query", ["?T=2", "?T=x", "?B=2.5e3", "?order=<b>", "?stepped=1", "?T=nan&B="])
def test_what_makes_no_sense_on_a_page_is_left_out(query):
    state = PageState()
    read_page_link(query, state, LINK)
    assert write_page_link(state, LINK) == write_page_link(PageState(), LINK)


@given(st.text(max_size=200))
def test_no_link_breaks_a_page(query):
    state = PageState()
    read_page_link("?T=" + query, state, LINK)
    assert 0 <= state.threshold <= 1


def test_each_value_that_does_not_fit_is_told_in_a_sentence_and_the_rest_is_used(data):
    session, frontier = opened(data)
    query = "?page=nowhere&p=7&penalty=<b>&methods=l1,zzz&lambda=0.5&refit=no"
    refused = read_link(query, session, frontier, ["frontier", "cascade"])
    assert [text.split(" is ")[0] for text in refused] == [
        "The link's page=nowhere", "The link's methods=l1,zzz", "The link's p=7",
        "The link's penalty=<b>",
    ]  # fmt: skip
    assert all(map(is_one_sentence, refused))
    assert "from 0 to 1" in refused[2]
    assert "lp, mcp, scad" in refused[3]
    assert (session.page, frontier.methods) == ("frontier", ["l1"])
    assert (frontier.alpha, frontier.refit) == (0.5, False)


def test_a_link_of_many_fields_is_read_to_its_end(data):
    session, frontier = opened(data)
    query = "?" + "&".join(f"k{k}=1" for k in range(41)) + "&p=0.25"
    assert read_link(query, session, frontier) == []
    assert frontier.p == 0.25


def test_a_link_carries_numbers_to_the_last_bit(data):
    session, frontier = opened(data)
    frontier.param.update(alpha=1 / 3, budget=0.1 * data.hypergraph.total_cost)
    other_session, other = opened(data)
    read_link(write_link(session, frontier), other_session, other)
    assert (other.alpha, other.budget) == (frontier.alpha, frontier.budget)


def test_a_link_carries_that_no_method_is_ticked(data):
    session, frontier = opened(data)
    frontier.methods = []
    other_session, other = opened(data)
    read_link(write_link(session, frontier), other_session, other)
    assert other.methods == []


def test_a_link_carries_how_large_a_data_set_was_made():
    recipe = DataRecipe("sources", {"n_samples": 500})
    data = made(make_sources(n_samples=500), recipe)
    session, frontier = opened(data)
    other, fresh = SessionState(), FrontierState(dataset=bundled("signals"))
    assert read_link(write_link(session, frontier), other, fresh) == []
    assert recipe_of(other.dataset) == recipe
    assert (other.dataset.X == data.X).all()


@each("sizes", ["n_samples:1e9", "x:1", "n_samples", ",:,", "n:nan"])
def test_sizes_that_no_maker_takes_are_told(sizes):
    session = SessionState()
    (refused,) = read_link(f"?data=sources&made={sizes}", session, FrontierState())
    assert is_one_sentence(refused)
    assert session.dataset.name == DEFAULT_DATASET


def test_a_table_of_ones_own_is_not_taken_for_a_bundled_one_of_its_name(data):
    own = dataclasses.replace(data, X=data.X.copy())
    assert "data=" not in write_link(*opened(own))


SHARE = Number("Share", 0.0, 1.0)
COUNT = Number("Count", 1, 1000, integer=True, optional=True)


@given(st.floats(allow_nan=False))
def test_any_number_comes_back_to_the_last_bit(value):
    assert knob_value(knob_text(value), SHARE) == value


@given(st.integers(-(10**9), 10**9))
def test_whole_numbers_come_back_whole(value):
    back = knob_value(knob_text(value), COUNT)
    assert back == value
    assert type(back) is int


@each(
    ("value", "knob", "text"),
    [
        (True, Switch("Refit"), "yes"),
        (False, Switch("Refit"), "no"),
        (None, COUNT, "none"),
        (1.0, SHARE, "1"),
        (2.5, SHARE, "2.5"),
        ("lp", Choice("Penalty", ("lp", "mcp")), "lp"),
        ("none", Choice("Penalty", ("none", "mcp")), "none"),
    ],
)
def test_values_are_written_short_and_read_back(value, knob, text):
    assert knob_text(value) == text
    assert knob_value(text, knob) == value


def test_what_is_no_value_is_left_to_the_knob_or_refused():
    assert knob_value("perhaps", Switch("Refit")) == "perhaps"
    assert knob_value("2.5", COUNT) == 2.5
    with pytest.raises(ValueError, match="much"):
        knob_value("much", SHARE)
