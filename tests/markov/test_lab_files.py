"""Sensor files are read as they were written, and bad lines are counted."""

import io
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.errors import InterchangeError, ThriftscopeError
from solvers.markov import (
    read_lab,
    read_sensor_csv,
    simulate_lab,
    take_snapshots,
    write_lab,
    write_sensor_csv,
)
from tests.each import each

GOOD = "2004-03-31 03:38:15.757551 2 1 22.15 39.19 11.04 2.34\n"


PLACES = "1 21.5 23\n2 24.5 20\n"


def read(text, places=PLACES):
    return read_lab(io.StringIO(text), io.StringIO(places))


@pytest.fixture(scope="module")
def lab():
    return simulate_lab(2, random_state=0)


@each(("write", "load"), [(write_lab, read_lab), (write_sensor_csv, read_sensor_csv)])
def test_what_is_written_is_read(lab, tmp_path, write, load):
    again = load(*write(lab, tmp_path))
    assert np.array_equal(again.times, lab.times)
    assert np.array_equal(again.sensors, lab.sensors)
    assert np.array_equal(again.values, lab.values)
    assert np.array_equal(again.positions, lab.positions)
    assert again.sensor_names == lab.sensor_names
    assert again.dropped == {}


def test_a_line_of_the_public_file_is_understood():
    readings = read(GOOD)
    assert readings.times[0] == np.datetime64("2004-03-31T03:38:15.757551")
    assert readings.values.tolist() == [[22.15, 39.19, 11.04, 2.34]]
    assert readings.sensors.tolist() == [0]
    assert readings.positions.tolist() == [[21.5, 23.0], [24.5, 20.0]]


def test_commas_serve_as_well_as_blanks():
    text = GOOD.replace(" ", ",")
    assert read(text, "1,21.5,23\n").values[0, 0] == 22.15


@each(
    ("line", "reason"),
    [
        ("2004-03-31 03:38:15.7 2 1 22.15 39.19 11.04\n", "not eight fields"),
        ("2004-03-31 03:38:15.7 2 1 22.15 39.19 11.04 2.3 9\n", "not eight fields"),
        ("\x00\x01 garbage\n", "not eight fields"),
        ("x" * 300_000 + "\n", "not eight fields"),
        ("2004-03-31 03:38:15.7 2 65407 22 39 11 2.3\n", "unknown sensor"),
        ("2004-13-31 03:38:15.7 2 1 22 39 11 2.3\n", "not a number or a date"),
        ("2004-03-31 25:38:15.7 2 1 22 39 11 2.3\n", "not a number or a date"),
        ("0001-01-01 00:00:00+05:00 2 1 22 39 11 2.3\n", "not a number or a date"),
        ("2004-03-31 03:38:15.7 2 1 warm 39 11 2.3\n", "not a number or a date"),
        ("2004-03-31 03:38:15.7 2 1 2_2 39 11 2.3\n", "not a number or a date"),
        ("2004-03-31 03:38:15.7 2 1 ２２ 39 11 2.3\n", "not a number or a date"),
        ("2004-03-31 03:38:15.7 2 1 122.153 39 11 2.3\n", "impossible value"),
        ("2004-03-31 03:38:15.7 2 1 22 39 -11 2.3\n", "impossible value"),
        ("2004-03-31 03:38:15.7 2 1 22 39 11 0.01\n", "impossible value"),
        ("2004-03-31 03:38:15.7 2 1 22 nan 11 2.3\n", "not a number or a date"),
    ],
)
def test_bad_lines_are_left_out_and_counted(line, reason):
    readings = read(GOOD + line + GOOD)
    assert len(readings) == 2
    assert set(readings.dropped) == {reason}


def test_the_rest_of_a_file_with_bad_lines_is_what_it_was(lab, tmp_path):
    data, places = write_lab(lab, tmp_path)
    lines = data.read_text().splitlines()
    for k in range(0, len(lines), 10):
        lines.insert(k, lines[k][: len(lines[k]) // 2])
    data.write_text("\n".join(lines))
    again = read_lab(data, places)
    assert np.array_equal(again.values, lab.values)
    assert sum(again.dropped.values()) == -(-len(lab) // 10)
    assert len(take_snapshots(again)) == len(take_snapshots(lab))


def test_readings_are_put_in_the_order_of_time():
    late = GOOD.replace("03:38", "05:38").replace("22.15", "25.0")
    assert read(late + GOOD).values[:, 0].tolist() == [22.15, 25.0]


@each(
    ("text", "places", "sentence"),
    [
        ("", PLACES, "is empty; give lines"),
        ("a b\n", PLACES, "no reading that can be used \\(1 line left out\\)"),
        (GOOD, "1 2\n", "Line 1 of the file has 2 fields; give sensor, x and y"),
        (GOOD, "1 2 north\n", "has 'north' in column 'y'; give a finite number"),
        (GOOD, PLACES + "1 2 3\n", "Line 3 of the file places sensor '1' a second"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_sentence(text, places, sentence):
    with pytest.raises(InterchangeError, match=sentence):
        read(text, places)


def test_a_missing_column_is_named():
    table = io.StringIO("timestamp,sensor,temperature,humidity,voltage\n")
    with pytest.raises(InterchangeError, match="no column 'light'; its columns are"):
        read_sensor_csv(table, io.StringIO("sensor,x,y\n1,0,0\n"))


def test_timestamps_with_a_zone_are_read_in_universal_time():
    table = "timestamp,sensor,temperature,humidity,light,voltage\n"
    row = "2004-03-31T05:00:00+02:00,1,20,40,100,2.5\n"
    places = io.StringIO("sensor,x,y\n1,0,0\n")
    readings = read_sensor_csv(io.StringIO(table + row), places)
    assert readings.times[0] == np.datetime64("2004-03-31T03:00:00")


@settings(max_examples=50)
@given(st.text(max_size=300), st.text(max_size=100))
def test_no_text_does_more_than_be_refused(text, places):
    with suppress(ThriftscopeError):
        read(text, places)
