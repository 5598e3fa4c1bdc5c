"""A node knows what its rows have bought where there is one way to it."""

from solvers.deploy.orders import KnownOrder, orders_of


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
