"""Columns and rows that cannot be learned from go, and each going is told."""

import numpy as np
import pandas as pd
import pytest

from solvers.datasets.table.assembly import TableDraft, refuse_rare_classes
from solvers.datasets.table.files import framed_table
from solvers.datasets.table.roles import Labels
from solvers.errors import DataError
from tests.each import each

N = 20


def draft(columns, gaps="fill", kinds=None, codes=None):
    codes = np.arange(N) % 2 if codes is None else np.asarray(codes)
    file = framed_table(pd.DataFrame(columns), "mine")
    return TableDraft(file, Labels(("n", "y"), codes), set(), kinds or {}, gaps)


def told(found, words):
    return [note for note in found.notes if words in note]


GOOD = np.linspace(0.0, 1.0, N)


def test_columns_that_say_nothing_are_left_out_by_reason():
    found = draft({"good": GOOD, "same": 1.0, "void": [None] * N})
    assert found.names == ["good"]
    assert told(found, "same value in every row (for instance 1): 'same'")
    assert told(found, "holds no value: 'void'")


@each("value", [5.0, True, "done"])
def test_one_value_and_gaps_tell_apart_where_it_is_missing(value):
    found = draft({"good": GOOD, "done": [value, None] * (N // 2)})
    assert found.names == ["good", "done"]


def test_rows_with_gaps_go_where_they_are_to_and_are_counted():
    holes = np.where(np.arange(N) < 3, np.nan, GOOD)
    found = draft({"good": GOOD, "holes": holes}, "drop", codes=[-1, *[0, 1] * 9, 0])
    found.drop_rows()
    assert found.rows.sum() == N - 3
    assert told(found, f"3 of {N} rows dropped: 1 without a label, 2 with a missing")
    assert found.matrix(["holes", "good"]).shape == (N - 3, 2)
    assert not np.isnan(found.matrix(["holes"])).any()


def test_a_column_that_is_constant_in_what_is_left_goes_too():
    late = np.where(np.arange(N) < 2, np.arange(N), 5.0)
    holes = np.where(np.arange(N) < 2, np.nan, GOOD)
    found = draft({"good": GOOD, "holes": holes, "late": late}, "drop")
    found.drop_rows()
    assert found.names == ["good", "holes"]
    assert told(found, "every row that is left: 'late'")


def test_filled_gaps_are_counted_and_marked_in_the_schema():
    found = draft({"good": GOOD, "holes": np.where(GOOD > 0.9, np.nan, GOOD)})
    (note,) = [n for n in found.kind_notes(found.names) if "Gaps are filled" in n]
    assert note.endswith("'holes' (2).")
    assert [c.has_gaps for c in found.schema(found.names)] == [False, True]


@each(
    ("columns", "codes", "sentence"),
    [
        ({"a": np.where(GOOD < 0.6, np.nan, GOOD)}, None, "most of them in column 'a'"),
        ({"a": GOOD}, [-1] * 15 + [0, 1] * 2 + [0], "15 of 20 rows have no label"),
        ({"a": GOOD}, [0] * N, "left is labelled 'n'; give rows of two"),
        ({"a": GOOD}, [0] * 17 + [1] * 3, "'y' has too few rows left, 3"),
    ],
)
def test_too_few_rows_are_refused(columns, codes, sentence):
    with pytest.raises(DataError, match=sentence):
        draft(columns, "drop", codes=codes).drop_rows()


def test_nothing_to_learn_from_is_refused():
    with pytest.raises(DataError, match="no column to learn from among 'same'"):
        draft({"same": np.ones(N)}).keep([])


def test_classes_that_no_row_is_of_do_not_count():
    labels = Labels(("a", "b", "c"), np.repeat([0, 2], 4))
    refuse_rare_classes(labels, np.ones(8, dtype=bool))
