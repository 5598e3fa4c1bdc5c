"""Columns of any kind become states that people know."""

import numpy as np
import pandas as pd

from solvers.bayes import learn_classifier
from solvers.bayes.column_states import column_states
from solvers.datasets import from_frame

N = 120


def table():
    rng = np.random.default_rng(0)
    towns = rng.choice([*"abcdefgh", None], N, p=[*[0.12] * 8, 0.04])
    return from_frame(
        pd.DataFrame(
            {
                "town": towns,
                "age": np.where(rng.random(N) < 0.1, np.nan, rng.normal(50, 9, N)),
                "seen": pd.date_range("2024-01-01", periods=N),
                "ill": np.where(rng.random(N) < 0.5, "y", "n"),
            }
        ),
        "ill",
    )


def states(train=None, n_bins=2):
    data = table()
    rows = np.arange(N) if train is None else train
    return data, *column_states(data.X, rows, n_bins, data.schema, np.ones(len(data.X)))


def test_words_and_days_name_states_and_gaps_are_one():
    _, _, (town, age, seen) = states()
    assert len(town) == 7
    assert town[-2:] == ("other", "missing")
    assert age[-1] == "missing"
    assert seen == ("<= 2024-02-29", "> 2024-02-29")


def test_each_cell_is_in_the_state_of_its_value():
    data, places, (town, age, _) = states()
    values = data.schema.columns[0].values
    for code, place in zip(data.X[:, 0], places[:, 0], strict=True):
        said = "missing" if np.isnan(code) else values[int(code)]
        assert town[place] == (said if said in town else "other")
    assert np.array_equal(places[:, 1] == age.index("missing"), np.isnan(data.X[:, 1]))


def test_what_training_rows_do_not_know_is_as_good_as_the_commonest():
    X = table().X
    told = (np.nan_to_num(X[:, 0], nan=9) < 3) & ~np.isnan(X[:, 1])
    _, places, (town, age, _) = states(np.flatnonzero(told))
    assert town == ("a", "b", "c")
    assert "missing" not in age
    commonest = int(np.argmax(np.bincount(places[told, 0])))
    assert set(places[np.isnan(X[:, 0]) | (X[:, 0] > 2), 0]) == {commonest}


def test_a_classifier_of_a_table_asks_for_its_columns():
    data = table()
    found = learn_classifier(
        data.X, data.y, "y", data.feature_names, "tan", schema=data.schema
    )
    assert set(found.classifier.features) <= set(data.feature_names)
