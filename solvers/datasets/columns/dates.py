"""Parts of dates, from days since 1970."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["date_part"]


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
