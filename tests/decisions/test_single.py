"""A node of one value asks, answers, or answers where it is sure enough."""

from solvers.decisions.basket import Basket, FeatureValues
from solvers.decisions.machine import node_of_one
from tests.each import each


def basket(a=1.0):
    return Basket(FeatureValues({"a": a}))


@each(("a", "onward"), [(0.9, 4), (1.0, 4), (1.1, 5)])
@each("steps", [0, 1000])
def test_a_value_on_the_bound_goes_below_however_it_is_looked_at(a, onward, steps):
    node = {"terms": (("a", (1.0,)),), "fork": (1.0, 4, 5)}
    asks = node_of_one(node, lambda basket: basket.columns["a"], steps)
    assert asks(basket(a)) == onward


@each(
    ("rule", "value", "is_sure"),
    [
        (("size", (2.0,), (1.0,), 7), -2.0, True),
        (("size", (2.0,), (1.0,), 7), 1.9, False),
        (("lead", (1.0,), (0.5,), 7), -2.0, False),
        (("outside", (1.0,), (-1.0, 2.0), 7), 2.0, True),
        (("outside", (1.0,), (-1.0, 2.0), 7), 0.0, False),
    ],
)
def test_a_stage_answers_where_it_is_sure_and_says_so_either_way(rule, value, is_sure):
    row = basket()
    said = node_of_one({"exit": rule, "scale": (2.0, 1.0)}, lambda _: value, 0)(row)
    assert said == ([2 * value + 1] if is_sure else 7)
    assert row.said == {0: [2 * value + 1]}
    assert bool(row.why) == is_sure


def test_a_rectified_value_is_never_below_zero():
    node = {"rectified": (2.0, -1.0)}
    weighs = [node_of_one(node, lambda _, v=v: v, 0) for v in (-3.0, 3.0)]
    assert [weigh(basket()) for weigh in weighs] == [[0.0, -0.0], [6.0, -3.0]]


def test_an_ending_that_looks_at_nothing_is_reckoned_once():
    asked = []
    node = node_of_one({}, lambda basket: asked.append(1) or 4.0, 0)
    assert [node(basket()), node(basket())] == [[4.0], [4.0]]
    assert len(asked) == 1
