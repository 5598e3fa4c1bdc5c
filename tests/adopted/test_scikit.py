"""Classifiers of scikit-learn say the same once they are adopted, on every row."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression, RidgeClassifier, SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from solvers import FeatureHypergraph, adopt
from solvers.adopted.scikit import read_scikit
from solvers.deploy import to_python
from solvers.errors import DeployError
from tests.each import each

from .exported import check_everywhere

N_ROWS = 3_000
# Some features share a component.
PRICES = FeatureHypergraph(
    np.vstack([np.eye(8), [1, 1, 1, 0, 0, 0, 0, 0]]).astype(bool),
    [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 4.0],
)


def rows(n_classes, *, gaps=False, categories=()):
    """Rows of few distinct values: many lie on bounds, and many votes are even."""
    X, y = make_classification(
        N_ROWS, 8, n_informative=5, n_classes=n_classes, random_state=0, flip_y=0.1
    )
    X = np.round(X * 2.0) / 2.0
    for j in categories:
        X[:, j] = 10.0 * np.clip(np.round(X[:, j]), -1.0, 3.0) + 10.0
    if gaps:
        X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    return X, np.array(["no", "yes", "perhaps"])[y]


TREES = {
    "tree": (DecisionTreeClassifier(max_depth=5, random_state=0), True),
    "forest": (RandomForestClassifier(4, random_state=0), True),
    "shallow forest": (RandomForestClassifier(9, max_depth=3, random_state=0), True),
    "extra trees": (ExtraTreesClassifier(4, max_depth=6, random_state=0), True),
    "boosting": (GradientBoostingClassifier(n_estimators=8, random_state=0), False),
    "histograms": (
        HistGradientBoostingClassifier(
            max_iter=8, categorical_features=[1, 4], random_state=0
        ),
        True,
    ),
}


@each("n_classes", [2, 3])
@each("name", TREES)
def test_trees_say_the_same_in_every_form(name, n_classes, tmp_path):
    model, takes_gaps = TREES[name]
    categories = (1, 4) if name == "histograms" else ()
    X, y = rows(n_classes, gaps=takes_gaps, categories=categories)
    model.fit(X[:1000], y[:1000])
    if categories:  # and such as training did not know
        X[::7, 1], X[::11, 4] = 15.0, -4.0
    costs = []
    for order in ("given", "cheapest"):
        adopted = adopt(model, PRICES, order=order)
        said = adopted.decide(X)
        if (order == "cheapest") == (n_classes == 2):
            check_everywhere(adopted, X[::3], tmp_path, n_slow=30)
        assert np.array_equal(said.labels, model.predict(X))
        costs.append(said.cost.mean())
    assert costs[1] < PRICES.total_cost
    assert costs[1] <= costs[0]


@each("n_classes", [2, 3])
@each(
    "model",
    [
        LogisticRegression(C=0.1),
        LinearSVC(penalty="l1", dual=False, C=0.003),
        RidgeClassifier(),
        SGDClassifier(random_state=0),
    ],
)
def test_linear_models_pay_for_what_they_weigh(model, n_classes, tmp_path):
    X, y = rows(n_classes)
    model.fit(X[:1000], y[:1000])
    X = X[::3]
    said = check_everywhere(adopt(model, PRICES), X, tmp_path, n_slow=30)
    assert np.array_equal(said.labels, model.predict(X))
    assert np.array_equal(said.acquired[0], np.atleast_2d(model.coef_).any(axis=0))


def test_boosting_calls_the_second_class_at_zero_as_it_did():
    X, y = np.array([[0.0], [1.0]] * 4), np.array([0, 0, 1, 1] * 2)
    model = GradientBoostingClassifier(n_estimators=2).fit(X, y)
    assert (model.decision_function(X) == 0.0).all()
    assert adopt(model).predict(X).tolist() == model.predict(X).tolist() == [1] * 8


def test_names_and_words_of_classes_are_those_of_the_model():
    X, y = rows(3)
    frame = pd.DataFrame(X, columns=[f"test {j}" for j in range(8)])
    read = read_scikit(DecisionTreeClassifier(max_depth=2).fit(frame[:500], y[:500]))
    assert read.feature_names == tuple(frame.columns)
    assert read.classes == ("no", "perhaps", "yes")


@each(
    ("model", "what"),
    [
        (GaussianNB(), "GaussianNB cannot be adopted"),
        (GradientBoostingClassifier(init=GaussianNB(), n_estimators=1), "GaussianNB"),
    ],
)
def test_others_are_refused_by_name(model, what):
    X, y = rows(2)
    with pytest.raises(DeployError, match=what):
        adopt(model.fit(X[:200], y[:200]))


def test_a_prior_that_was_given_is_where_it_begins():
    X, y = rows(2)
    init = DummyClassifier(strategy="prior")
    model = GradientBoostingClassifier(init=init, n_estimators=2).fit(X[:99], y[:99])
    assert np.array_equal(adopt(model).predict(X), model.predict(X))


def test_words_as_categories_are_those_of_the_table():
    X, y = rows(2, gaps=True)
    frame = pd.DataFrame(X[:, 1:], columns=list("abcdefg"))
    frame.insert(3, "kind", np.where(X[:, 0] > 0, "up", "down").astype(object))
    frame.loc[::9, "kind"] = None
    typed = frame.astype({"kind": "category"})
    model = HistGradientBoostingClassifier(
        max_iter=5, categorical_features="from_dtype", random_state=0
    ).fit(typed[:2000], y[:2000])
    adopted = adopt(model)
    assert np.array_equal(adopted.predict(frame), model.predict(typed))
    file = {"__name__": "policy"}
    exec(to_python(adopted), file)
    samples = frame[:200].to_dict("records")
    got = [file["decide"](one).label for one in samples]
    assert got == model.predict(typed[:200]).tolist()
    assert adopted.predict(frame.assign(kind="other")).shape == y.shape
