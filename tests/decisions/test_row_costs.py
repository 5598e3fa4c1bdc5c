"""What is promised of other rows holds as often as it says."""

import numpy as np
import pytest

from solvers.decisions.row_costs import RowCosts, accounts
from solvers.errors import ThriftscopeError
from tests.each import each

N_DRAWS = 100
# Each draws so many rows; none costs more than 100.
DRAWS = {
    "constant": lambda rng, n: np.full(n, 7.0),
    "two costs": lambda rng, n: np.where(rng.random(n) < 0.5, 5.0, 20.0),
    "one row in fifty is dear": lambda rng, n: np.where(rng.random(n) < 0.02, 100, 1.0),
    "heavy tail": lambda rng, n: np.minimum(100.0, 1.0 + rng.pareto(1.1, n)),
    "spread evenly": lambda rng, n: rng.uniform(0.0, 100.0, n),
}


def held_share(draw, accounting, confidence, n_rows, weigh=None):
    rng, held = np.random.default_rng(0), 0
    for _ in range(N_DRAWS):
        rows, others = (np.asarray(draw(rng, n_rows), dtype=float) for _ in range(2))
        weight, theirs = (
            None if weigh is None else weigh(rng, c) for c in (rows, others)
        )
        bound = RowCosts(rows, largest=100.0, weight=weight).bound(
            accounting, confidence
        )
        held += accounts(others, theirs)[accounting] <= bound
    return held / N_DRAWS


def least_share(confidence):
    """What a share over so many draws falls short of once in a thousand times."""
    return confidence - 3.1 * np.sqrt(confidence * (1 - confidence) / N_DRAWS)


@each("accounting", ["mean", "p95", "max"])
@each("draw", DRAWS.values(), ids=DRAWS)
def test_as_many_other_rows_stay_within_as_often_as_promised(draw, accounting):
    for n_rows, confidence in ((40, 0.8), (60, 0.99)):
        share = held_share(draw, accounting, confidence, n_rows)
        assert share >= least_share(confidence)


def test_the_95th_percentile_is_promised_as_exactly_as_ranks_allow():
    share = held_share(lambda r, n: 100 * r.beta(1, 9, n), "p95", 0.8, 200)
    assert least_share(0.8) <= share <= 0.92


@each("draw", [*DRAWS.values()][2:4], ids=[*DRAWS][2:4])
def test_weighted_rows_keep_the_promise_of_their_mean(draw):
    def weigh(rng, costs):  # those that are dear weigh more, and a few nothing
        return np.where(costs > 10, 1.0, rng.uniform(-0.05, 0.6, len(costs)).clip(0))

    assert held_share(draw, "mean", 0.9, 80, weigh) >= least_share(0.9)


def test_the_mean_is_promised_with_little_more_than_a_normal_margin_of_many_rows():
    rows = np.random.default_rng(0).uniform(1.0, 3.0, 4000)
    bound = RowCosts(rows, largest=10.0).bound("mean", 0.95)
    normal = 1.645 * rows.std() * np.sqrt(2 / 4000)
    assert normal < bound - rows.mean() < 1.7 * normal


def test_rows_that_never_vary_leave_room_for_dear_ones_that_were_not_seen():
    """If k of 80 rows are dear, these 40 hold none of them once in about 2^k times."""
    rows = RowCosts(np.ones(40), largest=100.0)
    assert rows.bound("max", 0.99) == 100.0
    # Five of the other 40 may be dear with a risk of 3 %: 5 / 40 of 99 more.
    assert 1 + 5 / 40 * 99 < rows.bound("mean", 0.99) < 1 + 10 / 40 * 99


@each("accounting", ["mean", "p95", "max"])
def test_rows_that_all_pay_the_most_there_is_need_no_margin(accounting):
    assert RowCosts(np.full(9, 0.1), largest=0.1).bound(accounting, 0.95) == 0.1


def test_the_worst_row_is_promised_nothing_below_what_a_row_can_pay():
    rows = RowCosts(np.arange(1.0, 61.0), largest=75.0)
    assert rows.bound("max", 0.8) == 75.0
    # One of two samples of the same size has the worst row.
    assert rows.bound("max", 0.5) == 60.0


@each("accounting", ["mean", "p95", "max"])
def test_nothing_is_promised_where_the_largest_cost_is_not_known_or_rows_are_few(
    accounting,
):
    assert RowCosts(np.ones(9), largest=np.inf).bound(accounting, 0.9) == np.inf
    assert RowCosts(np.ones(1), largest=4.0).bound(accounting, 0.9) == 4.0


def test_a_row_that_cost_more_than_any_can_is_refused():
    with pytest.raises(ThriftscopeError, match="none can cost more than"):
        RowCosts(np.array([0.0, 10.0]), largest=5.5)


def test_another_unit_promises_the_same():
    rows = np.random.default_rng(0).exponential(size=90)
    bound = RowCosts(rows, largest=20.0).bound("mean", 0.9)
    told = RowCosts(1e-9 * rows, largest=2e-8).bound("mean", 0.9)
    assert told == pytest.approx(1e-9 * bound)


def test_a_weight_counts_as_that_many_rows_in_the_mean():
    costs, times = np.array([1.0, 2.0, 7.0, 9.0]), np.array([40, 50, 8, 2])
    repeated = np.repeat(costs, times)
    found = accounts(costs, times.astype(float))
    assert found["mean"] == pytest.approx(repeated.mean())
    assert found["p95"] == np.quantile(repeated, 0.95, method="inverted_cdf") == 7.0
    assert found["max"] == 9.0


@each("accounting", ["mean", "p95", "max"])
def test_equal_weights_promise_what_no_weights_do(accounting):
    rows = np.random.default_rng(0).exponential(size=200)
    plain = RowCosts(rows, largest=20.0).bound(accounting, 0.9)
    equal = RowCosts(rows, largest=20.0, weight=np.full(200, 0.3))
    assert equal.bound(accounting, 0.9) == plain


def test_unequal_weights_promise_less_and_no_percentile():
    rng = np.random.default_rng(0)
    rows, weight = rng.exponential(size=(2, 300))
    plain, weighted = (
        RowCosts(rows, largest=20.0),
        RowCosts(rows, largest=20.0, weight=weight),
    )
    margins = [
        one.bound("mean", 0.9) - accounts(rows, one.weight)["mean"]
        for one in (plain, weighted)
    ]
    assert margins[0] < margins[1] < 20
    assert weighted.bound("p95", 0.9) == 20.0
