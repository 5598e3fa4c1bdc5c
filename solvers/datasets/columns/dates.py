"""Parts of dates from days since 1970, and which days are hardly meant."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from ...values import TimeForm

__all__ = ["FIRST_DAY", "LAST_DAY", "date_part", "far_days"]

#: The first and the last day of the calendar, in days since 1970.
FIRST_DAY, LAST_DAY = -719_162, 2_932_896
# Of January 1, 1600, and of December 31, 2200: outside, a date is a slip, or a mark of
# what has none.
_EARLIEST, _LATEST = -135_140, 84_370
_CENTURIES = 200 * 365.25  # days from the middle one: no person, no firm lives so long

_A_MINUTE = 2 * np.pi / TimeForm.cycle  # as an angle
_OF_A_TIME: Mapping[str, Callable[[NDArray[np.float64]], NDArray[np.float64]]] = {
    "minute": lambda minutes: minutes,
    "sine": lambda minutes: np.sin(minutes * _A_MINUTE),
    "cosine": lambda minutes: np.cos(minutes * _A_MINUTE),
}


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

    Or, where `days` are minutes of a day, these, and the sine and cosine of their angle
    in its circle. Shape: (n_rows,). Weeks begin with Monday, 0.
    """
    if part in _OF_A_TIME:
        return _OF_A_TIME[part](days)
    if part == "age":
        return latest - days
    if part == "weekday":
        return (np.floor(days) + 3) % 7  # the first of January 1970 was a Thursday
    if part == "hour":
        return np.floor((days % 1) * 24 + 1e-9)
    months = np.floor(days).astype("datetime64[D]").astype("datetime64[M]")
    return months.astype(int) % 12 + 1.0
