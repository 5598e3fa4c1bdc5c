"""What is nearly as good, listed whole: against brute force."""

import numpy as np
import pytest

from solvers.certify import near_optimal
from solvers.errors import ThriftscopeError
from tests.certify.cases import random_instance


def hold_listing(case, share, within, without=()):
    costs = case.hypergraph.component_costs
    budget = share * case.hypergraph.total_cost
    affordable = {
        chosen: case.objective(features)
        for chosen, features in case.selections(without).items()
        if costs[list(chosen)].sum() <= budget * (1 + 1e-9) + 1e-12
    }
    every = tuple(
        np.flatnonzero(~case.hypergraph.incidence.toarray()[list(without)].any(axis=0))
    )
    spread = case.objective(case.selections(without)[()]) - case.objective(every)
    threshold = min(affordable.values()) + within * spread
    # Brute force rounds too: what stands on the threshold may fall either way.
    surely = {c for c, v in affordable.items() if v <= threshold - 1e-6}
    maybe = {c for c, v in affordable.items() if v <= threshold + 1e-6}
    found = near_optimal(
        *case.arguments,
        ridge=case.ridge,
        budget=budget,
        within=within,
        without=list(without),
    )
    listed = {tuple(np.flatnonzero(row).tolist()) for row in found.selections}
    assert found.complete
    assert surely <= listed <= maybe
    assert found.count == len(listed)
    for row, value, cost in zip(
        found.selections, found.objectives, found.costs, strict=True
    ):
        chosen = tuple(np.flatnonzero(row).tolist())
        assert value == pytest.approx(affordable[chosen], abs=1e-6)
        assert cost == pytest.approx(costs[list(chosen)].sum())
    return found


@pytest.mark.parametrize("seed", range(5))
def test_the_list_is_that_of_brute_force(seed):
    hold_listing(random_instance(seed), 0.5, within=0.1)


def test_what_is_ruled_out_is_in_none_of_them():
    found = hold_listing(random_instance(2), 0.6, within=0.2, without=(3,))
    assert found.in_none[3]


def test_exchanges_and_must_haves_follow_from_the_list():
    found = hold_listing(random_instance(4), 0.7, within=0.3)
    assert found.count > 2
    rows = {tuple(np.flatnonzero(row).tolist()) for row in found.selections}
    assert found.in_all.tolist() == found.selections.all(axis=0).tolist()
    for (given, taken), times in found.exchanges().items():
        pairs = [
            row
            for row in rows
            if set(given) <= set(row)
            and not set(taken) & set(row)
            and tuple(sorted((set(row) - set(given)) | set(taken))) in rows
        ]
        back = [
            row
            for row in rows
            if set(taken) <= set(row)
            and not set(given) & set(row)
            and tuple(sorted((set(row) - set(taken)) | set(given))) in rows
        ]
        assert len(pairs) == len(back) == times


def test_a_list_that_was_cut_short_says_so_and_lists_no_stranger():
    case = random_instance(4)
    budget = 0.7 * case.hypergraph.total_cost
    arguments = {"ridge": case.ridge, "budget": budget, "within": 0.5}
    whole = near_optimal(*case.arguments, **arguments)
    part = near_optimal(*case.arguments, **arguments, limit=2)
    assert whole.complete
    assert not part.complete
    assert part.count <= 2 < whole.count
    assert {row.tobytes() for row in part.selections} <= {
        row.tobytes() for row in whole.selections
    }
    late = near_optimal(*case.arguments, **arguments, seconds=0.0)
    assert not late.complete


@pytest.mark.parametrize("change", [{"within": -1.0}, {"limit": 0}, {"budget": -2.0}])
def test_bad_arguments_are_refused(change):
    case = random_instance(0)
    with pytest.raises(ThriftscopeError):
        near_optimal(*case.arguments, **{"ridge": 0.1, "budget": 1.0, **change})
