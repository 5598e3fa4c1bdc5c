"""Columns that say something of the rows are read as what they say."""

import re

import numpy as np
import pandas as pd
import pytest

from solvers.datasets.table.files import framed_table
from solvers.datasets.table.roles import role_notes, roles_of
from solvers.errors import DataError
from tests.each import each

FRAME = pd.DataFrame(
    {
        "patient": ["b", "a", "b", "c"],
        "day": ["2024-01-02", "2024-01-01", "2024-02-01", None],
        "part": ["Train", "TEST", "validation", "train"],
        "count": [1, 2, 3, 4],
    }
)


def roles(uses, rows=(True, True, True, True)):
    return roles_of(uses, framed_table(FRAME, "visits"), np.array(rows))


def test_rows_of_one_word_are_one_group():
    group = roles({"group": "patient"}).group
    assert group[0] == group[2]
    assert len(set(group)) == 3


def test_parts_are_read_in_any_case_and_weights_as_numbers():
    found = roles({"part": "part", "weight": "count"})
    assert found.part.tolist() == ["train", "test", "validation", "train"]
    assert found.weight.tolist() == [1, 2, 3, 4]


def test_days_are_in_the_order_of_the_calendar():
    first = roles({"time": "day"}, (True, True, True, False)).time
    assert np.argsort(first).tolist() == [1, 0, 2]
    assert roles({"time": "count"}).time.tolist() == [1, 2, 3, 4]


def test_a_row_that_stays_must_say_something():
    with pytest.raises(DataError, match=r"'day' \(the time\) holds nothing in row 4"):
        roles({"time": "day"})


def test_words_are_no_times():
    with pytest.raises(DataError, match="patient"):
        roles({"time": "patient"})


def test_without_uses_there_are_no_roles():
    assert roles({}) is None


@each(
    ("column", "cell"), [("patient", "'b' in row 1"), ("day", "'2024-01-02' in row 1")]
)
def test_a_weight_that_is_no_number_is_refused_by_its_cell(column, cell):
    with pytest.raises(DataError, match=rf"'{column}' \(the weight\) holds {cell}"):
        roles({"weight": column}, (True, True, True, False))


def test_dates_are_no_weights():
    days = FRAME.assign(day=pd.to_datetime(FRAME["day"]).fillna(pd.Timestamp(0)))
    file = framed_table(days, "visits")
    with pytest.raises(DataError, match="holds '2024-01-02 00:00:00' in row 1; give"):
        roles_of({"weight": "day"}, file, np.ones(4, dtype=bool))


@each(
    ("uses", "note"),
    [
        ({"group": "patient"}, "agree in 'patient' stay on one side .*: 3 groups"),
        (
            {"group": "patient", "part": "part"},
            "agree in 'patient' belong together: 3 groups",
        ),
        ({"time": "count"}, "split by 'count': earlier ones train"),
        ({"part": "part"}, "as 'part' says: 2 train, 1 validation, 1 test"),
        ({"weight": "count"}, "count as 'count' says: from 1 to 4"),
    ],
)
def test_what_a_column_does_to_the_rows_is_said(uses, note):
    assert re.search(note, " ".join(role_notes(uses, roles(uses))))
    assert not list(role_notes({}, None))
