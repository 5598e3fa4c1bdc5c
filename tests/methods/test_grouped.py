"""Groups of features: made from components, or given, and never half a feature."""

import numpy as np
import pytest
from hypothesis import given, settings

from solvers import FeatureHypergraph
from solvers.errors import HypergraphError
from solvers.methods.grouped import (
    GroupedTraining,
    error_costs,
    resolve_groups,
    usual_error_cost,
)
from tests.each import each
from tests.strategies import hypergraphs

# x0 and x1 come from c0; x2 needs c1 as well; c2 is free.
SHARED = FeatureHypergraph([[1, 1, 1], [0, 0, 1], [0, 1, 0]], [4.0, 2.0, 0.0])


def _training(groups, hypergraph=SHARED, seed=0):
    rng = np.random.default_rng(seed)
    n_features = hypergraph.n_features
    X = rng.standard_normal((40, n_features))
    labels = (X[:, -1] > 0).astype(int)
    return GroupedTraining(X, labels, np.ones(40), hypergraph, groups=groups)


@given(hypergraphs())
@settings(max_examples=30)
def test_features_are_together_where_they_need_the_same_priced_components(hypergraph):
    priced = hypergraph.component_costs > 0
    wanted = {}
    for j in range(hypergraph.n_features):
        needs = tuple(hypergraph.required_components([j]) & priced)
        wanted.setdefault(needs, []).append(j)
    found = [group.tolist() for group in resolve_groups(None, hypergraph)]
    assert found == list(wanted.values())


def test_a_free_component_keeps_no_features_apart():
    assert [g.tolist() for g in resolve_groups(None, SHARED)] == [[0, 1], [2]]


def test_names_and_indices_mean_the_same_features():
    by_name = resolve_groups([["x2"], ["x1", "x0"]], SHARED)
    by_index = resolve_groups([[2], [0, 1]], SHARED)
    assert (
        [g.tolist() for g in by_name] == [g.tolist() for g in by_index] == [[2], [0, 1]]
    )


@each(
    ("groups", "sentence"),
    [
        ([[0, 1, 2], []], "Group 1 is empty; name the features that come together."),
        ([[0], [1]], "Feature 'x2' is in no group; put each feature in exactly one."),
        ([[0, 1], [1, 2]], "Feature 'x1' is in more than one group"),
    ],
)
def test_groups_that_are_no_partition_are_refused(groups, sentence):
    with pytest.raises(HypergraphError) as refusal:
        resolve_groups(groups, SHARED)
    assert sentence in str(refusal.value)


def test_a_group_needs_the_components_of_all_its_features():
    training = _training((np.array([0]), np.array([1, 2])))
    assert training.needs.tolist() == [[True, False, False], [True, True, True]]
    assert training.group_of.tolist() == [0, 1, 1]


def test_the_groups_are_ordered_by_what_each_costs_alone():
    groups = (np.array([2]), np.array([0, 1]))
    assert [g.tolist() for g in _training(groups).ordered("alone")] == [[0, 1], [2]]


def test_a_group_is_worth_its_best_feature():
    # Equal costs; only the last column, in the second group, tells the label.
    flat = FeatureHypergraph(np.eye(3, dtype=bool), [1.0, 1.0, 1.0])
    groups = (np.array([0]), np.array([1, 2]))
    ordered = _training(groups, flat).ordered("value")
    assert [g.tolist() for g in ordered] == [[1, 2], [0]]


def test_an_error_costs_ten_times_all_features_unless_they_are_free():
    assert usual_error_cost(SHARED) == pytest.approx(60.0)
    assert usual_error_cost(FeatureHypergraph([[1]], [0.0])) == 10.0


def test_error_costs_rise_from_too_low_to_buy_to_no_object():
    costs = error_costs(SHARED)
    assert (np.diff(costs) > 0).all()
    assert costs[0] < SHARED.component_costs[:2].min()
    assert costs[-1] > 100 * SHARED.total_cost
