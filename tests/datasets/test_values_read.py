"""Tables are read as people mean what they write."""

import io
import json
from datetime import date, time, timedelta

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.compute import wire
from solvers import read_table, split_dataset
from solvers.datasets import (
    from_frame,
    open_table,
    planned_columns,
    reading_options,
    written_table,
)
from solvers.errors import DataError
from solvers.values import (
    AmbiguousCellError,
    DurationForm,
    TimeForm,
)
from tests.each import each
from tests.values.printers import PLACES

N = 60
Y = ["a", "b"] * (N // 2)


def csv(sep=",", **columns):
    """A table of text: words as they stand, a column x, and labels y."""
    rows = {
        name: np.resize(np.array(words, object), N) for name, words in columns.items()
    }
    return pd.DataFrame({**rows, "y": Y}).to_csv(index=False, sep=sep).encode()


def column(data, name, **options):
    """The column of a data set, and its codes."""
    read = read_table(data, "y", **options)
    if read.schema is None:
        return None, read.X[:, read.feature_names.index(name)]
    j = read.schema.names.index(name)
    return read.schema.columns[j], read.X[:, j]


@each(
    ("words", "numbers"),
    [
        (["950.5", "1,234"], [950.5, 1234]),
        (["2,037", "1,000,000"], [2037, 1_000_000]),
        (["900", "1,200", "902", "1,210", "903"] * 11 + ["n.k."], [900, 1200, 902]),
        (["$1,234.50", "(12.00)", "5"], [1234.5, -12, 5]),
        (["12.5%", "3%"], [0.125, 0.03]),
        (["36 h", "1 day 2 h"], [1.5, 26 / 24]),
        (["00:03:20", "26:00:00"], [200 / 86_400, 26 / 24]),
    ],
)
def test_a_column_of_numbers_is_read_as_it_is_meant(words, numbers):
    found, codes = column(csv(x=words), "x")
    assert found.kind == "number"
    assert codes[: len(numbers)].tolist() == numbers
    assert open_table(csv(x=words)).columns["x"].type == "string"


def test_the_file_decides_what_a_column_leaves_open():
    data = csv(";", x=["950", "1.234"], beside=["1,5", "2"])
    assert column(data, "x")[1][:2].tolist() == [950, 1234]
    data = csv(x=["950", "1,234"], beside=["1.5", "2"])
    assert column(data, "x")[1][:2].tolist() == [950, 1234]
    assert column(csv(x=["1.234", "2.345"]), "x")[1][:2].tolist() == [1.234, 2.345]


def test_what_stays_open_is_refused_and_can_be_said():
    data = csv(x=["950", "1,234"])
    with pytest.raises(
        AmbiguousCellError, match=r"'x' holds '1,234', .* 1\.234 .* 1234 "
    ):
        read_table(data, "y")
    (plan,) = planned_columns(open_table(data), {}, {}, names=["x"])
    assert "say decimal=',' or decimal='.'" in plan.warnings[0]
    for decimal, number in ((",", 1.234), (".", 1234)):
        for kinds in ({"decimal": decimal}, {"kind": "number", "decimal": decimal}):
            assert column(data, "x", kinds={"x": kinds})[1][1] == number


@each(
    "words",
    [
        ["01", "1", "10"],
        ["007.1", "7.10", "038.11", "007.1"],
        ["1e5", "10e4", "1e5"],
        ["1_0", "2_1", "1_0"],
        ["02001", "20001", "02001"],
        [f"{10**22 + k}" for k in (7, 8, 7)],
    ],
)
def test_codes_stay_the_words_that_they_are(words):
    found, codes = column(csv(x=words), "x")
    assert found.kind == "category"
    assert set(found.values) == set(words)
    assert [found.values[int(code)] for code in codes[: len(words)]] == words
    encoder = split_dataset(read_table(csv(x=words), "y")).encoder
    again = encoder.transform([{"x": word} for word in words])
    assert np.array_equal(again, encoder.encode(codes[: len(words), None]))


@each(
    ("words", "first"),
    [
        (["08:30", "9:15"], 510),
        (["31.12.2024"], 20_088),
        (["1,5", "2"], 1.5),
        (["36 h"], 1.5),
    ],
)
def test_the_time_of_a_row_is_read_as_any_column(words, first):
    rows = csv(";", at=words, x=[str(k) for k in range(N)])
    assert read_table(rows, "y", time="at").roles.time[0] == first


def test_groups_and_labels_are_words_first():
    data = csv(site=["01", "1", "2", "3"], x=[str(k) for k in range(N)])
    read = read_table(data, "y", group="site")
    assert len(np.unique(read.roles.group)) == 4
    labels = csv(x=[str(k) for k in range(N)], z=["01", "1"])
    assert set(read_table(labels, "z").y) == {"01", "1"}


def test_a_category_of_numbers_keeps_them_apart():
    words = ["1.1", "1.10", "1.2"]
    found, _ = column(csv(v=words), "v", kinds={"v": "category"})
    assert found.values == tuple(words)
    number, codes = column(csv(v=words), "v")
    assert number is None
    assert codes[:3].tolist() == [1.1, 1.1, 1.2]


def test_gaps_are_trimmed_before_they_are_compared():
    data = b"age, work, income\n" + b"?, ?, ?\n21, Gov, >50K\n22, Private, <=50K\n" * 20
    read = read_table(data, "income")
    assert set(read.y) == {">50K", "<=50K"}
    assert {c.name: c.values for c in read.schema}["work"] == ("Gov", "Private")


def test_times_of_day_keep_their_minutes_and_their_circle():
    words = [f"00:{k:02}:07" for k in range(30)]
    found, codes = column(csv(call=words), "call")
    assert (found.kind, found.form) == ("time", TimeForm())
    assert codes[:30].tolist() == [(60 * k + 7) / 60 for k in range(30)]
    encoder = split_dataset(read_table(csv(call=words), "y")).encoder
    assert encoder.names_ == ("call (minute)", "call (sine)", "call (cosine)")
    minutes, sines, cosines = encoder.transform(
        [{"call": time(6)}, {"call": "18:00"}]
    ).T
    np.testing.assert_allclose(minutes, [360, 1080])
    np.testing.assert_allclose(sines, [1, -1])
    np.testing.assert_allclose(cosines, [0, 0], atol=1e-12)
    kinds = {"call": {"kind": "number", "clock": "h:m"}}
    found, codes = column(csv(call=words), "call", kinds=kinds)
    assert found.form == DurationForm()
    assert codes[1] == 67 / 86_400


def test_dates_of_a_column_decide_their_order():
    days = [date(2024, 1, 1) + timedelta(k) for k in range(N)]
    wanted = [(day - date(1970, 1, 1)).days for day in days]
    for form in ("%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d %b %Y", "%Y-%m-%d"):
        found, codes = column(csv(seen=[f"{day:{form}}" for day in days]), "seen")
        assert found.kind == "date"
        assert codes.tolist() == wanted
    with pytest.raises(
        AmbiguousCellError, match="'1/2/2024', which may be 2024-02-01 or"
    ):
        read_table(csv(seen=["1/2/2024", "3/4/2024"]), "y")
    kinds = {"seen": {"order": "mdy"}}
    assert (
        column(csv(seen=["1/2/2024", "3/4/2024"]), "seen", kinds=kinds)[1][0] == 19_724
    )


@each("form", ["text", "numbers"])
def test_whole_numbers_may_be_said_to_be_dates(form):
    words = ["20240131", "20240201"]
    cells = words if form == "text" else list(map(int, words))
    frame = pd.DataFrame({"day": cells * 30, "y": Y})
    assert from_frame(frame, "y").feature_names == ("day",)
    read = from_frame(frame, "y", kinds={"day": "date"})
    assert read.X[:2, 0].tolist() == [19_753, 19_754]


def test_nanoseconds_are_cut_off_and_said_to_be():
    moments = pd.date_range("2024-01-01", periods=N, freq="12h36min36s610169491ns")
    frame = pd.DataFrame({"t": moments, "y": Y})
    files = [frame.to_csv(index=False).encode(), io.BytesIO()]
    frame.to_parquet(files[1], index=False)
    wanted = moments.asi8 // 1000 / 86_400e6
    for file in (files[0], files[1].getvalue()):
        read = read_table(file, "y")
        assert read.X[:, 0].tolist() == wanted.tolist()
        assert any("finer than a microsecond is cut off" in n for n in read.notes)


def test_an_engineers_table_of_loans_is_read_whole():
    loans = {
        "amount": ["$12,500", "$7,250", "$900"],
        "rate": ["13.56%", "7.9%"],
        "issued": ["Dec-2011", "Jan-2012", "Mar-2012"],
        "last paid": ["01/31/2015", "12/05/2015"],
        "term": ["36 months", "60 months"],
        "zip": ["02001", "10115", "?"],
        "balance": ["1,204.55", "(12.00)", " NA "],
        "income": ["24000.0", "30000.5"],
    }
    read = read_table(csv(**loans), "y")
    assert read.schema.names == tuple(loans)
    kinds = {c.name: c.kind for c in read.schema}
    assert [kinds[name] for name in loans] == [
        *(
            "number",
            "number",
            "date",
            "date",
            "category",
            "category",
            "number",
            "number",
        )
    ]
    assert not any("Left out" in note for note in read.notes)


@each("place", PLACES.values(), ids=PLACES)
@settings(max_examples=8, deadline=None)
@given(st.data())
def test_a_table_of_any_place_is_the_table_of_its_values(place, data):
    """Printed by a place and read: the same values, by the file as by a frame."""
    hundredths = st.lists(st.integers(-(10**8), 10**8), min_size=N, max_size=N)
    cents = np.array(data.draw(hundredths)) / 100
    cents[:2] = 0.25, 1234.5
    days = data.draw(st.lists(st.dates(date(1950, 1, 1)), min_size=N, max_size=N))
    days[:2] = date(2024, 12, 31), date(1950, 1, 2)
    values = {
        "number": cents.tolist(),
        "money": cents.tolist(),
        "whole": [round(x) for x in cents],
        "day": [float((day - date(1970, 1, 1)).days) for day in days],
    }
    words = {
        "number": [place.number(x, 2) for x in cents],
        "money": [place.amount(x) for x in cents],
        "whole": [place.number(x) for x in values["whole"]],
        "day": [place.date(day) for day in days],
    }
    frame = pd.DataFrame({**words, "y": Y})
    sep = ";" if place.decimal == "," else ","
    for read in (
        read_table(frame.to_csv(index=False, sep=sep).encode(), "y"),
        from_frame(frame, "y"),
    ):
        for name, wanted in values.items():
            j = read.feature_names.index(name)
            assert read.X[:, j].tolist() == wanted, name


def test_a_form_is_kept_with_the_kinds_and_in_what_is_written():
    columns = {
        "pay": ["1,5 €", "2 €"],
        "call": ["08:30", "9:15:07.5"],
        "seen": ["31/12/2024", "1/2/2024"],
        "wait": ["1 h", "30 min"],
    }
    read = read_table(csv(";", **columns), "y")
    assert read.schema.columns[0].form.currency == "€"
    assert type(read.schema).from_json(read.schema.to_json()) == read.schema
    options = reading_options(read)
    json.dumps(options["kinds"])  # as a session keeps them
    again = read_table(written_table(read), **options, hypergraph=read.hypergraph)
    assert again.schema == read.schema
    assert np.array_equal(again.X, read.X)
    sent = wire.read(wire.written(read.schema))
    assert sent == read.schema
    with pytest.raises(DataError, match="has the kind 'colour'"):
        read_table(csv(x=["1,5"]), "y", kinds={"x": {"form": {"kind": "colour"}}})
