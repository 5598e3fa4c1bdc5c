"""XGBoost's JSON, against a walk of its lists as its format says they are followed."""

import json

import numpy as np
import pytest

from solvers import adopt
from solvers.adopted.xgboost_json import read_json, read_xgboost
from solvers.errors import DataError, DeployError, InterchangeError
from tests.each import each

from .exported import check_everywhere
from .test_scikit import PRICES, rows

RNG = np.random.default_rng(0)
CATEGORY = 4


def grown(depth):
    """A random tree in XGBoost's lists; column 4 has categories."""
    lists = {
        name: []
        for name in (
            *("left_children", "right_children", "split_conditions", "split_indices"),
            *("default_left", "sum_hessian", "split_type"),
            *("categories", "categories_nodes", "categories_segments"),
            "categories_sizes",
        )
    }

    def grow(level, weight):
        k = len(lists["left_children"])
        is_leaf = level == 0 or RNG.random() < 0.1
        feature = 0 if is_leaf else int(RNG.integers(8))
        is_category = not is_leaf and feature == CATEGORY
        bound = RNG.integers(-64, 65) / 64 if is_leaf else RNG.integers(-6, 7) / 2
        lists["left_children"].append(-1)
        lists["right_children"].append(-1)
        lists["split_conditions"].append(float(bound))
        lists["split_indices"].append(feature)
        lists["default_left"].append(int(RNG.integers(2)))
        lists["sum_hessian"].append(weight)
        lists["split_type"].append(int(is_category))
        if is_category:
            known = sorted(RNG.choice([0, 10, 20, 30, 40], 2, replace=False).tolist())
            lists["categories_nodes"].append(k)
            lists["categories_segments"].append(len(lists["categories"]))
            lists["categories_sizes"].append(2)
            lists["categories"] += known
        if not is_leaf:
            lists["left_children"][k] = grow(level - 1, weight / 2)
            lists["right_children"][k] = grow(level - 1, weight / 2)
        return k

    grow(depth, 100.0)
    return lists


def saved(n_classes, objective, base_score="5E-1", drops=None):
    n_outputs = 1 if n_classes == 2 else n_classes
    trees = [grown(3) for _ in range(6 * n_outputs)]
    booster = {
        "name": "gbtree",
        "model": {
            "trees": trees,
            "tree_info": [k % n_outputs for k in range(len(trees))],
        },
    }
    if drops:
        booster = {"name": "dart", "gbtree": booster, "weight_drop": drops * len(trees)}
    params = {"base_score": base_score, "num_class": str(n_outputs * (n_outputs > 1))}
    return {
        "learner": {
            "feature_names": [],
            "gradient_booster": booster,
            "learner_model_param": {**params, "num_feature": "8"},
            "objective": {"name": objective},
        }
    }


def leaf(tree, row):
    """The leaf of a row: what is below a bound goes left, what is listed right."""
    k = 0
    while tree["left_children"][k] != -1:
        value = np.float32(row[tree["split_indices"][k]])
        if np.isnan(value):
            goes_left = tree["default_left"][k]
        elif tree["split_type"][k]:
            place = tree["categories_nodes"].index(k)
            begin = tree["categories_segments"][place]
            held = tree["categories"][begin : begin + tree["categories_sizes"][place]]
            goes_left = value < 0 or int(value) not in held
        else:
            goes_left = value < np.float32(tree["split_conditions"][k])
        k = tree["left_children" if goes_left else "right_children"][k]
    return tree["split_conditions"][k]


def labels(model, X, begin=0.0, weight=1.0):
    booster = model["learner"]["gradient_booster"]
    lists = booster.get("gbtree", booster)["model"]
    sums = np.full((len(X), max(lists["tree_info"]) + 1), begin)
    for tree, k in zip(lists["trees"], lists["tree_info"], strict=True):
        sums[:, k] += [weight * leaf(tree, row) for row in X]
    return sums[:, 0] > 0 if sums.shape[1] == 1 else sums.argmax(axis=1)


def table():
    X, _ = rows(2, gaps=True, categories=(CATEGORY,))
    X = X[:1500]
    X[::7, CATEGORY], X[::11, CATEGORY] = -3.0, 50.0
    return X


@each(("n_classes", "objective"), [(2, "binary:logistic"), (3, "multi:softprob")])
def test_every_row_is_labelled_as_the_format_says(n_classes, objective, tmp_path):
    model, X = saved(n_classes, objective), table()
    file = tmp_path / "model.json"
    file.write_text(json.dumps(model))
    said = check_everywhere(adopt(file, PRICES, order="cheapest"), X, tmp_path, 300)
    assert np.array_equal(said.labels, labels(model, X))
    assert said.cost.mean() < PRICES.total_cost


def test_it_begins_at_the_odds_of_its_share_and_drops_by_weight():
    model = saved(2, "binary:logistic", "[7.5E-1]", drops=[0.5])
    begin, X = float(np.float32(np.log(3.0))), table()
    got = adopt(json.dumps(model).encode(), classes=["no", "yes"]).predict(X)
    assert np.array_equal(got == "yes", labels(model, X, begin, 0.5))


def test_what_is_damaged_or_no_classifier_is_refused():
    model = saved(2, "binary:logistic")
    text = json.dumps(model)
    with pytest.raises(InterchangeError, match="no whole XGBoost model"):
        read_json(text[:-5])
    with pytest.raises(InterchangeError, match="different lengths"):
        read_json(text.replace('"default_left": [', '"default_left": [1, ', 1))
    with pytest.raises(DeployError, match="rank:ndcg"):
        read_json(text.replace("binary:logistic", "rank:ndcg"))
    with pytest.raises(DataError, match="leads back"):
        read_json(text.replace('"left_children": [1', '"left_children": [0', 1))
    with pytest.raises(InterchangeError, match="pickle is not opened"):
        adopt(b"\x80\x04\x95")
    with pytest.raises(InterchangeError, match="The file is empty"):
        adopt(b"")
    assert read_xgboost(object()) is None
