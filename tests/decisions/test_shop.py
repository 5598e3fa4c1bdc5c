"""Groups are bought while they promise more than they add to the bill."""

import math

import pytest

from solvers.decisions.basket import Basket, FeatureValues
from solvers.decisions.machine import shopping
from tests.each import each


def logs(*shares):
    """A column of bins whose shares in either class are these."""
    return tuple(tuple(map(math.log, share)) for share in shares)


TELLS, SAYS_NOTHING = logs((0.9, 0.1), (0.1, 0.9)), logs((0.5, 0.5), (0.5, 0.5))


def shop(cost_of_telling, error_cost=10.0):
    node = {
        "base": (math.log(0.5), math.log(0.5)),
        "shop": (
            error_cost,
            (("quiet",), ("tells",)),
            {"tells": (0.0,), "quiet": (0.0,)},
            {"tells": TELLS, "quiet": SAYS_NOTHING},
            (),
        ),
    }
    needs = {name: (name,) for name in ("tells", "quiet")}
    return shopping(node, needs, {"tells": cost_of_telling, "quiet": 0.1}, {})


@each(("value", "sign"), [(-1.0, -1), (1.0, 1)])
def test_what_tells_is_bought_and_what_says_nothing_is_not(value, sign):
    row = Basket(FeatureValues({"tells": value, "quiet": 0.0}))
    # Bayes: the odds of nine to one, on the side of its bin.
    assert shop(1.0)(row) == [pytest.approx(sign * math.log(9))]
    assert list(row.features) == ["tells"]


def test_a_test_that_costs_what_it_saves_is_left():
    # Half of all rows are called wrong without it, a tenth with it: worth 4 of 10.
    for cost, bought in ((3.9, ["tells"]), (4.1, [])):
        row = Basket(FeatureValues({"tells": 1.0, "quiet": 0.0}))
        shop(cost)(row)
        assert list(row.features) == bought
        assert row.why == "No further test promises more than it costs."
