"""Nodes reckon sums as they are told, and know what their rows have bought."""

import math

import pytest

from solvers.decisions.basket import Basket, FeatureValues
from solvers.decisions.machine import (
    KnownOrder,
    answer_of,
    log_shares,
    orders_of,
    value_of,
    values_of,
)

TERMS = (("a", (2.0,)), ("b", (-1.0,)))


def basket():
    return Basket(FeatureValues({"a": 3.0, "b": 1.5, "c": 7.0}))


def test_a_row_follows_places_until_there_is_an_answer():
    nodes = [lambda basket: 2, lambda basket: [0.5], lambda basket: 1]
    assert answer_of(nodes, 0, basket()) == [0.5]


def test_a_value_is_the_base_and_the_sum_of_weighed_columns():
    node = {"base": (1.0,), "terms": TERMS}
    assert value_of(node, [], 0, None)(basket()) == 1.0 + 6.0 - 1.5
    assert value_of({**node, "bound": 2.0}, [], 0, None)(basket()) == 2.0
    assert value_of(node, [], 4, None)(basket()) == 5.5


def test_where_the_order_is_known_the_same_is_reckoned():
    node, bought = {"terms": (*TERMS, ("c", (1.0,)))}, basket()
    plain = value_of(node, [], 0, None)(basket())
    assert bought.features["a"] == 3.0
    known = value_of(node, [], 0, KnownOrder(("a",), ("b", "c")))(bought)
    assert known == plain
    assert list(bought.features) == ["a", "b", "c"]


def test_parts_are_added_to_every_value():
    node = {"base": (1.0, 2.0), "parts": (0, 1)}
    nodes = [lambda basket: [10.0, 20.0], lambda basket: [0.5, 0.25]]
    assert values_of(node, nodes, 0, None)(basket()) == [11.5, 22.25]


def test_shares_sum_to_one_however_large_the_numbers():
    shares = log_shares([1000.0, 1001.0])
    assert sum(map(math.exp, shares)) == pytest.approx(1.0)
    assert shares[1] - shares[0] == pytest.approx(1.0)


def test_what_is_bounded_is_no_surer_than_its_bound():
    node = {"base": (0.0, 50.0), "bound": 3.0}
    low, high = values_of(node, [], 0, None)(basket())
    assert (low, high) == (-3.0, pytest.approx(0.0))
    gated = values_of({**node, "base": (9.0, 50.0), "gate": ()}, [], 0, None)
    assert gated(basket()) == [3.0, 50.0]


def test_a_chain_of_stages_buys_what_it_has_not():
    nodes = [
        {"buys": ("a",), "terms": (("b", 1),), "exit": ("size", (1.0,), (1.0,), 1)},
        {"terms": (("a", 1), ("c", 1))},
    ]
    assert orders_of(nodes, [0]) == [
        KnownOrder((), ("a", "b")),
        KnownOrder(("a", "b"), ("c",)),
    ]


def test_a_node_with_two_ways_to_it_knows_nothing():
    nodes = [
        {"terms": (("a", 1),), "fork": (0.0, 1, 2)},
        {"terms": (("b", 1),), "fork": (0.0, 2, 2)},
        {"terms": (("a", 1),)},
    ]
    assert [order is None for order in orders_of(nodes, [0])] == [False, False, True]


def test_who_sums_parts_or_shops_has_no_order():
    nodes = [{"parts": (1,)}, {"shop": ()}]
    assert orders_of(nodes, [0]) == [None, None]
