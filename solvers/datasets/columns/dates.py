"""Dates as people write them, and parts of dates from days since 1970."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "FIRST_DAY",
    "LAST_DAY",
    "date_part",
    "far_days",
    "names_zone",
    "writes_date",
]

#: The first and the last day of the calendar, in days since 1970.
FIRST_DAY, LAST_DAY = -719_162, 2_932_896
# Of January 1, 1600, and of December 31, 2200: outside, a date is a slip, or a mark of
# what has none.
_EARLIEST, _LATEST = -135_140, 84_370
_CENTURIES = 200 * 365.25  # days from the middle one: no person, no firm lives so long
_ZONE = r"(?P<zone>Z|[+-]\d\d(:?\d\d)?)?"
_WRITTEN = re.compile(
    rf"\d{{4}}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d{{1,6}})?)?{_ZONE})?", re.ASCII
)


def writes_date(word: str) -> bool:
    """Return whether a word writes a day of the calendar, such as 2024-12-31.

    With a time of day or without, and that with its time zone or without.
    """
    if not _WRITTEN.fullmatch(word):
        return False
    try:
        moment = datetime.fromisoformat(word)
        if moment.tzinfo is not None:
            moment.astimezone(UTC)  # may lie out of the calendar
    except (ValueError, OverflowError):
        return False
    return True


def names_zone(word: str) -> bool:
    """Return whether a day that a word writes has its time zone."""
    found = _WRITTEN.fullmatch(word)
    return bool(found and found["zone"])


def far_days(days: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which days lie centuries away from the others, or from any that is usual.

    Shape: (n_rows,). A gap lies nowhere.
    """
    there = days[~np.isnan(days)]
    middle = np.median(there) if len(there) else 0.0
    is_unusual = (days < _EARLIEST) | (days >= _LATEST + 1)
    return is_unusual | (np.abs(days - middle) > _CENTURIES)


def date_part(
    part: str, days: NDArray[np.float64], latest: float
) -> NDArray[np.float64]:
    """Return the age in days before the latest one, the month, weekday or hour.

    Shape: (n_rows,). Weeks begin with Monday, 0.
    """
    if part == "age":
        return latest - days
    if part == "weekday":
        return (np.floor(days) + 3) % 7  # the first of January 1970 was a Thursday
    if part == "hour":
        return np.floor((days % 1) * 24 + 1e-9)
    months = np.floor(days).astype("datetime64[D]").astype("datetime64[M]")
    return months.astype(int) % 12 + 1.0
