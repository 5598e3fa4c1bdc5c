"""Discounts of groups become components that the group shares."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.costs.interchange.cost_groups import group_places, grouped_costs
from solvers.errors import InterchangeError

NAMES = ("a", "b", "c", "d")


@given(
    st.lists(st.sampled_from(["", "g", "h"]), min_size=4, max_size=4),
    st.lists(st.integers(0, 9), min_size=4, max_size=4),
    st.integers(0, 5),
    st.integers(0, 5),
)
@settings(max_examples=40)
def test_the_first_of_a_group_pays_in_full_and_others_the_discounted_cost(
    groups, rest, saved_g, saved_h
):
    saved = {"": 0, "g": saved_g, "h": saved_h}
    costs = [own + saved[group] for own, group in zip(rest, groups, strict=True)]
    hypergraph = grouped_costs(NAMES, costs, groups, rest, "CAD")
    for size in range(5):
        for chosen in itertools.combinations(range(4), size):
            wanted, met = 0, {""}
            for j in chosen:
                wanted += rest[j] if groups[j] in met else costs[j]
                if groups[j] == "":
                    wanted += costs[j] - rest[j]
                met.add(groups[j])
            assert hypergraph.cost(list(chosen)) == pytest.approx(wanted)


def test_a_group_named_like_a_feature_is_told_apart():
    hypergraph = grouped_costs(("fft", "b"), [3, 3], ["fft", "fft"], [1, 1], "us")
    assert hypergraph.components == ("fft (shared)", "fft", "b")


def test_what_decimal_prices_differ_by_is_decimal():
    hypergraph = grouped_costs(("a", "b"), [0.3, 0.3], ["g", "g"], [0.1, 0.1], "CAD")
    assert hypergraph.component_costs.tolist() == [0.2, 0.1, 0.1]


@pytest.mark.parametrize(
    ("costs", "rest", "sentence"),
    [
        ([3, 3], [4, 1], "Feature 'a' costs 3, but 4 with a discount"),
        ([3, 3], [1, 2], "Feature 'b' saves 1 in group 'g', where another saves 2"),
    ],
)
def test_discounts_that_share_nothing_are_refused(costs, rest, sentence):
    with pytest.raises(InterchangeError) as refusal:
        grouped_costs(("a", "b"), costs, ["g", "g"], rest, "us")
    assert sentence in str(refusal.value)


def test_savings_that_differ_by_less_than_a_cent_are_one():
    hypergraph = grouped_costs(("a", "b"), [3.0, 3.004], ["g", "g"], [1.0, 1.0], "CAD")
    assert np.count_nonzero(hypergraph.incidence.toarray().sum(axis=1) == 2) == 1


@pytest.mark.parametrize(
    ("header", "places"),
    [
        (["feature", "cost_us"], None),
        (["feature", "cost_us", "group", "discount_cost_us"], (2, 3)),
        (["feature", "cost", " Discount_cost", "GROUP "], (3, 2)),
    ],
)
def test_columns_of_groups_are_found_wherever_they_stand(header, places):
    assert group_places(header) == places


@pytest.mark.parametrize(
    ("header", "sentence"),
    [
        (["feature", "cost", "note"], "has 3 columns; write feature and cost"),
        (
            ["feature", "cost_us", "group", "discount_cost_ms"],
            "The costs are in 'us', but the discounted ones in 'ms'",
        ),
    ],
)
def test_headers_that_say_something_else_are_refused(header, sentence):
    with pytest.raises(InterchangeError) as refusal:
        group_places(header)
    assert sentence in str(refusal.value)
