"""Described features find their columns by name, and where they disagree it is said."""

import pytest

from solvers import FeatureHypergraph
from solvers.datasets.table.prices import (
    match,
    price_columns,
    prices_given,
    with_names_of,
)
from solvers.errors import DataError, HypergraphError
from tests.each import each

PRICES = FeatureHypergraph(
    [[1, 1, 0], [0, 0, 1]],
    [3.0, 0.5],
    ("peak", "top", "mean"),
    ("fft", "sum"),
    unit="ms",
)
COLUMNS = ("mean", "peak", "top")


def test_costs_come_as_a_hypergraph_by_name_or_not_at_all():
    assert prices_given(PRICES, None, None)[0] is PRICES
    read, note = prices_given(None, {"a": 2, "b": 3.5}, "CAD")
    assert (read.cost(["a", "b"]), read.unit) == (5.5, "CAD")
    assert "nothing is shared" in note
    assert prices_given(None, None, None)[0] is None


@each(
    ("hypergraph", "costs", "sentence"),
    [
        (PRICES, {"a": 1}, "Both a hypergraph and costs are given"),
        ([1.0], None, "hypergraph is a list; give a FeatureHypergraph"),
        (None, {"a": "1"}, "cost of column 'a' is '1'; give a number"),
        (None, {"a": True}, "cost of column 'a' is True"),
    ],
)
def test_what_is_no_price_is_refused(hypergraph, costs, sentence):
    with pytest.raises(HypergraphError, match=sentence):
        prices_given(hypergraph, costs, None)


def test_names_that_agree_are_matched_in_silence():
    found = match(PRICES, COLUMNS, COLUMNS, (), "refuse")
    assert (found.columns, found.free, found.notes) == (COLUMNS, (), ())


@each(
    ("columns", "called"),
    [
        (("Peak", "top (mm)", "mean"), {"peak": "Peak", "top": "top (mm)"}),
        (("peak", "Peak", "top", "mean"), {}),  # one has the name
        (("PEAK", "Peak", "top", "mean"), {}),  # two could be meant
    ],
)
def test_capitals_and_units_may_differ_where_one_column_is_meant(columns, called):
    named, notes = with_names_of(PRICES, columns)
    assert named.features == tuple(called.get(name, name) for name in PRICES.features)
    assert all(repr(name) in "".join(notes) for name in (*called, *called.values()))
    assert bool(notes) == bool(called)


def test_names_with_different_units_are_two_names():
    named, notes = with_names_of(
        FeatureHypergraph.independent([1.0], ["top (cm)"]), ["top (mm)"]
    )
    assert (named.features, notes) == (("top (cm)",), ())


def test_names_nearly_alike_are_hinted_at():
    with pytest.raises(DataError, match="is 'peaks' as 'peak' meant"):
        match(PRICES, ("mean", "peaks", "top"), ("mean", "peaks", "top"), (), "refuse")


@each(
    ("missing", "kept", "free", "n_notes"),
    [("free", ("mean", "new"), ("new",), 2), ("drop", ("mean",), (), 2)],
)
def test_columns_without_a_price_are_free_or_go(missing, kept, free, n_notes):
    found = match(PRICES, ("mean", "new"), ("mean", "new"), (), missing)
    assert (found.columns, found.free) == (kept, free)
    assert len(found.notes) == n_notes


def test_columns_keep_what_they_share_and_free_ones_cost_nothing():
    priced = price_columns(PRICES, ("new", "top", "peak"), {"new"})
    assert priced.features == ("peak", "top", "new")
    assert priced.cost(["peak", "top"]) == 3.0
    assert priced.cost(["new"]) == 0.0
    assert priced.unit == "ms"
    assert price_columns(None, ("a", "b"), {"b"}).cost(["a", "b"]) == 1.0
