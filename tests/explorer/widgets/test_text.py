"""Numbers, units and names in words."""

from types import SimpleNamespace

import numpy as np

from explorer.widgets.text import (
    budget_label,
    cost_text,
    counted,
    first_buy_text,
    free_text,
    held_text,
    params_text,
    plain,
    price_label,
    price_text,
    right_text,
)
from solvers import Frontier, FrontierPoint
from solvers.costs.prices import ComponentPrices
from solvers.decisions.row_costs import RowCosts
from tests.each import each


@each(
    ("own", "is_better"),
    [(6 / 13 + 1e-9, False), (6 / 13, False), (0.4, False), (0.47, True)],
)
def test_a_score_that_looks_like_that_of_nothing_is_no_better(own, is_better):
    point = SimpleNamespace(scores={"test": {"average_precision": own}})
    said = free_text(point, 6 / 13, None, "average_precision")
    assert ("no better than computing nothing" in said) != is_better
    assert "scores 0.462" in said


def test_microseconds_are_written_with_their_sign():
    assert cost_text(12.34, "us") == "12.3 µs"
    assert cost_text(2, "features") == "2 features"


def test_settings_of_a_point_have_their_units_and_switches_are_on_or_off():
    params = {"budget": 11.9, "refit": True}
    point = SimpleNamespace(method="forward_selection", params=params)
    assert params_text(point, "us") == "Runtime budget 11.9 µs, Refit on"
    assert params_text(point, "CAD") == "Budget 11.9 CAD, Refit on"


def test_a_method_that_buys_nothing_says_from_which_budget_on_it_buys():
    free, costly = (
        SimpleNamespace(method="l1", n_features=n, paid=paid)
        for n, paid in ((0, 0.0), (1, 102.9))
    )
    traced = SimpleNamespace(
        unit="CAD", of=lambda _: [free, costly], held=lambda point: point.paid
    )
    assert first_buy_text(free, traced, 50.0) == (
        "L1 buys nothing within 50.0 CAD: its cheapest model with a feature costs 103 "
        "CAD, so raise the budget, or compare a method that looks at costs."
    )
    assert not first_buy_text(free, traced, 200.0)
    assert not first_buy_text(free, traced, 102.9 * (1 - 1e-12))
    assert not first_buy_text(costly, traced, 50.0)


def test_a_margin_says_whether_rows_promise_it_or_it_is_all_that_a_row_can_cost():
    rows = np.where(np.arange(100) < 50, 1.0, 2.0)

    def said(accounting, costs, largest):
        known = RowCosts(costs, largest=largest)
        paid = dict.fromkeys(("mean", "p95", "max"), 2.0)
        point = FrontierPoint(
            "l1", {}, np.ones(1, bool), 1, 1, paid, {}, 0.0, validation_rows=known
        )
        return held_text(point, Frontier((), accounting, confidence=0.95), 10.0)

    promised = "2.00 µs, within which 95% of samples of as many rows stay"
    assert promised in said("p95", rows, 7.0)
    assert promised in said("max", np.full(9, 2.0), 2.0)
    certain = "7.00 µs, the most that any row can cost: 100 validation rows cannot"
    assert certain in said("max", rows, 7.0)


def test_names_are_never_markup():
    assert plain("<script>alert('x')</script>") == (
        "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;"
    )


def test_only_a_budget_of_time_is_one_of_runtime():
    assert budget_label("us") == "Runtime budget"
    assert budget_label("CAD") == "Budget"


@each(
    ("name", "unit", "value", "told", "label"),
    [
        ("delay", "delayed", 0.0, "no delay", "delay"),
        ("delay", "delayed", 1.0, "delay 1.00", "delay"),
        ("energy", "mJ", 12.0, "energy 12.0 mJ", "energy (mJ)"),
        ("waiting", "us", 3.0, "waiting 3.00 µs", "waiting (µs)"),
        ("steps", "", 2.0, "steps 2.00", "steps"),
    ],
)
def test_a_further_price_is_told_without_saying_its_unit_twice(
    name, unit, value, told, label
):
    price = ComponentPrices(name, [value], unit)
    assert price_text(price, value) == told
    assert price_label(price) == label


def test_one_row_is_right_or_wrong_and_not_one_of_them():
    told = [right_text(*one) for one in ((0, 0), (1, 1), (1, 0), (2, 2), (3, 1))]
    assert told == [
        "no test row",
        "1 test row, right",
        "1 test row, wrong",
        "2 test rows, 2 of them right",
        "3 test rows, 1 of them right",
    ]


def test_one_thing_is_not_said_in_the_plural():
    assert [counted(n, "more row") for n in (0, 1, 2)] == [
        "0 more rows",
        "1 more row",
        "2 more rows",
    ]
