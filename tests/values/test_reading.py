"""The calendar is Python's, and what is no number of ASCII digits is none."""

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from solvers.values import DateForm, DurationForm, NumberForm, TimeForm
from solvers.values.reading import folded
from tests.each import each

EPOCH = datetime(1970, 1, 1)
MICROSECOND = timedelta(microseconds=1)


def days(moment):
    """Days since 1970: whole microseconds, rounded to a float, then divided."""
    return float((moment - EPOCH) // MICROSECOND) / 86_400e6


@given(st.datetimes(), st.sampled_from("T "))
def test_a_moment_of_iso_is_that_of_pythons_calendar(moment, mark):
    assert DateForm().read(moment.isoformat(mark)) == days(moment)


@given(
    st.datetimes(datetime(2, 1, 1), datetime(9998, 12, 31)), st.integers(-1439, 1439)
)
def test_a_zone_is_taken_off(moment, minutes):
    zoned = moment.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    there = zoned.astimezone(UTC).replace(tzinfo=None)
    assert DateForm().read(zoned.isoformat()) == days(there)


@given(st.integers(0, 9999), st.integers(0, 13), st.integers(0, 32))
def test_a_day_is_read_where_the_calendar_has_it(year, month, day):
    try:
        wanted = days(datetime(year, month, day))
    except ValueError:
        wanted = None
    assert DateForm().read(f"{year:04}-{month:02}-{day:02}") == wanted


@given(st.timedeltas(timedelta(-99_999), timedelta(99_999)))
def test_a_duration_of_python_or_pandas_is_read_as_it_is(span):
    exact = span / MICROSECOND / 86_400e6
    assert DurationForm().read(str(span)) == exact
    whole = span - timedelta(span.days)
    written = f"{span.days} days {'+' * (span.days < 0)}{str(whole).zfill(8)}"
    assert DurationForm().read(written) == exact


@given(st.times())
def test_a_time_of_day_counts_in_minutes(time):
    since = datetime.combine(EPOCH, time) - EPOCH
    assert TimeForm().read(time.isoformat()) == since // MICROSECOND / 60e6
    halves = f"{time:%I:%M:%S.%f %p}"
    assert TimeForm().read(halves) == TimeForm().read(time.isoformat())


@each(
    "word",
    [
        "1_2",
        "\uff11\uff12",
        "\u0967\u0968",
        "0x1f",
        "inf",
        "-Infinity",
        "nan",
        "",
        "1e999",
    ],
)
def test_python_takes_more_for_a_number_than_people_do(word):
    assert NumberForm(".", ",").read(word) is None


@each(
    ("word", "number"),
    [
        ("1e3", 1e3),
        ("\u22122.5", -2.5),
        ("+.5", 0.5),
        ("5.", 5.0),
        ("\xa07\t", 7.0),
        ("\u200f8\u200e", 8.0),
    ],
)
def test_signs_exponents_and_bare_points_belong_to_numbers(word, number):
    assert NumberForm().read(word) == number


def test_only_letters_of_ascii_have_small_ones():
    assert folded(" KÖLN\u202f5\u2019 \u2212\n") == "kÖln 5' -"


@each(
    ("word", "micros"),
    [("12:36:36.610169491", 610_169), ("12:36:36.999999999", 999_999)],
)
def test_what_is_finer_than_a_microsecond_is_cut_off(word, micros):
    moment = datetime(2024, 1, 1, 12, 36, 36, micros)
    assert DateForm().read(f"2024-01-01T{word}") == days(moment)
