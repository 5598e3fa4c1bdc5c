"""What is promised of other rows holds as often as it says."""

import numpy as np
import pytest

from solvers.row_costs import RowCosts, accounts

N_ROWS, N_DRAWS = 60, 2000


def held_share(accounting, confidence, draw):
    random = np.random.default_rng(0)
    held = 0
    for _ in range(N_DRAWS):
        rows, others = draw(random, N_ROWS), draw(random, N_ROWS)
        bound = RowCosts(rows, most=np.inf).bound(accounting, confidence)
        held += accounts(others)[accounting] <= bound
    return held / N_DRAWS


@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_the_mean_of_as_many_other_rows_stays_within_as_often_as_promised(confidence):
    share = held_share("mean", confidence, lambda r, n: r.normal(10, 2, n))
    # Three standard errors of a share over so many draws.
    assert share == pytest.approx(confidence, abs=3 * np.sqrt(0.16 / N_DRAWS))


@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_the_95th_percentile_stays_within_whatever_the_distribution(confidence):
    share = held_share("p95", confidence, lambda r, n: r.exponential(3, n))
    assert share >= confidence - 3 * np.sqrt(0.16 / N_DRAWS)


def test_the_worst_row_is_promised_nothing_below_what_a_row_can_pay():
    rows = RowCosts(np.arange(1.0, 61.0), most=75.0)
    assert rows.bound("max", 0.8) == 75.0
    # One of two samples of the same size has the worst row.
    assert rows.bound("max", 0.5) == 60.0


def test_nothing_promised_exceeds_what_a_row_can_pay():
    rows = RowCosts(np.array([0.0] * 30 + [10.0] * 30), most=5.5)
    assert rows.bound("mean", 0.95) == 5.5


@pytest.mark.parametrize("accounting", ["mean", "p95", "max"])
def test_rows_that_all_cost_the_same_need_no_margin(accounting):
    assert RowCosts(np.full(9, 0.1), most=0.1).bound(accounting, 0.95) == 0.1


def test_a_weight_counts_as_that_many_rows_in_the_mean():
    costs, times = np.array([1.0, 2.0, 7.0, 9.0]), np.array([40, 50, 8, 2])
    repeated = np.repeat(costs, times)
    found = accounts(costs, times.astype(float))
    assert found["mean"] == pytest.approx(repeated.mean())
    assert found["p95"] == np.quantile(repeated, 0.95, method="inverted_cdf") == 7.0
    assert found["max"] == 9.0


@pytest.mark.parametrize("accounting", ["mean", "p95", "max"])
def test_equal_weights_promise_what_no_weights_do(accounting):
    rows = np.random.default_rng(0).exponential(size=200)
    plain = RowCosts(rows, most=np.inf).bound(accounting, 0.9)
    equal = RowCosts(rows, most=np.inf, weight=np.full(200, 0.3))
    assert equal.bound(accounting, 0.9) == pytest.approx(plain)


@pytest.mark.parametrize("accounting", ["mean", "p95"])
def test_unequal_weights_promise_less(accounting):
    rng = np.random.default_rng(0)
    held, n_trials = 0, 400
    for _ in range(n_trials):
        rows, others = rng.exponential(size=(2, 300))
        weight, their_weight = rng.exponential(size=(2, 300))
        bound = RowCosts(rows, np.inf, weight).bound(accounting, 0.9)
        held += accounts(others, their_weight)[accounting] <= bound
    assert 0.86 <= held / n_trials <= 0.97
