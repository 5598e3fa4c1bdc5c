"""Further prices: reported of every model, limited, and charged instead."""

import dataclasses
import itertools
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers import (
    ComponentPrices,
    FeatureHypergraph,
    Frontier,
    ThriftscopeError,
    read_costs_csv,
    split_dataset,
    trace_frontier,
)
from solvers.costs.interchange import (
    from_hif,
    read_incidence_csv,
    to_hif,
    to_incidence_csv,
)
from solvers.datasets import charging, from_frame, make_heart, within_limits
from solvers.errors import DataError, HypergraphError, InterchangeError
from tests.each import each
from tests.strategies import hypergraphs

VALUES = st.floats(0, 100, allow_subnormal=False)


@st.composite
def priced_hypergraphs(draw):
    plain = draw(hypergraphs())
    n = plain.n_components
    names = draw(st.lists(st.text(min_size=1).filter(str.strip), max_size=3))
    prices = [
        ComponentPrices(
            name,
            draw(st.lists(VALUES, min_size=n, max_size=n)),
            draw(st.text(max_size=4)),
            draw(st.sampled_from(["sum", "maximum"])),
        )
        for name in dict.fromkeys(names)
        if name != "cost"
    ]
    return dataclasses.replace(plain, prices=prices)


def by_hand(price, needs):
    """What one row pays: a loop over its components."""
    paid = 0.0
    for value, needed in zip(price.values, needs, strict=True):
        if needed:
            paid = paid + value if price.rule == "sum" else max(paid, value)
    return paid


@given(priced_hypergraphs(), st.randoms(use_true_random=False))
def test_rows_pay_the_sum_or_the_maximum_of_what_they_need(hypergraph, random):
    rows = [[random.random() < 0.5 for _ in hypergraph.features] for _ in range(5)]
    found = hypergraph.price_rows(rows)
    assert [*found] == [price.name for price in hypergraph.prices]
    for price in hypergraph.prices:
        wanted = [by_hand(price, hypergraph.required_components(row)) for row in rows]
        assert found[price.name] == pytest.approx(wanted)


@given(priced_hypergraphs())
def test_a_feature_alone_pays_what_its_row_pays(hypergraph):
    rows = hypergraph.price_rows(np.eye(hypergraph.n_features, dtype=bool))
    for price in hypergraph.prices:
        alone = price.of_features(hypergraph.incidence)
        assert alone == pytest.approx(rows[price.name])


@given(priced_hypergraphs())
def test_prices_survive_every_file(hypergraph):
    assert from_hif(to_hif(hypergraph)).equals(hypergraph)
    assert read_incidence_csv(to_incidence_csv(hypergraph).encode()).equals(hypergraph)
    assert pickle.loads(pickle.dumps(hypergraph)).equals(hypergraph)
    for price in hypergraph.prices:
        if price.rule == "sum":
            other = hypergraph.charging(price.name)
            assert from_hif(to_hif(other)).equals(other)
            assert read_incidence_csv(to_incidence_csv(other).encode()).equals(other)
            assert other.charging("cost").equals(hypergraph)


@given(priced_hypergraphs(), st.integers(0, 100))
def test_edits_carry_prices_along(hypergraph, place):
    i = place % hypergraph.n_components
    bare = FeatureHypergraph(
        np.vstack([hypergraph.incidence.toarray(), np.ones(hypergraph.n_features)]),
        np.append(hypergraph.component_costs, 1.0),
        prices=[
            dataclasses.replace(price, values=np.append(price.values, 2.0))
            for price in hypergraph.prices
        ],
    )
    left = bare.remove(components=[i])
    for before, after in zip(bare.prices, left.prices, strict=True):
        assert after.values.tolist() == np.delete(before.values, i).tolist()
    grown = hypergraph.add_component("new", 1.0)
    assert all(price.values[-1] == 0 for price in grown.prices)
    assert hypergraph.set_cost(i, 7.0).prices == hypergraph.prices


@pytest.fixture(scope="module")
def machine():
    """Three features: time is charged, energy and waiting are known as well."""
    energy = ComponentPrices("energy", [1.0, 9.0, 2.0], "mJ")
    wait = ComponentPrices("wait", [0.0, 0.0, 3.0], "s", "maximum")
    return FeatureHypergraph(
        [[1, 1, 0], [0, 1, 0], [0, 0, 1]], [5.0, 1.0, 1.0], prices=[energy, wait]
    )


def test_another_price_is_charged(machine):
    by_energy = machine.charging("energy")
    assert (by_energy.cost([0, 1]), by_energy.unit) == (10.0, "mJ")
    assert by_energy.price("cost").values.tolist() == [5.0, 1.0, 1.0]
    assert machine.charging("cost") is machine
    assert repr(by_energy).endswith("total cost 12 mJ)")


@each(
    ("wrong", "sentence"),
    [
        (lambda h: h.charging("wait"), "only sums can be charged; limit it"),
        (lambda h: h.charging("mony"), "no further price 'mony'; there are: 'energy'"),
        (lambda _: ComponentPrices("", [1.0], "s"), "empty name"),
        (lambda _: ComponentPrices("x", [-1.0], "s"), "is -1; a price is a finite"),
        (lambda _: ComponentPrices("x", [np.inf], "s"), "is inf; a price is a finite"),
        (lambda _: ComponentPrices("x", ["a"], "s"), "not numbers"),
        (lambda _: ComponentPrices("x", [1.0], "s", "mean"), 'use "sum" or "maximum"'),
        (
            lambda h: dataclasses.replace(h, prices=[ComponentPrices("x", [1.0], "s")]),
            "3 components, but price 'x' has 1 values",
        ),
        (
            lambda h: dataclasses.replace(h, prices=h.prices * 2),
            "Two prices are called 'energy'",
        ),
        (
            lambda h: dataclasses.replace(
                h, prices=[ComponentPrices("cost", [1.0] * 3, "s")]
            ),
            "Two prices are called 'cost'",
        ),
    ],
)
def test_a_wrong_price_is_refused_in_a_sentence(machine, wrong, sentence):
    with pytest.raises(HypergraphError, match=sentence):
        wrong(machine)


@each(
    ("text", "sentence"),
    [
        ("feature,cost_s,price:mean:d:s\na,1,1\n", "write price:RULE:NAME:UNIT"),
        ("feature,cost_s,price:sum:d\na,1,1\n", "write price:RULE:NAME:UNIT"),
        ("feature,cost_s,price:sum:d:s\na,1,dear\n", "'a' is 'dear'; write a finite"),
        (
            "feature,cost_s,price:sum:d:s,price:sum:d:s\na,1,1,1\n",
            "the price 'price:sum:d:s' twice; name each once",
        ),
    ],
)
def test_a_table_with_wrong_prices_is_refused(text, sentence):
    with pytest.raises(InterchangeError, match=sentence):
        read_costs_csv(text.encode())


@each("stated", [3, [3], [{"name": "d"}], [{}] * 21])
def test_a_document_with_wrong_prices_is_refused(machine, stated):
    document = to_hif(machine)
    document["metadata"]["prices"] = stated
    with pytest.raises(InterchangeError, match="write a"):
        from_hif(document)


def test_costs_by_column_have_prices_of_their_own():
    read = read_costs_csv(
        b"feature,cost_CAD:money,price:maximum:delay:days\na,3,\nb,1,2\n"
    )
    assert (read.charged, read.unit) == ("money", "CAD")
    assert read.price("delay").values.tolist() == [0.0, 2.0]


def test_a_feature_named_like_a_price_is_not_written():
    odd = FeatureHypergraph.independent([1.0], ["price:sum:a:b"])
    with pytest.raises(InterchangeError, match="rename it"):
        to_incidence_csv(odd)


# ------------------------------------------------------------------ models under limits


@pytest.fixture(scope="module")
def heart():
    return make_heart()


@pytest.fixture(scope="module")
def points(heart):
    return [*trace_frontier("static_prefix", heart)]


def test_every_point_says_what_it_pays_of_every_price(heart, points):
    for point in points:
        rows = split_dataset(heart).X("test")
        split = split_dataset(heart)
        acquired = split.features_of(point.model.acquired_features(rows))
        blood = [heart.feature_names.index(name) for name in ("chol", "fbs")]
        assert point.prices["delay"]["max"] == acquired[:, blood].any()
    assert {point.prices["delay"]["max"] for point in points} == {0.0, 1.0}
    assert "price_delay_mean" in points[0].row()


def test_the_best_within_a_limit_is_the_best_of_those_that_keep_it(points):
    for budget, limit in itertools.product([5.0, 120.0, 400.0], [0.0, 1.0]):
        frontier = Frontier(points, limits={"delay": limit})
        kept = [p for p in points if p.validation_prices["delay"]["mean"] <= limit]
        assert frontier.best_within(budget) is Frontier(kept).best_within(budget)
        assert [*frontier.undominated()] == [*Frontier(kept).undominated()]


def test_within_120_dollars_and_no_delayed_result(heart):
    narrowed = within_limits(heart, {"delay": 0.0})
    assert set(heart.feature_names) - set(narrowed.feature_names) == {"chol", "fbs"}
    assert narrowed.notes[-1] == ("Left out, as delay above 0 delayed: 'chol', 'fbs'.")
    traced = trace_frontier("static_prefix", narrowed)
    best = Frontier(traced, limits={"delay": 0.0}).best_within(120.0)
    assert best.prices["delay"]["max"] == 0
    assert best.cost["max"] <= 120
    assert within_limits(heart, {"delay": 1.0}) is heart
    assert charging(heart, "money") is heart


def test_wrong_limits_are_refused(heart, points):
    with pytest.raises(DataError, match="limit on 'delay' is -1; give a number"):
        within_limits(heart, {"delay": -1.0})
    with pytest.raises(ThriftscopeError, match="limit on 'delay' is -1; give a number"):
        Frontier(points, limits={"delay": -1.0})
    with pytest.raises(ThriftscopeError, match="does not say what it pays of 'energy'"):
        Frontier(points, limits={"energy": 1.0}).best_within(5.0)
    rows = {"a": [0.0, 1.0] * 4, "ill": [0, 1] * 4}
    import pandas as pd

    dear = FeatureHypergraph.independent([1.0], ["a"])
    dear = dataclasses.replace(dear, prices=[ComponentPrices("delay", [3.0], "days")])
    table = from_frame(pd.DataFrame(rows), "ill", hypergraph=dear)
    with pytest.raises(DataError, match="No feature stays within delay 2; raise"):
        within_limits(table, {"delay": 2.0})


def test_values_with_names_are_those_of_the_components_of_these_names():
    money = {"scan": 90.0, "blood": 4.0}
    for values in (money, pd.Series(money)):
        price = ComponentPrices("money", values, "CAD")
        two = FeatureHypergraph.independent([1, 9], ["blood", "scan"])
        two = dataclasses.replace(two, prices=[price])
        paid = two.price_rows([[True, False], [False, True]])["money"]
        assert paid.tolist() == [4.0, 90.0]
        assert two.charging("money").cost("scan") == 90.0
    three = FeatureHypergraph.independent([1, 9, 2], ["blood", "scan", "age"])
    with pytest.raises(DataError, match="Price 'money' has no 'age', which the hyperg"):
        dataclasses.replace(three, prices=[price])
