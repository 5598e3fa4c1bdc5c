"""Methods that are told what mistakes cost: against brute force, and by hand."""

from itertools import product

import numpy as np
import pytest
from sklearn.base import clone

from solvers import FeatureHypergraph, MistakeCosts, all_methods
from solvers.errors import DataError, KnobError
from solvers.methods.csdt import CSDTClassifier
from solvers.methods.csnb import CSNBClassifier
from solvers.methods.hypergraph_cascade import HypergraphCascadeClassifier
from solvers.methods.jit import JITClassifier
from solvers.methods.tefe import TEFEClassifier
from tests.each import each

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, 240)
X = np.round(Y[:, np.newaxis] * [1.0, 0.8, 0.5] + RNG.normal(size=(240, 3)), 1)
PRICES = FeatureHypergraph([[1, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [2.0, 1, 3, 4])
SKEWED = MistakeCosts.binary(miss=60.0, false_alarm=9.0)
THREE = MistakeCosts([[0, 30, 9], [50, 1, 12], [40, 25, 0]])
Y3 = np.where(X[:, 2] > 1.0, 2, Y)
TREES = [CSDTClassifier(PRICES), JITClassifier(PRICES, cost_weight=0.2)]
METHODS = [*TREES, CSNBClassifier(PRICES, n_bins=3)]


@each("method", METHODS[::2])
def test_equal_prices_of_mistakes_are_the_old_knob(method):
    priced = clone(method).set_params(mistake_costs=MistakeCosts.equal(2, 25.0))
    plain = clone(method).set_params(error_cost=25.0).fit(X, Y)
    bought = plain.acquired_features(X)
    np.testing.assert_array_equal(priced.fit(X, Y).acquired_features(X), bought)
    np.testing.assert_array_equal(priced.predict(X), plain.predict(X))
    # The knob says what the dearest mistake costs; others are in proportion.
    scaled = clone(method).set_params(mistake_costs=SKEWED, error_cost=120.0).fit(X, Y)
    double = MistakeCosts.binary(miss=120.0, false_alarm=18.0)
    doubled = clone(method).set_params(mistake_costs=double).fit(X, Y)
    said = doubled.decision_function(X)
    np.testing.assert_allclose(scaled.decision_function(X), said)


@each(("y", "mistakes"), [(Y, SKEWED), (Y3, THREE)])
@each("method", METHODS)
def test_the_answer_is_the_cheapest_by_the_methods_own_shares(method, y, mistakes):
    model = clone(method).set_params(mistake_costs=mistakes).fit(X, y)
    said = mistakes.answer(model.predict_proba(X))
    np.testing.assert_array_equal(model.predict(X), said)


@each("method", METHODS)
def test_a_constant_where_a_class_is_true_changes_nothing(method):
    more = MistakeCosts(SKEWED.costs + np.array([[11.0], [2.0]]))
    one = clone(method).set_params(mistake_costs=SKEWED).fit(X, Y)
    other = clone(method).set_params(mistake_costs=more).fit(X, Y)
    np.testing.assert_array_equal(one.acquired_features(X), other.acquired_features(X))
    np.testing.assert_array_equal(one.predict(X), other.predict(X))


def every_pruning(tree, node=0):
    """Yield the sets of questions of all trees that stop early."""
    yield frozenset()
    if tree.feature[node] >= 0:
        below = [list(every_pruning(tree, c)) for c in tree.children[node].values()]
        for parts in product(*below):
            yield frozenset({node}).union(*parts)


def cost_of(tree, asks, costs, node=0, paid=0.0):
    """Mistakes and tests of the rows below a node, whose way has cost so much."""
    if node not in asks:
        return (tree.counts[node] @ costs).min()
    # A row that stops at a question has paid for it.
    known = PRICES.cost_rows(tree.acquired[node][np.newaxis])[0]
    below = [cost_of(tree, asks, costs, c, known) for c in tree.children[node].values()]
    return tree.counts[node].sum() * (known - paid) + sum(below)


def test_no_tree_that_stops_earlier_costs_less_in_tests_and_mistakes():
    even = MistakeCosts.binary(miss=100.0, false_alarm=80.0)
    few = np.random.default_rng(1).permutation(240)[:40]
    rows, y = X[few][:, :3], Y[few]
    grown = JITClassifier(PRICES, n_bins=2).fit(rows, y)
    pruned = JITClassifier(PRICES, n_bins=2, mistake_costs=even).fit(rows, y)
    trees = list(every_pruning(grown.tree_))
    least = min(cost_of(grown.tree_, asks, even.costs) for asks in trees)
    kept = pruned.tree_
    asked = {node for node, feature in enumerate(kept.feature) if feature >= 0}
    assert cost_of(kept, asked, even.costs) == pytest.approx(least)
    assert len(trees) > 10
    assert 0 < len(asked) < sum(feature >= 0 for feature in grown.tree_.feature)


def test_nothing_is_bought_that_costs_more_than_all_mistakes():
    cheap = MistakeCosts.binary(miss=0.4, false_alarm=0.3)
    for method in METHODS:
        model = clone(method).set_params(mistake_costs=cheap).fit(X, Y)
        assert model.prediction_cost(X).max() == 0.0
        assert set(model.predict(X)) == {int(Y.mean() > cheap.threshold())}


@each("method", METHODS)
def test_a_row_alone_is_decided_as_many_are(method):
    model = clone(method).set_params(mistake_costs=SKEWED).fit(X, Y)
    decide = model.decider()
    rows = [dict(zip(PRICES.features, row, strict=True)) for row in X[:60]]
    said = [decide(row.__getitem__) for row in rows]
    np.testing.assert_array_equal(said, model.predict(X[:60]))


def test_no_exit_threshold_of_a_cascade_costs_less_in_all():
    model = TEFEClassifier(PRICES, mistake_costs=SKEWED).fit(X, Y)
    curve = model.exit_curve(X, Y)
    totals = []
    for threshold in curve.thresholds:
        one = model._sibling(threshold=threshold)
        paid = one.prediction_cost(X).mean()
        totals.append(paid + SKEWED.cost(Y, one.predict(X)))
    np.testing.assert_allclose(curve.cost + curve.mistaken(SKEWED.costs), totals)
    best = model._sibling(threshold=model.paying_threshold(X, Y))
    total = best.prediction_cost(X).mean() + SKEWED.cost(Y, best.predict(X))
    assert total == pytest.approx(min(totals))
    with pytest.raises(DataError, match="What mistakes cost is not known"):
        clone(model).set_params(mistake_costs=None).fit(X, Y).paying_threshold()


def test_the_cascade_stops_where_a_test_is_worth_less_than_it_costs():
    cascade = HypergraphCascadeClassifier(PRICES, model="logistic", order="forward")
    tests = []
    for factor in (0.01, 1.0, 30.0):
        mistakes = MistakeCosts.binary(miss=50.0 * factor, false_alarm=40.0 * factor)
        model = clone(cascade).set_params(mistake_costs=mistakes).fit(X, Y)
        totals = [policy.mean - policy.score for policy in model.policies_]
        assert model.policy_.mean - model.policy_.score == min(totals)
        assert all(-50.0 * factor <= policy.score <= 0.0 for policy in model.policies_)
        paid = model.prediction_cost(X).mean()
        assert (
            paid + mistakes.cost(Y, model.predict(X)) < min(mistakes.always(Y)) + 1e-9
        )
        tests.append(paid)
    assert tests[0] == 0.0 < tests[1] < tests[2]
    # With a budget it buys as much as that pays for.
    assert model.at_budget(99.0).policy_ is model.policies_[-1]


def test_a_price_of_another_kind_is_refused_in_a_sentence():
    with pytest.raises(KnobError, match="mistake_costs is 5; give MistakeCosts"):
        CSDTClassifier(PRICES, mistake_costs=5).fit(X, Y)


def test_methods_that_take_prices_of_mistakes():
    takes = {n for n, m in all_methods().items() if "mistake_costs" in m().get_params()}
    assert takes == {"csdt", "csnb", "jit", "hypergraph_cascade", "tefe"}
