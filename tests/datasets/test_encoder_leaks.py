"""An encoder that sees test rows is caught; ours sees training rows alone.

The check changes all that rows outside of training hold, labels too, and looks whether
anything changes that training rows become, or what one test row becomes beside others.
"""

import dataclasses

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from solvers import split_dataset
from solvers.datasets import from_frame
from solvers.datasets.columns import TableEncoder
from tests.each import each

N = 400
KINDS = {"town": {"kind": "category", "encoding": "mean of the label"}}


def table(seed=0):
    """Return columns of which a fit learns something, and labels of chance."""
    rng = np.random.default_rng(seed)
    days = np.datetime64("2020-01-01") + rng.integers(0, 900, N)
    return pd.DataFrame(
        {
            "age": np.where(rng.random(N) < 0.2, np.nan, rng.normal(50, 9, N)),
            "pain": rng.choice(["dull", "none", "sharp"], N),
            "day": days.astype("datetime64[s]"),
            "town": [f"t{k}" for k in rng.integers(0, 60, N)],
            "ill": rng.integers(0, 2, N),
        }
    )


def ours(dataset, rows):
    """Encode as every split does."""
    split = dataclasses.replace(split_dataset(dataset), rows=rows)
    return split.X("train"), split.X("test")


def fitted_on_all_rows(dataset, rows):
    """Encode with medians, rare values, latest dates and means of all rows: a leak."""
    encoder = TableEncoder(dataset.schema)
    encoder.fit_codes(dataset.X, dataset.y)
    return tuple(encoder.encode(dataset.X[rows[part]]) for part in ("train", "test"))


def fitted_on_test_rows(dataset, rows):
    """Encode each part by itself: test rows know each other."""
    return tuple(
        TableEncoder(dataset.schema).fit_codes(
            dataset.X[rows[part]], dataset.y[rows[part]]
        )
        for part in ("train", "test")
    )


def sees_other_rows(encode, dataset):
    """Return whether rows outside of training change what any row becomes."""
    rows = split_dataset(dataset).rows
    others = np.concatenate([rows["validation"], rows["test"]])
    watched, changed = rows["test"][0], np.setdiff1d(others, rows["test"][:1])
    X, y = dataset.X.copy(), dataset.y.copy()
    X[changed] = dataset.X[changed[0]] + [3e3, 0, 3e3, 0]
    y[others] = y[others[0]]
    odd = dataclasses.replace(dataset, X=X, y=y)
    assert np.array_equal(X[watched], dataset.X[watched], equal_nan=True)
    train, test = encode(dataset, rows)
    odd_train, odd_test = encode(odd, rows)
    return not (
        np.array_equal(train, odd_train) and np.array_equal(test[0], odd_test[0])
    )


@each("leaky", [fitted_on_all_rows, fitted_on_test_rows])
def test_an_encoder_that_sees_test_rows_is_caught(leaky):
    assert sees_other_rows(leaky, from_frame(table(), "ill", kinds=KINDS))


def test_our_encoder_sees_training_rows_alone():
    assert not sees_other_rows(ours, from_frame(table(), "ill", kinds=KINDS))


def test_labels_of_chance_stay_chance_unless_the_encoder_has_seen_them():
    """Means of the label over all rows tell test labels that nothing can tell."""
    seen, unseen = [], []
    for seed in range(5):
        dataset = from_frame(table(seed), "ill", kinds=KINDS)
        rows = split_dataset(dataset).rows
        for encode, areas in ((fitted_on_all_rows, seen), (ours, unseen)):
            train, test = encode(dataset, rows)
            town = slice(-1, None)  # the last column: the means
            model = LogisticRegression().fit(train[:, town], dataset.y[rows["train"]])
            scores = model.decision_function(test[:, town])
            areas.append(roc_auc_score(dataset.y[rows["test"]], scores))
    assert np.mean(seen) > 0.6
    assert abs(np.mean(unseen) - 0.5) < 0.08
