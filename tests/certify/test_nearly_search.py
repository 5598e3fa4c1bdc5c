"""A list of what is nearly as good that grows where it stopped."""

import itertools
import threading

import numpy as np
import pytest

from solvers.certify import NearOptimalSearch, near_optimal
from solvers.errors import ThriftscopeError
from tests.certify.cases import random_instance

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


@pytest.mark.parametrize("change", [{"seconds": -1.0}, {"limit": 0}, {"limit": 1.5}])
def test_bad_arguments_of_a_stream_are_refused(search, change):
    with pytest.raises(ThriftscopeError):
        search.stream(**change)
