"""Events of a search: a tree of sets, each with its own numbers."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.bayes import (
    maximum_achievable_agreement,
    maximum_potential_agreement,
    search_trimmings,
)
from tests.bayes.worlds import (
    budgets_and_costs,
    classifiers,
)


@given(classifiers(max_features=5), st.data())
def test_best_so_far_never_falls(classifier, data):
    budget, costs = data.draw(budgets_and_costs(classifier.features))
    best = [e.best.agreement for e in search_trimmings(classifier, budget, costs)]
    assert all(b >= a - 1e-11 for a, b in itertools.pairwise(best))


@given(classifiers(max_features=5), st.data())
def test_events_draw_a_tree(classifier, data):
    budget, costs = data.draw(budgets_and_costs(classifier.features))
    *events, last = search_trimmings(classifier, budget, costs)
    assert last.state == "finished"
    depths = {}
    for event in events:
        assert event.node not in depths or depths[event.node] == event.depth
        depths[event.node] = event.depth
        if event.parent is None:
            assert (event.node, event.depth, event.decision) == (0, 0, "root")
            continue
        assert depths[event.parent] == event.depth - 1
        decided = event.included if event.decision == "included" else event.excluded
        assert decided[-1] == event.feature
    assert last.node in depths


@given(classifiers(max_features=5), st.data())
def test_numbers_of_an_event_are_those_of_its_sets(classifier, data):
    budget, costs = data.draw(budgets_and_costs(classifier.features))
    for event in search_trimmings(classifier, budget, costs):
        included = list(event.included)
        if event.state in ("expanded", "leaf"):
            alive = [*included, *event.undecided]
            assert event.mpa == pytest.approx(
                maximum_potential_agreement(classifier, alive)
            )
        if event.maa is not None:
            assert event.maa == pytest.approx(
                maximum_achievable_agreement(classifier, included).agreement
            )
        if event.state == "infeasible":
            assert event.cost > budget
