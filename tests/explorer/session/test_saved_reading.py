"""Columns that are left out come back with a session, or nothing is taken for them."""

import json

import pandas as pd
import pytest

from explorer.document.reading import Reading, TableUse
from explorer.session import saved_reading
from explorer.session.saved_reading import packed_reading, unkept_note, unpacked_reading
from solvers.datasets.table.files import framed_table
from solvers.errors import InterchangeError
from tests.each import each

FRAME = pd.DataFrame(
    {
        "age": range(20),
        "note": [None, "a,b"] * 10,
        "dose": [k % 7 for k in range(20)],
        "ill": ["n", "y"] * 10,
    }
)


@pytest.fixture
def reading():
    use = TableUse({"ill": "label", "note": "left out"})
    return Reading(framed_table(FRAME, "visits"), use, {}, "visits.csv")


@pytest.fixture
def packed(reading):
    return json.loads(json.dumps(packed_reading(reading, reading.dataset())))


def test_a_column_that_is_left_out_comes_back_with_its_cells(reading, packed):
    back = unpacked_reading(packed, reading.dataset())
    assert list(back.file.columns) == list(FRAME.columns)
    assert back.file.columns["note"].to_pylist() == [None, "a,b"] * 10
    assert back.dataset().feature_names == ("age", "dose")
    assert back.filename == "visits.csv"


def test_marks_that_were_told_of_the_file_come_back_with_it():
    frame = FRAME.assign(land=["NA", "kA"] * 10, age=[None, "kA", *range(18)])
    table = framed_table(frame, "visits", {"gaps": ["kA"]})
    use = TableUse({"ill": "label", "note": "left out", "land": "left out"})
    data = Reading(table, use, {}, "visits.csv").dataset()
    told = packed_reading(Reading(table, use, {}, "visits.csv"), data)
    back = unpacked_reading(json.loads(json.dumps(told)), data)
    assert back.file.columns["land"].to_pylist() == ["NA", None] * 10
    assert back.dataset().schema.gap_marks == ("", "kA")


def test_what_is_used_whole_needs_no_keeping(reading):
    whole = Reading(reading.file, TableUse({"ill": "label"}), {}, "visits.csv")
    data = whole.without(["note"]).dataset()
    assert packed_reading(None, data) is None
    assert unpacked_reading(None, data) is None


def test_what_is_too_large_is_named_instead(reading, monkeypatch):
    monkeypatch.setattr(saved_reading, "MAX_PACKED", 10)
    assert packed_reading(reading, reading.dataset()) is None
    assert "'note'" in unkept_note(reading, reading.dataset())


@each(
    "changes",
    [
        {"left_out": "AAAA"},
        {"left_out": "no base64!"},
        {"names": ["age"]},
        {"names": 3},
        {"roles": {"gone": "label"}},
        {"roles": {"ill": "king"}},
        {"missing": "perhaps"},
        {"filename": "x" * 101},
        {"more": 1},
    ],
)
def test_what_was_changed_by_hand_is_refused(reading, packed, changes):
    with pytest.raises(InterchangeError, match="columns of the session are damaged"):
        unpacked_reading({**packed, **changes}, reading.dataset())
