"""Units of time: the only ones that are converted into each other."""

from __future__ import annotations

from ..errors import HypergraphError, shown

#: Nanoseconds in each unit of time: whole, so that converting rounds little.
TIME_UNITS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9}


def is_time(unit: str) -> bool:
    """Return whether costs in a unit are times."""
    return _plain(unit) in TIME_UNITS


def conversion(given: str, wanted: str) -> float:
    """Return by what a cost in one unit is multiplied to be in another."""
    given, wanted = _plain(given), _plain(wanted)
    if given == wanted:
        return 1.0
    if given not in TIME_UNITS or wanted not in TIME_UNITS:
        raise HypergraphError(
            f"Costs in {shown(given)} cannot be put beside costs in {shown(wanted)}; "
            f"only {', '.join(TIME_UNITS)} are converted."
        )
    return TIME_UNITS[given] / TIME_UNITS[wanted]


def _plain(unit: str) -> str:
    return "us" if unit in ("µs", "μs") else unit
