"""What is said of columns before a table is opened is what then becomes of them."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

from solvers import split_dataset
from solvers.costs.interchange.sources import sample_data
from solvers.datasets import open_table, planned_columns, read_table
from solvers.datasets.table.files import framed_table
from tests.datasets.table.test_written import frames


def planned(table, roles=None, kinds=None, gaps="fill"):
    return {p.name: p for p in planned_columns(table, roles or {}, kinds or {}, gaps)}


def csv(frame):
    return open_table(frame.to_csv(index=False).encode())


@pytest.fixture(scope="module")
def heart():
    return open_table(sample_data("heart", "heart.csv"))


def test_the_plan_of_the_heart_table_is_what_reading_makes_of_it(heart):
    plans = planned(heart, {"disease": "label"})
    dataset = read_table(heart, "disease")
    encoder = split_dataset(dataset).encoder
    for j, column in enumerate(dataset.schema):
        plan = plans[column.name]
        names = [encoder.names_[k] for k in np.flatnonzero(encoder.column_of_ == j)]
        assert (plan.kind, plan.gaps) == (column.kind, column.gaps)
        assert list(plan.encoded) == names
    assert plans["disease"].role == "label"
    assert plans["disease"].encoded == ()


@settings(max_examples=10, deadline=None)
@given(frames())
def test_a_plan_counts_gaps_and_encoded_columns_as_reading_does(frame):
    table = framed_table(frame, "frame")
    roles = {"ill": "label", "ward": "group", "counts": "weight"}
    plans = planned(table, roles, {"level": "ordered"})
    dataset = read_table(
        table, "ill", group="ward", weight="counts", kinds={"level": "ordered"}
    )
    kept = dict(zip(dataset.feature_names, dataset.schema or (), strict=False))
    for name, plan in plans.items():
        assert bool(plan.encoded) == (name in dataset.feature_names)
        if name in kept:
            assert plan.kind == kept[name].kind
            assert bool(plan.n_missing) <= kept[name].has_gaps


def test_a_kind_that_a_column_has_nothing_of_is_said():
    table = csv(pd.DataFrame({"word": ["a", "b"] * 4, "y": [0, 1] * 4}))
    plan = planned(table, {"y": "label"}, {"word": "number"})["word"]
    said = "Left out: it holds nothing of this kind; choose another kind."
    assert plan.warnings == (said,)
    assert plan.encoded == ()


def test_words_among_numbers_count_as_gaps():
    ages = [*map(str, range(18)), "n.k.", "old"]
    table = csv(pd.DataFrame({"age": ages, "y": [0, 1] * 10}))
    plan = planned(table, {"y": "label"})["age"]
    assert (plan.n_missing, plan.encoded) == (2, ("age", "age is missing"))


def test_how_cells_are_read_is_said_and_warns_of_nothing():
    text = "price;same;y\n" + "".join(f"{k},5;1;{k % 2}\n" for k in range(40))
    plans = planned(open_table(text.encode()), {"y": "label"})
    assert plans["price"].warnings == ()
    assert plans["price"].notes == ("Column 'price' holds numbers: '0,5' is 0.5.",)
    assert plans["same"].warnings
    assert not plans["same"].notes


def test_a_kind_that_cannot_be_read_is_refused_in_its_own_line():
    table = csv(pd.DataFrame({"word": ["a", "b", "c"] * 4, "y": [0, 1] * 6}))
    plans = planned(table, {"y": "label"}, {"word": "yes/no"})
    assert "a column of the kind yes/no has two" in plans["word"].warnings[0]
    assert plans["y"].warnings == ()


def test_what_is_left_out_says_why():
    n = 40
    table = csv(
        pd.DataFrame(
            {
                "id": [f"p{k}" for k in range(n)],
                "same": 1,
                "x": np.arange(n) % 7,
                "y": [0, 1] * (n // 2),
            }
        )
    )
    plans = planned(table, {"y": "label", "x": "left out"})
    assert plans["id"].kind == "identifier"
    assert plans["id"].warnings[0] == "Left out: it only names the rows."
    assert plans["same"].warnings[0].endswith("the same value in every row.")
    assert plans["x"].encoded == ()
    assert plans["x"].warnings == ()


def test_a_column_that_tells_the_label_is_warned_of():
    told = np.arange(60) % 2
    frame = pd.DataFrame({"copy": told * 3.5, "x": np.arange(60) % 7, "y": told})
    plans = planned(csv(frame), {"y": "label"})
    assert "alone tells the label" in plans["copy"].warnings[0]
    assert plans["x"].warnings == ()


def test_groups_of_one_row_each_are_warned_of():
    frame = pd.DataFrame({"who": np.arange(60), "x": np.arange(60) % 7})
    frame["y"] = np.arange(60) % 2
    table = csv(frame)
    (warning,) = planned(table, {"who": "group", "y": "label"})["who"].warnings
    assert warning.startswith("Nearly every row is a group of its own (60 groups")
    assert warning in read_table(table, "y", group="who").notes
    frame["who"] //= 5
    assert planned(csv(frame), {"who": "group"})["who"].warnings == ()


def test_a_column_that_cannot_be_a_label_says_so():
    table = csv(pd.DataFrame({"x": np.arange(9) / 7, "y": [0, 1, 0] * 3}))
    (warning,) = planned(table, {"x": "label"})["x"].warnings
    assert "it is continuous" in warning


def test_whole_numbers_that_may_be_days_are_offered_as_dates():
    days = pd.date_range("2023-12-20", periods=40, freq="D")
    frame = pd.DataFrame(
        {
            "day": days.strftime("%Y%m%d").astype(int),
            "sum": range(20_231_220, 20_231_260),  # the 32nd is no day
            "ill": ["y", "n"] * 20,
        }
    )
    table = framed_table(frame, "visits")
    day, total, _ = planned_columns(table, {"ill": "label"}, {})
    assert (day.kind, day.offered, total.offered) == ("number", "date", "")
    assert any("which may be a date" in words for words in day.warnings)
    day, *_ = planned_columns(table, {"ill": "label"}, {"day": day.offered})
    assert (day.kind, day.offered) == ("date", "")
