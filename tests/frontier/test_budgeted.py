"""Searches of scikit-learn keep a budget, and what is chosen says its cost."""

import copy
from itertools import product

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    FixedThresholdClassifier,
    GridSearchCV,
    RandomizedSearchCV,
    StratifiedKFold,
    TunedThresholdClassifierCV,
)
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from solvers import ThriftscopeError, prediction_cost
from solvers.frontier.budgeted import best_within_budget, mean_prediction_cost
from solvers.methods.l1 import L1Classifier
from tests.each import each
from tests.methods.tables import random_problem

ALPHAS = [0.3, 0.1, 0.03, 0.01, 0.003]
X, Y, HYPERGRAPH = random_problem(0, n_features=8, n_samples=200)


def search(refit, model=None):
    return GridSearchCV(
        model or L1Classifier(HYPERGRAPH),
        {"alpha": ALPHAS},
        scoring={"score": "f1", "cost": mean_prediction_cost},
        refit=refit,
        cv=3,
    )


@each("share", [0.2, 0.4, 0.6, 1.0])
def test_the_choice_is_the_best_of_what_the_budget_pays_for(share):
    budget = share * HYPERGRAPH.total_cost
    found = search(best_within_budget(budget)).fit(X, Y)
    scores = found.cv_results_["mean_test_score"]
    costs = found.cv_results_["mean_test_cost"]
    assert costs[found.best_index_] <= budget
    best = max(s for s, c in zip(scores, costs, strict=True) if c <= budget)
    assert scores[found.best_index_] == best


def test_costs_of_the_search_are_those_of_its_folds():
    found = search(best_within_budget(np.inf)).fit(X, Y)
    folds = list(StratifiedKFold(3).split(X, Y))
    for i, alpha in enumerate(ALPHAS):
        fits = [L1Classifier(HYPERGRAPH, alpha=alpha).fit(X[a], Y[a]) for a, _ in folds]
        expected = np.mean([fit.cost_ for fit in fits])
        assert found.cv_results_["mean_test_cost"][i] == pytest.approx(expected)


def results(scores, costs):
    return {"mean_test_score": np.array(scores), "mean_test_cost": np.array(costs)}


def test_among_equals_the_cheapest_is_chosen():
    assert best_within_budget(9)(results([0.8, 0.9, 0.9], [1.0, 5.0, 3.0])) == 2


def test_candidates_that_could_not_be_fitted_do_not_count():
    assert best_within_budget(9)(results([np.nan, 0.5], [np.nan, 3.0])) == 1


def test_a_budget_that_is_met_exactly_is_kept():
    costs = np.mean([0.1, 0.2, 0.3]) * np.ones(1)
    assert best_within_budget(0.2)(results([0.5], costs)) == 0


def test_the_rule_survives_cloning_and_copying():
    rule = best_within_budget(3.0, score="f1")
    assert copy.deepcopy(rule) == rule
    assert clone(search(rule)).refit == rule


@each(
    ("rule", "found", "sentence"),
    [
        (best_within_budget(1), results([0.5], [3.0]), "the cheapest costs 3"),
        (
            best_within_budget(1, score="f1"),
            results([1], [1]),
            "knows of no 'f1', only",
        ),
    ],
)
def test_what_cannot_be_chosen_is_refused_with_a_sentence(rule, found, sentence):
    with pytest.raises(ThriftscopeError, match=sentence):
        rule(found)


@each("budget", [-1, np.nan])
def test_a_budget_that_is_none_is_refused(budget):
    with pytest.raises(ThriftscopeError, match="give a number, 0 or more"):
        best_within_budget(budget)


# ---------------------------------------------------------------- what is unwrapped


def _pipeline(model):
    return make_pipeline(StandardScaler(), model)


def _long_pipeline(model):
    steps = [("skip", "passthrough"), ("scale", StandardScaler()), ("model", model)]
    return Pipeline(steps)


def _grid(model):
    return GridSearchCV(model, [{}], cv=2)


def _draws(model):
    return RandomizedSearchCV(model, [{}], n_iter=1, cv=2)


def _tuned(model):
    return TunedThresholdClassifierCV(model, scoring="f1", cv=2)


def _frozen(model):
    return FrozenEstimator(model.fit(X, Y))


WRAPPERS = (_pipeline, _long_pipeline, _grid, _draws, FixedThresholdClassifier)
PAIRS = [
    *product(WRAPPERS, WRAPPERS),
    (_tuned, _grid),
    (_tuned, _pipeline),
    (_grid, _tuned),
    (_long_pipeline, _frozen),
    (FixedThresholdClassifier, _frozen),
    (_frozen, _grid),
    (_frozen, _long_pipeline),
    (_frozen, FixedThresholdClassifier),
]


@each(("outer", "inner"), PAIRS, ids=lambda wrapper: wrapper.__name__)
def test_the_cost_is_found_through_two_wrappers(outer, inner):
    # l1 divides columns by their largest value: scaling changes what is selected, so
    # the expected support is that of the innermost model itself.
    wrapped = outer(inner(L1Classifier(HYPERGRAPH, alpha=0.02))).fit(X, Y)
    innermost = wrapped
    while not isinstance(innermost, L1Classifier):
        innermost = _inside(innermost)
    expected = np.full(7, HYPERGRAPH.cost(innermost.support_))
    assert prediction_cost(wrapped, X[:7]) == pytest.approx(expected)


def _inside(wrapper):
    if isinstance(wrapper, Pipeline):
        return wrapper.steps[-1][1]
    if isinstance(wrapper, FrozenEstimator):
        return wrapper.estimator
    return getattr(wrapper, "best_estimator_", None) or wrapper.estimator_


def test_rows_are_transformed_on_their_way_to_an_adaptive_method():
    from solvers.methods.random_forest import RandomForestClassifier

    piped = _pipeline(RandomForestClassifier(HYPERGRAPH, n_estimators=2)).fit(X, Y)
    scaled = piped[0].transform(X)
    expected = piped[-1].prediction_cost(scaled)
    assert len(np.unique(expected)) > 1
    assert np.array_equal(prediction_cost(_grid(piped).fit(X, Y), X), expected)


def test_what_knows_no_cost_is_refused_inside_of_wrappers():
    with pytest.raises(ThriftscopeError, match="does not know what a prediction costs"):
        prediction_cost(_tuned(LogisticRegression()).fit(X, Y), X)


def test_a_search_that_is_not_fitted_is_refused():
    with pytest.raises(ThriftscopeError, match="give a fitted"):
        prediction_cost(search(best_within_budget(1)), X)
