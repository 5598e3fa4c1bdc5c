"""Orders of acquisition, on groups that share components."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from solvers.numerics.acquisition_order import acquisition_order, cumulative_costs
from tests.each import each

# A and B need the shared component (10) and 1 each of their own; C costs 8.
NEEDS = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 0, 0, 1]], dtype=bool)
COSTS = np.array([10.0, 1.0, 1.0, 8.0])
A, B, C = range(3)


@each(
    ("order", "expected", "steps"),
    [
        ("alone", [C, A, B], [8, 11, 1]),
        ("marginal", [C, A, B], [8, 11, 1]),
        ("amortised", [A, B, C], [11, 1, 8]),
    ],
)
def test_orders_by_hand(order, expected, steps):
    chosen = acquisition_order(NEEDS, COSTS, order)
    assert chosen == expected
    assert np.diff(cumulative_costs(NEEDS[chosen], COSTS), prepend=0).tolist() == steps


def test_value_puts_the_best_per_cost_first_and_the_worthless_last():
    # B: 5 / 11, then A: 1 / 1; C is worth nothing.
    values = np.array([1.0, 5.0, -0.1])
    assert acquisition_order(NEEDS, COSTS, "value", values) == [B, A, C]


def test_what_is_free_comes_first_if_it_is_worth_anything():
    costs = np.array([0.0, 0.0, 1.0, 8.0])
    values = np.array([1e-3, 100.0, 50.0])
    assert acquisition_order(NEEDS, costs, "value", values)[0] == A


def test_without_sharing_the_orders_by_cost_agree():
    needs, costs = np.eye(4, dtype=bool), np.array([3.0, 1.0, 2.0, 1.0])
    orders = [
        acquisition_order(needs, costs, order)
        for order in ("alone", "marginal", "amortised")
    ]
    assert orders == [[1, 3, 2, 0]] * 3


@given(
    st.integers(1, 6),
    st.integers(1, 5),
    st.integers(0, 10_000),
    st.sampled_from(["alone", "marginal", "amortised", "value"]),
)
def test_every_group_comes_once_and_the_bill_is_that_of_all(
    n_groups, n_components, seed, order
):
    rng = np.random.default_rng(seed)
    needs = rng.random((n_groups, n_components)) < 0.5
    costs = rng.integers(0, 5, n_components).astype(float)
    chosen = acquisition_order(needs, costs, order, rng.normal(size=n_groups))
    assert sorted(chosen) == list(range(n_groups))
    bill = cumulative_costs(needs[chosen], costs)
    assert np.all(np.diff(bill) >= 0)
    assert bill[-1] == costs[needs.any(axis=0)].sum()


@given(st.integers(1, 6), st.integers(1, 5), st.integers(0, 10_000))
def test_marginal_always_adds_least(n_groups, n_components, seed):
    rng = np.random.default_rng(seed)
    needs = rng.random((n_groups, n_components)) < 0.5
    costs = rng.integers(0, 5, n_components).astype(float)
    paid = np.zeros(n_components, dtype=bool)
    left = list(range(n_groups))
    for group in acquisition_order(needs, costs, "marginal"):
        least = min(costs[needs[g] & ~paid].sum() for g in left)
        assert costs[needs[group] & ~paid].sum() == least
        paid |= needs[group]
        left.remove(group)
