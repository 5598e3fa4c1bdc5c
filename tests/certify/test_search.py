"""A search goes on where it stopped, and what it knows serves further budgets."""

import itertools

import numpy as np
import pytest

from solvers.certify import CertifiedSearch, check_certificate, tree
from solvers.errors import ThriftscopeError
from tests.certify.cases import random_instance
from tests.each import each


def _search(seed=3, **options):
    case = random_instance(seed, n_features=9, n_components=9)
    return case, CertifiedSearch(*case.arguments, ridge=case.ridge, **options)


def test_a_second_stream_goes_on_with_the_nodes_of_the_first():
    case, search = _search(tol=1e-5)
    budget = 0.4 * case.hypergraph.total_cost
    *_, first = search.stream([budget], seconds=0.0)
    assert not first.proven
    told = list(search.stream([budget]))
    assert told[-1].proven
    assert told[0].nodes >= first.nodes
    assert told[-1].seconds > first.seconds
    assert all(one.lower >= first.lower for one in told)
    *_, fresh = CertifiedSearch(*case.arguments, ridge=case.ridge, tol=1e-5).stream(
        [budget]
    )
    assert told[-1].upper == pytest.approx(fresh.upper, abs=1e-7)


def test_further_budgets_are_served_by_what_is_known():
    case, search = _search(tol=1e-3)
    total = case.hypergraph.total_cost
    list(search.stream([0.8 * total]))
    *_, larger = search.stream([0.8 * total])
    for one in search.stream([0.3 * total]):
        assert one.budget == 0.3 * total
        # What a larger budget cannot reach, a smaller one cannot either.
        assert one.lower >= larger.lower
    assert one.proven
    truth = case.best(0.3 * total)
    assert one.lower - 1e-6 <= truth <= one.upper + 1e-6
    proven = check_certificate(one.certificate, *case.arguments)
    assert proven >= one.certificate.lower - 1e-6


def test_a_stream_waits_for_the_one_that_runs_and_says_what_is_known_meanwhile():
    case, search = _search(tol=1e-6)
    budget = 0.4 * case.hypergraph.total_cost
    running = search.stream([budget])
    next(running)
    waiting = search.stream([budget])
    assert [one.budget for one in itertools.islice(waiting, 2)] == [budget] * 2
    running.close()
    assert list(waiting)[-1].proven


def test_what_a_waiting_stream_is_told_is_proven_however_far_a_node_is(monkeypatch):
    case, search = _search(tol=1e-6)
    budget = 0.4 * case.hypergraph.total_cost
    told, bounded, calls = [], tree.bounded, itertools.count()

    def while_it_works(*args):
        if next(calls):  # the first node is worked on before anything is told
            told.append(next(search.stream([budget])))
        return bounded(*args)

    monkeypatch.setattr(tree, "bounded", while_it_works)
    *_, last = search.stream([budget])
    assert last.proven
    assert told
    for one in told:
        assert not one.proven
        proven = check_certificate(one.certificate, *case.arguments)
        assert proven >= one.certificate.lower - 1e-6


def test_a_search_out_of_memory_says_what_it_has(monkeypatch):
    monkeypatch.setattr(tree, "_MOST_OPEN_BYTES", 0)
    case, search = _search(tol=1e-6)
    budgets = [share * case.hypergraph.total_cost for share in (0.3, 0.5)]
    for one in search.stream(budgets):
        assert one.lower <= case.best(one.budget) + 1e-6


def test_what_is_kept_for_proofs_is_bounded_over_all_budgets(monkeypatch):
    monkeypatch.setattr(tree, "_MOST_KEPT_BYTES", 0)
    case, search = _search(tol=1e-4)
    for one in search.stream([0.4 * case.hypergraph.total_cost]):
        proven = check_certificate(one.certificate, *case.arguments)
        assert proven >= one.certificate.lower - 1e-6
    assert one.proven
    assert one.certificate.lower < one.lower
    assert len(one.certificate.leaves) == 1


@each("bad", [{"seconds": np.nan}, {"known": [["nobody"]]}])
def test_a_stream_of_nonsense_is_refused_before_it_runs(bad):
    _, search = _search()
    with pytest.raises(ThriftscopeError):
        search.stream([1.0], **bad)
