"""Order is decided by the column, or the day in doubt is named."""

from datetime import date, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.errors import DataError
from solvers.values import (
    AmbiguousCellError,
    Beside,
    DateForm,
    DurationForm,
    TimeForm,
    date_form,
    offered_dates,
    time_form,
)
from solvers.values.dates import date_orders
from tests.each import each

from .printers import PLACES

LAST = "2024-12-31"
DAYS = (date(2024, 12, 31) - date(1970, 1, 1)).days
# As locales have them: of languages that we read, whole and cut off
MONTHS = {
    "en": "January February March April May June July August September October "
    "November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November "
    "Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre "
    "décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre "
    "noviembre diciembre",
    "sv": "januari februari mars april maj juni juli augusti september oktober "
    "november december",
}


@each(
    "word",
    [
        *("2024-12-31", "2024/12/31", "2024.12.31", "31.12.2024", "31.12.24"),
        *("31. 12. 2024", "31 Dec 2024", "31-Dec-24", "31DEC2024", "31. Dezember 2024"),
        *("Dec 31, 2024", "December 31st, 2024", "Tue, 31 Dec 2024", "2024-Dec-31"),
        *("31 de diciembre de 2024", "20241231T000000Z"),
    ],
)
def test_what_can_only_be_one_day_is_that_day_in_every_column(word):
    for order in ("", "dmy", "mdy"):
        assert DateForm(order).read(word) == DAYS
    assert date_form([word]).read(word) == DAYS


@each(
    ("words", "order"),
    [
        (["1/2/2024", "31/12/2024"], "dmy"),
        (["1/2/2024", "12/31/2024"], "mdy"),
        (["1-2-24", "12-31-24", "1-3-24"], "mdy"),
        (["99-12-31", "01-02-03"], "ymd"),
        (["31/12/24", "01/02/24"], "dmy"),
        (["1/2/2024 1:05 PM", "12/31/2024 12:00 AM"], "mdy"),
    ],
)
def test_a_column_decides_its_order_by_all_of_its_days(words, order):
    form = date_form(words)
    assert form.order == order
    assert not np.isnan(form.read_all(words)).any()


def test_a_slip_of_another_order_is_missing():
    words = ["31/12/2024", "1/2/2024", "12/31/2024"]
    form = date_form(words, [90, 5, 5])
    assert form.order == "dmy"
    assert form.read("12/31/2024") is None


@each(
    ("words", "cell", "readings"),
    [
        (["1/1/2024", "1/2/2024"], "1/2/2024", ["2024-02-01", "2024-01-02"]),
        (["24-12-31"], "24-12-31", ["2031-12-24", "2024-12-31"]),
    ],
)
def test_a_day_that_stays_in_doubt_is_refused_with_both_readings(words, cell, readings):
    with pytest.raises(AmbiguousCellError) as caught:
        date_form(words, name="seen")
    assert caught.value.cell == cell
    assert list(caught.value.readings.values()) == readings
    assert "'seen'" in str(caught.value)
    for order, reading in zip(("dmy", "mdy"), readings, strict=True):
        if "/" in cell:
            form = date_form(words, order=order)
            assert form.read(cell) == DateForm().read(reading)


def test_both_orders_in_one_column_are_refused_by_two_cells():
    with pytest.raises(AmbiguousCellError, match=r"'13/1/2024' and '1/13/2024'"):
        date_form(["13/1/2024", "1/13/2024"])


def test_the_file_tells_the_order():
    orders = date_orders(["31/12/2024"])
    assert date_form(["1/2/2024"], beside=Beside((), orders)).order == "dmy"
    assert date_form(["1/2/2024"], beside=Beside({","})).order == "dmy"
    with pytest.raises(AmbiguousCellError):
        date_form(["1/2/2024"], beside=Beside({"."}))


@each("place", PLACES.values(), ids=PLACES)
@settings(max_examples=50)
@given(st.lists(st.dates(date(1900, 1, 1)), min_size=1, max_size=9))
def test_days_of_every_place_are_read_back_or_refused(place, days):
    words = [place.date(day) for day in days]
    wanted = [(day - date(1970, 1, 1)).days for day in days]
    beside = Beside((), date_orders([place.date(date(2024, 12, 31))]))
    assert date_form(words, beside=beside).read_all(words).tolist() == wanted
    try:
        assert date_form(words).read_all(words).tolist() == wanted
    except AmbiguousCellError:
        assert all(day.day <= 12 for day in days)
    except AssertionError:  # day and month of all are equal in both orders
        assert all(day.day == day.month for day in days)


@each("language", MONTHS)
def test_months_have_their_names(language):
    for number, name in enumerate(MONTHS[language].split(), 1):
        wanted = (date(2024, number, 1) - date(1970, 1, 1)).days
        for word in (name, name.capitalize(), name[:3]):
            if word.lower() != "jui":  # June, or July
                assert DateForm().read(f"1. {word} 2024") == wanted, word


@each("word", ["Dec-2011", "Dec 2011", "dez. 2011"])
def test_a_month_of_a_year_is_its_first_day(word):
    assert DateForm().read(word) == (date(2011, 12, 1) - date(1970, 1, 1)).days


@each("words", [["20240131"], ["2024-01"], ["2024-02-30"], ["31 Foo 2024"], ["a"], []])
def test_what_writes_no_date_by_itself_has_no_form(words):
    assert date_form(words) is None


@each(
    ("words", "form"),
    [
        (["20240131", "20231224"], DateForm(compact=True)),
        (["2024-01", "2023-12"], DateForm(monthly=True)),
        (["20240131", "20249999"], None),
        (["10000101"], None),
        (["2024-01-01"], None),
        ([], None),
    ],
)
def test_what_may_be_meant_as_dates_is_offered(words, form):
    assert offered_dates(words) == form


FORMS = [DateForm(order, compact) for order in ("", "dmy", "mdy") for compact in (0, 1)]
moments = st.datetimes(datetime(1700, 1, 1), datetime(2200, 1, 1))


@each("form", FORMS, ids=repr)
@given(moments)
def test_what_is_written_reads_as_the_same_moment_to_the_microsecond(form, moment):
    # Days of far years, as floats, are no finer than a microsecond.
    value = DateForm().read(moment.isoformat())
    assert abs(form.read(form.write(value)) - value) * 86_400e6 < 1.5


@given(st.lists(st.text("0123456789-./: TZapm+", max_size=12) | st.none(), max_size=20))
def test_many_words_are_read_as_each_is(words):
    words += [
        "2024-12-31T23:59:59.1234567+01:00",
        "31.1.20",
        "1/2/2024 1:05 pm",
        "25:00",
    ]
    for form in (*FORMS, TimeForm(), DurationForm()):
        values = [None if word is None else form.read(word) for word in words]
        np.testing.assert_array_equal(form.read_all(words), np.array(values, float))


@each(
    ("words", "form"),
    [
        (["08:30", "23:59:59.5"], TimeForm()),
        (["00:00:00", "00:03:20"], TimeForm()),
        (["24:00", "12:00"], TimeForm()),
        (["1:05 PM"], TimeForm()),
        (["00:03:20", "26:15:00"], DurationForm()),
        (["1 day 2 h", "90 min"], DurationForm()),
        (["P1DT2H"], DurationForm()),
        (["5m", "3m"], None),  # months, or metres
        (["36 months"], None),
        (["08:30", "closed"], None),
    ],
)
def test_times_are_durations_beyond_a_day_or_in_words(words, form):
    assert time_form(words) == form


def test_what_is_said_makes_lengths_of_times():
    words = ["00:03:20", "03:20"]
    assert time_form(words, is_duration=True).read_all(words).tolist() == [
        200 / 86_400,
        200 / 1440,
    ]
    assert time_form(words, clock="m:s").read("03:20") == 200 / 86_400


@each(
    ("word", "span"),
    [
        ("1 day 2 h", timedelta(1, hours=2)),
        ("P1DT2H", timedelta(1, hours=2)),
        ("2 weeks, 3 days and 1 hour", timedelta(17, hours=1)),
        ("2h 5m", timedelta(hours=2, minutes=5)),
        ("5m 3s", timedelta(minutes=5, seconds=3)),
        ("1,5 h", timedelta(hours=1.5)),
        ("-0:05:00", -timedelta(minutes=5)),
        ("26:30", timedelta(hours=26.5)),
        ("250 µs", timedelta(microseconds=250)),
        ("P", None),
        ("-", None),
        ("1 h 1 d", None),
    ],
)
def test_a_duration_counts_in_days(word, span):
    assert DurationForm().read(word) == (span and span / timedelta(days=1))


@given(st.floats(0, 1440, exclude_max=True))
def test_times_come_back_to_the_microsecond(minutes):
    form = TimeForm()
    assert abs(form.read(form.write(minutes)) - minutes) % form.cycle < 1e-7


@given(st.timedeltas(timedelta(-9999), timedelta(9999)))
def test_durations_come_back(span):
    form = DurationForm()
    value = form.read(str(span))
    assert form.read(form.write(value)) == value


def test_a_form_that_makes_no_sense_is_refused():
    with pytest.raises(DataError, match="the order 'myd'; use 'dmy'"):
        DateForm("myd")
    with pytest.raises(DataError, match="the clock 'h'; use 'h:m'"):
        DurationForm("h")
