"""Accuracy of every affordable set, as a plain loop finds it."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import StratifiedKFold

from solvers.bayes import (
    BayesianClassifier,
    learn_cut_points,
    learn_naive_bayes,
    learn_tan,
    most_accurate_selection,
    score_affordable_subsets,
)
from solvers.errors import DataError, NetworkError
from tests.each import each


@each("model", ["naive_bayes", "tan"])
def test_accuracy_of_every_set_is_that_of_a_plain_loop(cancer, model):
    X, y = cancer
    codes = learn_cut_points(X, 2).codes(X)
    found = most_accurate_selection(codes, y, 1, 2, model=model, n_folds=4)
    learn = {"naive_bayes": learn_naive_bayes, "tan": learn_tan}[model]
    hits = np.zeros(len(found.masks))
    names = tuple(f"x{j}" for j in range(6))
    folds = StratifiedKFold(4, shuffle=True, random_state=0)
    for train, test in folds.split(codes, y == 1):
        network = learn(codes[train], y[train])
        judge = BayesianClassifier(network, "class", "1", names, 0.5)
        for i, mask in enumerate(found.masks):
            hits[i] += (judge.decide(codes[test], mask) == (y[test] == 1)).sum()
    assert found.accuracies.tolist() == pytest.approx((hits / len(y)).tolist())
    assert found.accuracy == found.accuracies.max()


def test_a_threshold_of_zero_calls_all_positive_whatever_is_impossible():
    # No positive row has a 1 anywhere: two of them are twice as impossible as one.
    codes = np.repeat([[0, 0], [1, 1]], 10, axis=0)
    labels = np.repeat([1, 0], 10)
    found = most_accurate_selection(codes, labels, 1, 2, threshold=0.0, laplace=0.0)
    assert found.accuracies.tolist() == [0.5] * 4


def test_most_accurate_set_keeps_the_budget(cancer):
    X, y = cancer
    codes = learn_cut_points(X, 2).codes(X)
    found = most_accurate_selection(codes, y, 1, 3.5, [1, 2, 3, 4, 5, 6])
    assert found.cost <= 3.5
    assert found.costs.max() <= 3.5


def test_accuracy_and_agreement_speak_of_the_same_sets(cancer):
    X, y = cancer
    codes = learn_cut_points(X, 2).codes(X)
    network = learn_naive_bayes(codes, y)
    names = tuple(f"x{j}" for j in range(6))
    classifier = BayesianClassifier(network, "class", "1", names, 0.5)
    scored = score_affordable_subsets(classifier, 3)
    judged = most_accurate_selection(codes, y, 1, 3, masks=scored.masks)
    front = scored.pareto(judged.accuracies)
    assert front[scored.best] or front.sum() > 1
    assert front[np.argmax(judged.accuracies)] or front.sum() > 1


@each(
    ("changes", "sentence"),
    [
        ({"positive": 7}, "0 of 40 rows are labelled 7"),
        ({"n_folds": 1}, "n_folds is 1; it is 2 or more"),
        ({"codes": np.zeros((40, 2))}, "give positions of states"),
        ({"model": "forest"}, 'use "naive_bayes" or "tan"'),
    ],
)
def test_bad_requests_for_accuracy_are_refused(changes, sentence):
    codes = np.random.default_rng(0).integers(2, size=(40, 2))
    arguments = {"codes": codes, "labels": np.arange(40) % 2, "positive": 1}
    with pytest.raises((DataError, NetworkError), match=sentence):
        most_accurate_selection(**{**arguments, "budget": 1, **changes})


def test_columns_and_costs_are_taken_by_name(cancer):
    X, y = cancer
    names = tuple("abcdef")
    frame = pd.DataFrame(learn_cut_points(X, 2).codes(X), columns=names)
    costs = dict(zip(names, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], strict=True))
    want = most_accurate_selection(
        frame.to_numpy(), y, 1, 3.5, [*costs.values()], feature_names=names, n_folds=3
    )
    found = most_accurate_selection(
        frame[[*"fbadce"]],
        y,
        1,
        3.5,
        pd.Series(costs)[[*"dcbafe"]],
        feature_names=names,
        n_folds=3,
    )
    assert found.features == want.features
    assert found.accuracies.tolist() == want.accuracies.tolist()
    own = most_accurate_selection(frame, y, 1, 3.5, costs, n_folds=3)
    assert own.features == want.features
