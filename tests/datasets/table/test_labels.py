"""The column of labels: its classes, who is of which, and what is refused."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from solvers.datasets import from_frame, read_table
from solvers.datasets.table.roles import labels_of, usual_positive
from solvers.errors import DataError, DataWarning
from tests.each import each


def _labels(values, kind=None):
    return labels_of("y", pa.chunked_array([pa.array(values, kind)]))


@each(
    ("values", "classes", "codes"),
    [
        (["b", "a", "b"], ("a", "b"), [1, 0, 1]),
        (["b ", " a", None, ""], ("a", "b"), [1, 0, -1, -1]),
        ([2.0, 0.0, None], (0, 2), [1, 0, -1]),
        ([True, False], (False, True), [1, 0]),
        ([10, 9, 10], (9, 10), [1, 0, 1]),
    ],
)
def test_classes_are_the_distinct_labels_sorted(values, classes, codes):
    labels = _labels(values)
    assert labels.classes == classes
    assert labels.codes.tolist() == codes


def test_categories_that_no_row_holds_are_no_classes():
    column = pa.DictionaryArray.from_arrays(
        pa.array([2, 0, 2]), pa.array(["a", "never", "b"])
    )
    labels = labels_of("y", pa.chunked_array([column]))
    assert labels.classes == ("a", "b")
    assert labels.of(np.array([True, False, True])).tolist() == ["b", "b"]


def test_chunks_of_other_dictionaries_are_one_column():
    chunks = [pa.array(["a", "b"]).dictionary_encode() for _ in range(2)]
    chunks[1] = pa.array(["c", "a"]).dictionary_encode()
    labels = labels_of("y", pa.chunked_array(chunks))
    assert labels.classes == ("a", "b", "c")
    assert labels.codes.tolist() == [0, 1, 2, 0]


def test_a_label_is_found_as_it_is_written():
    assert _labels([1, 0]).find("1") == 1
    assert _labels([1, 0]).find(None) is None
    with pytest.raises(DataError, match="No row is labelled 'x'"):
        _labels([1, 0]).find("x")


def test_numbers_that_are_text_stay_text():
    labels = _labels(["9" * 30, "1"])
    assert labels.classes == ("1", "9" * 30)


@each(
    ("values", "sentence"),
    [
        ([None, None], "holds no value; name a column with the class of each row"),
        ([0.5, 1.0], "holds 0.5: it is continuous"),
        ([[1], [2]], "holds values of another kind"),
        ([f"w{k}" for k in range(60)], "holds 60 distinct values, such as 'w0'"),
        (["a", "x" * 2000], "of 2,000 characters, too long"),
    ],
    ids=["empty", "continuous", "nested", "many", "long"],
)
def test_what_are_no_labels_is_refused(values, sentence):
    with pytest.raises(DataError) as refusal:
        _labels(values)
    assert sentence in str(refusal.value)


@each(
    ("counts", "positive"),
    [
        ({"healthy": 80, "ill": 20}, "ill"),
        ({"default": 10, "paid": 90}, "default"),  # the first of the alphabet
        ({0: 30, 1: 90}, 1),
        ({-1: 30, 1: 90}, 1),
        ({False: 30, True: 90}, True),
        ({"ja": 90, "nein": 30}, "ja"),
        ({1: 90, 2: 10}, 2),
        ({"a": 25, "b": 25}, "b"),
        ({"a": 25, "b": 25, "c": 20}, None),
    ],
)
def test_the_label_that_says_yes_or_the_rarer_one_is_positive(counts, positive):
    assert usual_positive(counts) == positive
    rows = "".join(f"{label},{k}\n" * n for k, (label, n) in enumerate(counts.items()))
    dataset = read_table(f"y,x\n{rows}".encode(), "y")
    assert dataset.positive == positive


def test_a_frame_warns_of_columns_that_are_left_out():
    frame = pd.DataFrame({"x": [1, 2] * 30, "flat": 1, "y": ["a", "b"] * 30})
    with pytest.warns(DataWarning, match="Left out of 'frame': 'flat'; the notes"):
        dataset = from_frame(frame, "y")
    assert dataset.feature_names == ("x",)
    from_frame(frame, "y", leave_out=["flat"])  # whoever knows is not warned
