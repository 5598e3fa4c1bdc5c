"""A data set that is written as a table is the same when it is read again."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.datasets import (
    from_frame,
    make_heart,
    make_signals,
    read_table,
    reading_options,
    written_table,
)
from tests.bundled import BUNDLED
from tests.datasets.written_forms import assert_same
from tests.each import each

pytestmark = pytest.mark.filterwarnings("ignore:Left out of:solvers.errors.DataWarning")

WORDS = st.sampled_from(["low", "mid", "high", "other", "1", "no answer"])


@st.composite
def frames(draw):
    n = draw(st.integers(24, 60))

    def column(cell):
        return draw(st.lists(st.none() | cell, min_size=n, max_size=n))

    days = pd.to_datetime(pd.Series(column(st.integers(0, 2**31))), unit="s")
    return pd.DataFrame(
        {
            "age": pd.Series(column(st.floats(-1e9, 1e9)), dtype=float),
            "word": pd.Series(column(WORDS), dtype=object),
            "code": pd.Series(column(st.integers(0, 9)), dtype="Int64"),
            "seen": days.astype("datetime64[us]"),
            "is": pd.Series(column(st.booleans()), dtype="boolean"),
            "text": pd.Series(column(st.text(max_size=4)), dtype=object),
            "level": np.arange(n) % 3,
            "ward": np.arange(n) // 4,
            "counts": np.arange(n) % 5 + 1.0,
            "ill": np.arange(n) % 2,
        }
    )


@settings(max_examples=15, deadline=None)
@given(frames(), st.sampled_from(["fill", "value"]))
def test_columns_of_any_kind_come_back_to_the_last_bit(frame, gaps):
    dataset = from_frame(
        frame,
        "ill",
        kinds={
            "word": {"kind": "category", "encoding": "mean of the label"},
            "code": "code",
            "text": "hashed",
            "level": "ordered",
        },
        gaps=gaps,
        group="ward",
        weight="counts",
    )
    table, options = written_table(dataset), reading_options(dataset)
    again = read_table(table, **options, hypergraph=dataset.hypergraph)
    assert_same(again, dataset)
    assert again.positive == dataset.positive
    assert np.array_equal(again.roles.group, dataset.roles.group)
    assert np.array_equal(again.roles.weight, dataset.roles.weight)


@each("make", [make_heart, make_signals])
def test_bundled_data_come_back(make):
    dataset = make()
    table, options = written_table(dataset), reading_options(dataset)
    assert_same(read_table(table, **options, hypergraph=dataset.hypergraph), dataset)


def test_labels_and_roles_take_names_that_no_feature_has():
    dataset = from_frame(
        pd.DataFrame(
            {"label": np.arange(20) / 7, "part": np.arange(20) % 7, "y": [0, 1] * 10}
        ).assign(half=["train", "test", "train", "test", "validation"] * 4),
        "y",
        part="half",
    )
    table, options = written_table(dataset), reading_options(dataset)
    assert options["label"] == "label_"
    assert options["part"] == "part_"
    assert [*table.columns] == ["label", "part", "label_", "part_"]


def test_every_maker_has_a_table():
    assert all(written_table(make()).n_rows for make in BUNDLED.values())


def test_other_marks_of_gaps_are_kept():
    grades = np.resize(np.array(["A", "NA", "-"], object), 30)
    frame = pd.DataFrame({"grade": grades, "y": ["a", "b"] * 15})
    read = from_frame(frame, "y", marks={"gaps": ["-"]})
    options = reading_options(read)
    assert options["marks"] == {"gaps": ["", "-"]}
    again = read_table(written_table(read), **options)
    assert_same(again, read)
    del options["marks"]
    assert_same(read_table(written_table(read), **options), read)
