"""Forests on a path are the first trees of deeper and deeper ones."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.ensemble import RandomForestClassifier as SklearnForest

from solvers.methods.random_forest import RandomForestClassifier
from tests.methods.tables import random_problem


@pytest.fixture(scope="module")
def path():
    X, y, hypergraph = random_problem(0, n_features=5, n_samples=120)
    template = RandomForestClassifier(hypergraph, n_estimators=10, random_state=4)
    return X, y, hypergraph, list(template.path(X, y))


def test_forests_of_a_path_are_what_their_parameters_grow(path):
    X, y, _, models = path
    for model in models[:: max(1, len(models) // 6)]:
        again = RandomForestClassifier(**model.get_params()).fit(X, y)
        assert again.decision_function(X) == pytest.approx(model.decision_function(X))


def test_a_path_ends_with_the_whole_forest(path):
    _, _, _, models = path
    assert models[-1].n_estimators == 10
    assert models[-1].max_depth is None


def test_more_trees_of_the_same_depth_ask_no_row_for_less(path):
    X, _, _, models = path
    by_depth = {}
    for model in models:
        by_depth.setdefault(model.max_depth, []).append(model)
    for same in by_depth.values():
        sizes = [model.n_estimators for model in same]
        assert sizes == sorted(set(sizes))
        asked = [model.acquired_features(X) for model in same]
        for few, many in pairwise(asked):
            assert (few <= many).all()


def test_a_score_is_the_mean_share_of_the_second_class_less_a_half(path):
    X, _, _, models = path
    for model in models[::5]:
        chances = model.predict_proba(X)
        assert chances.sum(axis=1) == pytest.approx(np.ones(len(X)))
        assert model.decision_function(X) == pytest.approx(chances[:, 1] - 0.5)


def test_one_walk_says_what_the_single_answers_say(path):
    X, _, hypergraph, models = path
    decision = models[-1].decide(X)
    assert decision.scores == pytest.approx(models[-1].decision_function(X))
    assert (decision.acquired == models[-1].acquired_features(X)).all()
    assert decision.cost == pytest.approx(hypergraph.cost_rows(decision.acquired))


def test_what_a_row_is_not_asked_for_cannot_change_its_score(path):
    X, _, _, models = path
    shallow = models[0]
    asked = shallow.acquired_features(X)
    assert not asked.all()
    blind = np.where(asked, X, 1e9)
    assert (shallow.decision_function(blind) == shallow.decision_function(X)).all()


def test_rows_are_compared_in_single_precision_as_the_trees_were_grown(path):
    X, _, _, models = path
    nearly = X.astype(np.float32).astype(float)
    one, other = (models[-1].decision_function(rows) for rows in (X, nearly))
    assert (one == other).all()


def test_of_three_classes_it_is_scikit_learn_s_forest_charged_for_what_it_asks():
    X, y = load_wine(return_X_y=True)
    model = RandomForestClassifier(n_estimators=12, max_depth=3).fit(X, y)
    order = np.lexsort([*X.T, y])  # as rows are drawn from
    own = SklearnForest(12, max_depth=3, random_state=0)
    own.fit(X[order], y[order], np.ones(len(y)))
    assert model.predict_proba(X) == pytest.approx(own.predict_proba(X))
    walked = model.decide(X)
    assert np.array_equal(walked.labels, own.predict(X))
    ways = [model.predict_one(lambda name, x=x: x[int(name[1:])]) for x in X[::20]]
    assert [way.label for way in ways] == walked.labels[::20].tolist()
    asked = [sorted(int(name[1:]) for name in way.features) for way in ways]
    assert asked == [np.flatnonzero(row).tolist() for row in walked.acquired[::20]]
