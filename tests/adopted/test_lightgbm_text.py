"""LightGBM's own labels, on every row, from its objects and from its text."""

import re

import numpy as np
import pandas as pd
import pytest

from solvers import adopt
from solvers.adopted.lightgbm_text import read_lightgbm, read_text
from solvers.errors import DeployError, InterchangeError
from tests.each import each

from .exported import check_everywhere
from .test_scikit import PRICES, rows

lgb = pytest.importorskip("lightgbm")
QUIET = {
    "verbose": -1,
    "n_jobs": 1,
    "n_estimators": 4,
    "num_leaves": 8,
    "min_child_samples": 5,
}


def trained(n_classes, **options):
    gaps = options.pop("gaps", True)
    X, y = rows(n_classes, gaps=gaps, categories=(1, 4))
    model = lgb.LGBMClassifier(**QUIET, **options)
    return X, y, model.fit(X[:2000], y[:2000], categorical_feature=[1, 4])


@each("n_classes", [2, 3])
@each(
    "options",
    [
        {},
        {"zero_as_missing": True},
        {"use_missing": False},
        {"gaps": False},
        {"boosting_type": "rf", "bagging_freq": 1, "bagging_fraction": 0.6},
        {"boosting_type": "dart", "max_cat_to_onehot": 1},
    ],
    ids=lambda options: next(iter(options), "as it is"),
)
def test_labels_are_its_own(options, n_classes, tmp_path):
    X, _, model = trained(n_classes, **options)
    X[::7, 1], X[::11, 4], X[::13, 1], X[::17, 4] = 15.0, -4.0, 20.7, -0.5
    X[::19, 0], X[::23, 1] = np.nan, np.nan
    for order in ("given", "cheapest"):
        adopted = adopt(model, PRICES, order=order)
        assert np.array_equal(adopted.predict(X), model.predict(X))
    if not options:
        check_everywhere(adopted, X, tmp_path)


def test_a_file_says_the_same_as_the_model(tmp_path):
    X, _, model = trained(2)
    file = tmp_path / "model.txt"
    model.booster_.save_model(file)
    want = model.predict(X)
    assert np.array_equal(adopt(file, classes=model.classes_).predict(X), want)
    codes = adopt(model.booster_).predict(X)
    assert np.array_equal(model.classes_[codes], want)


def test_even_scores_are_of_the_first_class():
    X, y = np.array([[0.0], [1.0]] * 40), np.array([0, 0, 1, 1] * 20)
    model = lgb.LGBMClassifier(n_estimators=1, verbose=-1).fit(X, y)
    assert (model.predict_proba(X) == 0.5).all()
    assert adopt(model).predict(X).tolist() == model.predict(X).tolist()


def test_names_are_read_where_they_are_its_own():
    X, y = rows(2)
    names = [f"test_{j}" for j in range(8)]
    data = lgb.Dataset(X[:200], y[:200] == "yes", feature_name=names)
    booster = lgb.train({"objective": "binary", "verbose": -1}, data, 1)
    assert read_lightgbm(booster).feature_names == tuple(names)
    assert read_lightgbm(trained(2)[2]).feature_names is None
    assert read_lightgbm(object()) is None


def test_what_is_damaged_or_no_classifier_is_refused():
    text = trained(2)[2].booster_.model_to_string()
    for damaged in (
        re.sub(r"left_child=\d+", "left_child=0", text, count=1),
        text.replace("threshold=", "thresh=", 1),
        re.sub(r"num_leaves=\d+", "num_leaves=99", text, count=1),
        text.replace("max_feature_idx=7", "max_feature_idx=0"),
    ):
        assert damaged != text
        with pytest.raises((InterchangeError, ValueError), match="save"):
            read_text(damaged)
    with pytest.raises(DeployError, match="'lambdarank'"):
        read_text(text.replace("objective=binary sigmoid:1", "objective=lambdarank"))
    with pytest.raises(DeployError, match="takes 3 columns of categories"):
        read_text(text.replace("cal:null", 'cal:[["a"], ["b"], ["c"]]'))


@each("values", [["red", "blue", "green"], [7, 3, 5]])
def test_categories_of_a_table_are_its_words_or_numbers(values):
    X, y = rows(2, gaps=True)
    frame = pd.DataFrame(X, columns=list("abcdefgh"))
    kinds = np.array(values)[np.random.default_rng(0).integers(0, 3, len(X))]
    frame["kind"] = pd.Series(kinds).where(np.arange(len(X)) % 9 > 0)
    y = np.where(kinds == values[0], y[0], y)
    typed = frame.astype({"kind": "category"})
    model = lgb.LGBMClassifier(**QUIET).fit(typed[:2000], y[:2000])
    adopted = adopt(model)
    assert np.array_equal(adopted.predict(frame), model.predict(typed))
    assert adopted.acquirable_features()[0, -1]
