"""Pinned frontiers: what they remember, what a budget bought, and what is refused."""

import json

import pytest

from explorer.session.pins import MAX_RUNS, Pin, bought, read_pin, steps_of
from solvers import Frontier
from solvers.errors import InterchangeError
from tests.each import each
from tests.explorer.figures.results import points

STEPS = ((0.0, 0.0, 0.4, 0.5), (2.0, 2.5, 0.7, 0.6), (5.0, 5.5, 0.8, 0.9))
PIN = Pin(
    "mine", "digits", 60, "3 features", "ms", "p95", 9.0, ("L1",), STEPS, (STEPS,)
)


def _plain(**changes):
    return json.loads(json.dumps(PIN.plain())) | changes


def test_a_pin_comes_back_from_a_file():
    assert read_pin(_plain()) == PIN


def test_steps_are_the_undominated_points_by_rising_cost():
    frontier = Frontier(points())
    steps = steps_of(frontier)
    assert [step[0] for step in steps] == [0.0, 1.0, 2.0, 5.0]
    assert [step[3] for step in steps] == [0.5, 0.7, 0.8, 0.9]
    for budget in (0.0, 1.5, 4.9, 100.0):
        best = frontier.best_within(budget)
        assert bought(steps, budget) == best.scores["test"]["f1"]


@each(("budget", "f1"), [(-1.0, None), (0.0, 0.5), (2.0, 0.6), (4.9, 0.6), (5.0, 0.9)])
def test_a_budget_buys_the_dearest_step_within_it(budget, f1):
    assert PIN.best_within(budget) == f1


def test_a_sum_of_decimals_is_within_the_budget_that_says_it():
    total = 0.1 + 0.2 + 0.4
    assert total > 0.7
    assert bought(((total, total, 0.8, 0.9),), 0.7) == 0.9


def test_a_pin_of_nothing_buys_nothing():
    assert bought((), 5.0) is None


@each(
    "changes",
    [
        {"more": 1},
        {"name": "a\nb"},
        {"unit": 5},
        {"rows": "60"},
        {"rows": True},
        {"full_cost": float("nan")},
        {"full_cost": -1},
        {"methods": "L1"},
        {"methods": ["x" * 10_000]},
        {"steps": [[0, 0, 0.5]]},
        {"steps": [[0, 0, 0.5, 1.5]]},
        {"steps": [[2, 0, 0.5, 0.5], [1, 0, 0.5, 0.5]]},
        {"steps": [["0", 0, 0.5, 0.5]]},
        {"runs": [[]] * (MAX_RUNS + 1)},
    ],
    ids=str,
)
def test_what_is_no_pin_is_refused(changes):
    with pytest.raises(InterchangeError, match="cannot be read; save it again"):
        read_pin(_plain(**changes))


def test_an_accounting_that_does_not_exist_is_named():
    with pytest.raises(InterchangeError, match="is charged by 'median'"):
        read_pin(_plain(accounting="median"))


@each("given", [None, [], "pin", {}])
def test_what_is_no_object_is_refused(given):
    with pytest.raises(InterchangeError):
        read_pin(given)
