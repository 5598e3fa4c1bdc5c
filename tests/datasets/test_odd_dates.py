"""Cells that write no day of the calendar are missing, and said."""

import datetime

import numpy as np
import pandas as pd
import pytest

from solvers import read_table, split_dataset
from solvers.datasets import from_frame, open_table, planned_columns
from solvers.datasets.columns.coding import (
    FIRST_DAY,
    LAST_DAY,
    far_days,
)
from solvers.decisions import coding
from solvers.values import DateForm
from tests.each import each

N = 60
ODD = ["2024-13-41", "0000-01-05", "2024-02-31", "2023-00-10", "unknown"]


def table(*odd):
    """Return days of four years with odd cells in rows 5, 12 and so on."""
    rng = np.random.default_rng(0)
    days = np.datetime64("2020-01-01") + rng.integers(0, 1500, N)
    seen = days.astype(str).astype(object)
    for k, text in enumerate(odd):
        seen[7 * k + 4] = text
    return pd.DataFrame({"seen": seen, "x": rng.normal(size=N), "y": np.arange(N) % 2})


def written(tmp_path, frame):
    path = tmp_path / "t.csv"
    frame.to_csv(path, index=False)
    return path


@each("odd", ODD)
def test_an_odd_date_of_a_file_is_missing_and_the_column_still_a_date(tmp_path, odd):
    file = open_table(written(tmp_path, table(odd)))
    plan = next(
        c for c in planned_columns(file, {"y": "label"}, {}) if c.name == "seen"
    )
    sentence = (
        f"Column 'seen' holds what is no date in 1 row (such as '{odd}'; row 5): taken "
        "as missing there; write dates as 2024-12-31."
    )
    assert (plan.kind, plan.warnings) == ("date", (sentence,))
    assert plan.encoded[:3] == ("seen (age)", "seen (month)", "seen (weekday)")
    dataset = read_table(file, "y")
    assert sentence in dataset.notes
    assert np.flatnonzero(np.isnan(dataset.X[:, 0])).tolist() == [4]
    assert dataset.n_samples == N


def test_odd_dates_of_a_frame_are_counted_and_their_rows_named():
    dataset = from_frame(table("2024-02-31", "2023-04-31"), "y")
    assert dataset.schema.names == ("seen", "x")
    (said,) = (note for note in dataset.notes if "no date" in note)
    assert "in 2 rows (such as '2024-02-31'; rows 5, 12)" in said


def test_at_prediction_an_odd_date_is_missing_too():
    encoder = split_dataset(from_frame(table("2024-02-31"), "y")).encoder
    rows = [{"seen": "2023-02-29", "x": 0.0}, {"seen": None, "x": 0.0}]
    odd, missing = encoder.transform(rows)
    assert odd.tolist() == missing.tolist()


def test_words_of_which_few_are_dates_stay_words():
    frame = table()
    frame.loc[np.arange(N) % 4 > 0, "seen"] = "never"
    assert from_frame(frame, "y").schema.columns[0].kind == "category"


def test_dates_with_a_time_have_an_hour():
    frame = table("2024-02-31 10:00")
    frame["seen"] += " 13:45"
    names = split_dataset(from_frame(frame, "y")).encoder.names_
    assert "seen (hour)" in names


def test_a_day_is_written_as_the_calendar_has_it():
    words = ["2024-02-29", "2023-02-29", "2024-12-31T23:59", "2024-12-31 24:01"]
    assert [DateForm().read(word) is not None for word in words] == [True, False] * 2


def test_a_moment_may_have_its_zone():
    words = ["2024-01-01T01:30+01:00", "2024-01-01 00:30Z", "2023-12-31 23:30-01"]
    assert len({DateForm().read(word) for word in words}) == 1
    frame = table()
    frame["seen"] = np.resize([*words, "2024-01-01 00:30", "2023-12-31"], N)
    data = from_frame(frame, "y")
    assert data.schema.columns[0].kind == "date"
    hours = (data.X[:5, 0] - data.X[4, 0]) * 24
    assert hours == pytest.approx([24.5] * 4 + [0])
    form = DateForm()
    policy = coding.CodedValues({}, {"seen": ("date", ())}, (), {"seen": form.printed})
    for word, days in zip(frame["seen"][:5], data.X[:5, 0], strict=True):
        assert policy.number("seen", word) == pytest.approx(days)


@each("word", ["0001-01-01 00:00+14:00", "20240101", "2024-W01-1"])
def test_what_is_no_such_day_is_a_gap_in_what_is_exported_too(word):
    form = DateForm()
    assert form.read(word) is None
    policy = coding.CodedValues({}, {"x": ("date", ())}, (), {"x": form.printed})
    assert np.isnan(policy.number("x", word))


def test_the_calendar_is_that_of_python():
    epoch = datetime.date(1970, 1, 1)
    assert (datetime.date.min - epoch).days == FIRST_DAY
    assert (datetime.date.max - epoch).days == LAST_DAY


@each("far", ["0001-01-01", "9999-12-31", "1590-01-01"])
def test_dates_centuries_away_are_kept_and_their_rows_named(tmp_path, far):
    sentence = (
        "Column 'seen' holds dates centuries away from the others, or outside of 1600 "
        f"to 2200, in 2 rows (such as '{far}'; rows 5, 12): kept as they are; write "
        "nothing where no date is known."
    )
    file = open_table(written(tmp_path, table(far, far)))
    plans = {c.name: c for c in planned_columns(file, {"y": "label"}, {})}
    assert plans["seen"].warnings == (sentence,)
    assert sentence in read_table(file, "y").notes
    assert sentence in from_frame(table(far, far), "y").notes
    # What only says when a row was is told as well.
    assert sentence in from_frame(table(far, far), "y", time="seen").notes
    plans = {
        c.name: c for c in planned_columns(file, {"y": "label", "seen": "time"}, {})
    }
    assert plans["seen"].warnings == (sentence,)


def test_dates_of_a_lifetime_are_not_far_from_each_other():
    days = np.array([-50_000.0, 0.0, 20_000.0, np.nan])  # 1833, 1970, 2024
    assert not far_days(days).any()
    assert far_days(days - 90_000).tolist() == [True, False, False, False]
