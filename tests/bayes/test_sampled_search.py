"""A search in samples keeps the budget and says what it does not know."""

import numpy as np

from solvers import FeatureHypergraph
from solvers.bayes import (
    BayesianClassifier,
    agreement,
    search_trimmings,
    trim,
)
from tests.bayes.worlds import (
    general_network,
    naive_network,
    named,
)
from tests.each import each


@each("naive", [True, False])
def test_sampled_search_says_that_it_is_not_exact(naive):
    rng = np.random.default_rng(1)
    network = naive_network(rng, 6) if naive else general_network(rng, 6)
    states = network.states["C"]
    classifier = BayesianClassifier(network, "C", states[0], named(6), 0.3)
    found = trim(classifier, 3, exact=False, n_samples=4000)
    exact = agreement(classifier, list(found.features), found.threshold)
    assert not found.exact
    assert found.gap > 0 or found.agreement == 1.0
    assert abs(found.agreement - exact) < 4 * found.standard_error
    assert exact > trim(classifier, 3).agreement - 0.03


def test_sampled_search_keeps_the_budget_of_shared_components():
    rng = np.random.default_rng(2)
    classifier = BayesianClassifier(naive_network(rng, 6), "C", "+", named(6), 0.3)
    shared = FeatureHypergraph(
        [[1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1]], [2.0, 3.0], named(6)
    )
    found = trim(classifier, 4.0, shared, exact=False, n_samples=2000)
    assert found.cost <= 4.0


def test_many_features_are_searched_by_samples_on_their_own_accord():
    rng = np.random.default_rng(3)
    classifier = BayesianClassifier(naive_network(rng, 45), "C", "+", named(45), 0.3)
    found = trim(classifier, 2, n_samples=1000)
    assert (found.exact, found.bound) == (False, 1.0)


def test_events_of_a_sampled_search_lead_from_set_to_set():
    rng = np.random.default_rng(3)
    classifier = BayesianClassifier(naive_network(rng, 8), "C", "+", named(8), 0.3)
    first, *improved, last = search_trimmings(
        classifier, 3, exact=False, n_samples=1000
    )
    assert (first.state, last.state) == ("expanded", "finished")
    assert {event.state for event in improved} == {"improved"}
    assert [event.parent for event in improved] == [
        first.node,
        *(event.node for event in improved[:-1]),
    ]
