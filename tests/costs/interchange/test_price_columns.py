"""Columns of costs are read as people write them, or refused with how to write it."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import ComponentPrices, FeatureHypergraph
from solvers.costs.interchange import read_costs_csv, read_hypergraph
from solvers.costs.interchange.price_columns import (
    group_places,
    grouped_costs,
    price_headers,
    prices_of_columns,
)
from solvers.errors import DataError, InterchangeError, ThriftscopeError
from tests.each import each

CENTS = st.integers(0, 10**9)


@each(
    ("text", "costs", "unit"),
    [
        ("age: 1.00\nchol: 7.27\n", [1.0, 7.27], None),
        ("age: 1.00, 1.00\nchol: 7.27, 7.27\n", [1.0, 7.27], None),
        ("Feature,Cost (USD)\n age ,1\nchol,7.27\n", [1.0, 7.27], "USD"),
        ("test;Preis [EUR]\nage;1,00\nchol;1.007,27\n", [1.0, 1007.27], "EUR"),
        ("what\tprice\nage\t$1.00\nchol\t$1,007.27\n", [1.0, 1007.27], "$"),
        ("age|1,00 €\nchol|7,27 €\n", [1.0, 7.27], "€"),
        ("age,1\nchol,7\n", [1.0, 7.0], None),
        ("feature,cost_CAD\nage,1\nchol,7\n", [1.0, 7.0], "CAD"),
        ("age,nurse,1\nchol,nurse,7\n", [1.0, 7.0], None),
        ("age: 1.5 ms\nchol: 200 us\n", [1.5, 0.2], "ms"),
        ("what;cost\nage;1,5 µs\nchol;7 µs\n", [1.5, 7.0], "us"),
    ],
)
def test_lists_of_names_and_costs_are_read_under_any_header(text, costs, unit):
    file = read_hypergraph(text.encode())
    assert file.hypergraph.features == ("age", "chol")
    assert file.hypergraph.component_costs.tolist() == costs
    assert file.names_unit == (unit is not None)
    assert file.with_unit("CAD").hypergraph.unit == (unit or "CAD")
    assert read_costs_csv(text.encode()).features == ("age", "chol")


@each(
    "text",
    [
        "feature,cost,note\nage,1,x\nchol,7,y\n",
        "group;what;Preis\nblood;age;1,00\nblood;chol;7,00\n",
        "name\tnote\tprice\nage\t\t$1.00\nchol\tfasting\t$7.00\n",
    ],
)
def test_of_more_columns_names_and_costs_are_taken_and_the_others_told(text):
    file = read_hypergraph(text.encode())
    assert file.hypergraph.features == ("age", "chol")
    assert file.hypergraph.component_costs.tolist() == [1.0, 7.0]
    assert file.notes[-1].startswith("Columns of the costs that are not used: ")


def test_a_discount_of_a_few_features_is_no_column_beside():
    text = "feature,cost,group,discount_cost\na,3,g,1\nb,3,g,1\nc,1,,\n"
    assert read_hypergraph(text.encode()).hypergraph.total_cost == 5


@each(
    ("text", "sentence"),
    [
        ("what,who,cost\nage,ann,1\nchol,bob,7\n", "'what', 'who' .* may each name"),
        ("what,low,high\nage,1,2\nchol,7,9\n", "which is no hypergraph"),
        ("age: 1.00, 1.00\nchol: 7.27, 5.17\n", "two costs of 'chol'.*group and disc"),
        ("name,cost\nage,1\nchol,7 to 9\n", "The cost of 'chol' is '7 to 9'; write a"),
        ("age: 1\nchol: nan\n", "The cost of 'chol' is 'nan'; write a finite"),
        ("age: 5%\nchol: 7%\n", "The cost of 'age' is '5%'; write a finite number"),
        ("age: 5\nchol: 7%\n", "The cost of 'chol' is '7%'; write a finite number"),
        ("name;cost\nage;1,234\n", "1,234"),
        ("feature,cost\nage,cheap\n", "The cost of 'age' is 'cheap'; write a finite"),
        ("feature,cost_CAD\nage,1\nchol,1_000\n", "The cost of 'chol' is '1_000'"),
    ],
)
def test_what_is_no_such_list_is_refused_with_a_remedy(text, sentence):
    with pytest.raises(ThriftscopeError, match=sentence):
        read_hypergraph(text.encode())


def test_an_incidence_table_reads_costs_as_its_column_writes_them():
    text = 'component,cost (EUR),a,b\nfft,"1.234,50",1,1\navg,"0,5",0,1\n'
    hypergraph = read_hypergraph(text.encode()).hypergraph
    assert hypergraph.component_costs.tolist() == [1234.5, 0.5]
    assert hypergraph.unit == "EUR"


@given(st.lists(CENTS, min_size=2, max_size=6, unique=True))
def test_money_comes_back_whoever_prints_it(cents):
    names = [f"test {k}" for k in range(len(cents))]
    pairs = list(zip(names, cents, strict=True))
    english = "".join(f'{n},"${c / 100:,.2f}"\n' for n, c in pairs)
    swap = str.maketrans(",.", ".,")
    german = "".join(f"{n};{f'{c / 100:,.2f}'.translate(swap)} €\n" for n, c in pairs)
    for text in (english, german):
        found = read_hypergraph(text.encode()).hypergraph
        assert found.features == tuple(names)
        assert found.component_costs.tolist() == [c / 100 for c in cents]


def test_the_published_prices_of_the_repository_are_read():
    lines = [f"test{k}:{k}.00" for k in range(1, 20)]
    found = read_hypergraph("\n".join(lines).encode()).hypergraph
    assert found.total_cost == sum(range(1, 20))
    with pytest.raises(InterchangeError, match="which is no hypergraph"):
        read_hypergraph(Path(__file__).read_bytes())


def test_a_cost_that_may_be_two_is_refused_until_the_decimal_mark_is_told():
    for text in ("age: 1,234", 'Test,Price\nage,"1,234"', 'feature,cost\nage,"1,234"'):
        with pytest.raises(DataError, match=r"1\.234 or 1234; .*\(--decimal\)"):
            read_hypergraph(text.encode())
        for decimal, cost in ((",", 1.234), (".", 1234)):
            read = read_hypergraph(text.encode(), decimal=decimal).hypergraph
            assert read.component_costs.tolist() == [cost]


NAMES = ("a", "b", "c", "d")


@given(
    st.lists(st.sampled_from(["", "g", "h"]), min_size=4, max_size=4),
    st.lists(st.integers(0, 9), min_size=4, max_size=4),
    st.integers(0, 5),
    st.integers(0, 5),
)
@settings(max_examples=25)
def test_the_first_of_a_group_pays_in_full_and_others_the_discounted_cost(
    groups, rest, saved_g, saved_h
):
    saved = {"": 0, "g": saved_g, "h": saved_h}
    costs = [own + saved[group] for own, group in zip(rest, groups, strict=True)]
    hypergraph = grouped_costs(NAMES, costs, groups, rest, "CAD")
    for size in range(5):
        for chosen in itertools.combinations(range(4), size):
            wanted, met = 0, {""}
            for j in chosen:
                wanted += rest[j] if groups[j] in met else costs[j]
                if groups[j] == "":
                    wanted += costs[j] - rest[j]
                met.add(groups[j])
            assert hypergraph.cost(list(chosen)) == pytest.approx(wanted)


def test_a_group_named_like_a_feature_is_told_apart():
    hypergraph = grouped_costs(("fft", "b"), [3, 3], ["fft", "fft"], [1, 1], "us")
    assert hypergraph.components == ("fft (shared)", "fft", "b")


def test_what_decimal_prices_differ_by_is_decimal():
    hypergraph = grouped_costs(("a", "b"), [0.3, 0.3], ["g", "g"], [0.1, 0.1], "CAD")
    assert hypergraph.component_costs.tolist() == [0.2, 0.1, 0.1]


@each(
    ("costs", "rest", "sentence"),
    [
        ([3, 3], [4, 1], "Feature 'a' costs 3, but 4 with a discount"),
        ([3, 3], [1, 2], "Feature 'b' saves 1 in group 'g', where another saves 2"),
    ],
)
def test_discounts_that_share_nothing_are_refused(costs, rest, sentence):
    with pytest.raises(InterchangeError) as refusal:
        grouped_costs(("a", "b"), costs, ["g", "g"], rest, "us")
    assert sentence in str(refusal.value)


def test_savings_that_differ_by_less_than_a_cent_are_one():
    hypergraph = grouped_costs(("a", "b"), [3.0, 3.004], ["g", "g"], [1.0, 1.0], "CAD")
    assert np.count_nonzero(hypergraph.incidence.toarray().sum(axis=1) == 2) == 1


@each(
    ("header", "places"),
    [
        (["feature", "cost_us"], None),
        (["feature", "cost_us", "group", "discount_cost_us"], (2, 3)),
        (["feature", "cost", " Discount_cost", "GROUP "], (3, 2)),
    ],
)
def test_columns_of_groups_are_found_wherever_they_stand(header, places):
    assert group_places(header) == places


@each(
    ("header", "sentence"),
    [
        (["feature", "cost", "note"], "has 3 columns; write feature and cost"),
        (
            ["feature", "cost_us", "group", "discount_cost_ms"],
            "The costs are in 'us', but the discounted ones in 'ms'",
        ),
    ],
)
def test_headers_that_say_something_else_are_refused(header, sentence):
    with pytest.raises(InterchangeError) as refusal:
        group_places(header)
    assert sentence in str(refusal.value)


@each("name", ["delay", "a:b", "50 %", "%3A", "Größe"])
@each("rule", ["sum", "maximum"])
def test_a_price_comes_back_from_its_header(name, rule):
    price = ComponentPrices(name, np.array([0.0, 2.0]), "days", rule)
    graph = FeatureHypergraph([[1, 0], [0, 1]], [1.0, 2.0], prices=(price,))
    (header,) = price_headers(graph)
    (read,) = prices_of_columns({header: ["", "2"]}, ["c0", "c1"])
    assert (read.name, read.unit, read.rule) == (name, "days", rule)
    assert read.values.tolist() == [0.0, 2.0]


def test_components_before_the_rows_cost_nothing():
    columns = {"price:sum:delay:days": ["3"]}
    (read,) = prices_of_columns(columns, ["c"], n_free=2)
    assert read.values.tolist() == [0.0, 0.0, 3.0]


@each(
    ("columns", "sentence"),
    [
        ({"price:least:delay:days": []}, "headed 'price:least:delay:days'; write"),
        ({"price:sum:delay": []}, "headed 'price:sum:delay'; write"),
        ({f"price:sum:p{i}:days": [] for i in range(21)}, "21 columns of prices"),
    ],
)
def test_a_header_that_says_something_else_is_refused(columns, sentence):
    with pytest.raises(InterchangeError, match=sentence):
        prices_of_columns(columns, [])
