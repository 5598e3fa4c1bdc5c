"""What is nearly as good: listed as brute force does, and growing where it stopped."""

import itertools
import threading

import numpy as np
import pytest

from solvers.certify import NearOptimalSearch, near_optimal
from solvers.costs.budgets import room_of
from solvers.errors import ThriftscopeError
from tests.certify.cases import random_instance
from tests.each import each


def hold_listing(case, share, within, without=()):
    costs = case.hypergraph.component_costs
    budget = share * case.hypergraph.total_cost
    affordable = {
        chosen: case.objective(features)
        for chosen, features in case.selections(without).items()
        if costs[list(chosen)].sum() <= room_of(budget)
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


@each("seed", range(5))
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


@each("change", [{"within": -1.0}, {"limit": 0}, {"budget": -2.0}])
def test_bad_arguments_are_refused(change):
    case = random_instance(0)
    with pytest.raises(ThriftscopeError):
        near_optimal(*case.arguments, **{"ridge": 0.1, "budget": 1.0, **change})


ASKED = {"within": 0.3}


def rows_of(found):
    return {row.tobytes() for row in found.selections}


@pytest.fixture(scope="module")
def case():
    return random_instance(4, n_features=9, n_components=9)


@pytest.fixture(scope="module")
def asked(case):
    return {"ridge": case.ridge, "budget": 0.7 * case.hypergraph.total_cost, **ASKED}


@pytest.fixture(scope="module")
def whole(case, asked):
    return near_optimal(*case.arguments, **asked)


@pytest.fixture
def search(case, asked):
    return NearOptimalSearch(*case.arguments, **asked)


def test_many_short_streams_find_what_one_long_one_does(search, whole):
    counts, limits = [], itertools.count(1)
    found = None
    while found is None or not found.complete:
        before = set() if found is None else rows_of(found)
        *_, found = search.stream(seconds=30.0, limit=next(limits))
        assert before <= rows_of(found) <= rows_of(whole)
        counts.append(found.count)
    assert whole.complete
    assert rows_of(found) == rows_of(whole)
    assert len(counts) > 3


def test_what_is_listed_for_sure_is_nearly_as_good_as_the_best_there_is(search, whole):
    counts = []
    for limit in (1, 2, 4, 8, 10_000):
        seconds = 0.0 if limit == 1 else 30.0
        *_, found = search.stream(seconds=seconds, limit=limit)
        assert found.lower <= whole.best + 1e-9 <= found.best + 2e-9
        sure = found.selections[: found.count_sure]
        assert {row.tobytes() for row in sure} <= rows_of(whole)
        counts.append(found.count_sure)
    assert counts[0] == 0
    assert counts[-1] == found.count == whole.count == whole.count_sure


def test_what_is_known_is_listed_at_once(case, search, whole):
    costs, needs = case.hypergraph.component_costs, case.hypergraph.incidence.toarray()
    features = [
        ~((needs > 0) & ~row[:, np.newaxis] & (costs > 0)[:, np.newaxis]).any(axis=0)
        for row in whole.selections
    ]
    *_, found = search.stream(seconds=0.0, known=features)
    assert rows_of(found) == rows_of(whole)
    assert not found.complete


def test_a_second_stream_waits_for_the_first_and_then_goes_on(search, whole):
    first = search.stream(limit=1)
    next(first)  # holds the search until it is closed
    ended = []
    other = threading.Thread(target=lambda: ended.extend(search.stream()))
    other.start()
    other.join(0.2)
    assert other.is_alive()
    first.close()
    other.join(30.0)
    assert rows_of(ended[-1]) == rows_of(whole)


@each("change", [{"seconds": -1.0}, {"limit": 0}, {"limit": 1.5}])
def test_bad_arguments_of_a_stream_are_refused(search, change):
    with pytest.raises(ThriftscopeError):
        search.stream(**change)
