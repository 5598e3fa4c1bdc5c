"""Parts of dates, beside the calendar of Python."""

from datetime import datetime, timedelta

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from solvers.datasets.columns.coding import date_part
from tests.each import each

EPOCH = datetime(1970, 1, 1)
MOMENTS = st.lists(
    st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1)), min_size=1, max_size=5
)


def _days(moments):
    day = timedelta(days=1)
    return np.array([(moment - EPOCH) / day for moment in moments])


@given(MOMENTS)
def test_months_and_weekdays_are_those_of_the_calendar(moments):
    days = _days([datetime(m.year, m.month, m.day, 12) for m in moments])
    assert date_part("month", days, 0.0).tolist() == [m.month for m in moments]
    assert date_part("weekday", days, 0.0).tolist() == [m.weekday() for m in moments]


@given(MOMENTS)
def test_a_full_hour_is_that_hour(moments):
    whole = [m.replace(minute=0, second=0, microsecond=0) for m in moments]
    assert date_part("hour", _days(whole), 0.0).tolist() == [m.hour for m in moments]


def test_an_age_is_counted_in_days_before_the_latest():
    assert date_part("age", np.array([1.0, 4.5]), 5.0).tolist() == [4.0, 0.5]


@each("part", ["month", "weekday"])
def test_the_last_moment_of_a_day_belongs_to_it(part):
    midnight = np.array([31.0])  # the first of February 1970
    before = midnight - 1e-6
    assert date_part(part, before, 0.0) != date_part(part, midnight, 0.0)
