"""Costs as people write them: with or without a unit, converted, never mixed."""

from __future__ import annotations

import math
import re
from typing import Any

from solvers.errors import HypergraphError, shown
from solvers.units import conversion

__all__ = ["MAX_COST", "read_cost"]

# Beyond this a sum of costs loses the digits that people look at.
MAX_COST = 1e15
MAX_TEXT = 60
_COST = re.compile(
    r"\s*(?P<number>\d+[.,](?!\d)|\d*[.,]?\d+(?:[eE][+-]?\d+)?)\s*(?P<unit>\D*)"
)


def read_cost(value: Any, unit: str) -> float:
    """Return a cost that somebody typed, in a unit.

    `value`: A number, or text such as ``"3"``, ``"2,5"`` or ``"0.3 ms"``.
    `unit`: unit that the cost is to be in, and that it is in where it names none.

    Examples
    --------
    >>> read_cost("0.5 ms", "us")
    500.0
    """
    if isinstance(value, str):
        return _in_range(_read_text(value[: MAX_TEXT + 1], unit), value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise HypergraphError(
            f"A cost is a number, not a {type(value).__name__}; type one such as 2.5."
        )
    return _in_range(float(min(value, 10 * MAX_COST)), value)


def _read_text(text: str, unit: str) -> float:
    found = _COST.fullmatch(text)
    if found is None or len(text) > MAX_TEXT:
        raise HypergraphError(
            f"The cost {shown(text)} is no number of 0 or more; type one such as 2.5 "
            f"or, with its unit, 2.5 {unit}."
        )
    number = float(found["number"].replace(",", "."))
    named = found["unit"].strip()
    return number * conversion(named, unit) if named else number


def _in_range(cost: float, given: Any) -> float:
    if not math.isfinite(cost) or not 0 <= cost <= MAX_COST:
        raise HypergraphError(
            f"The cost {shown(str(given))} is out of range; a cost lies between 0 and "
            f"{MAX_COST:g}."
        )
    return cost + 0.0
