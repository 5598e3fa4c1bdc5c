"""Costs as people write them: with or without a unit, converted, never mixed."""

from __future__ import annotations

import math
import re
import unicodedata
from typing import Any

from solvers.costs.units import conversion, is_time
from solvers.errors import HypergraphError, shown
from solvers.values import AmbiguousCellError, NumberForm, counts_money_in, number_form

# Beyond this a sum of costs loses the digits that people look at.
MAX_COST = 1e15
MAX_TEXT = 60
# The unit of what has no prices yet: each feature costs one.
COUNTED = ("feature", "features")
_COST = re.compile(
    r"\s*(?P<number>(?:[0-9][0-9.,'\u2019 \xa0\u202f]*|[.,])?[0-9][.,]?"
    r"(?:[eE][+-]?[0-9]+)?)\s*(?P<unit>\D*)"
)


def typed_number(text: str) -> float | None:
    """Return the number that somebody typed, None of none, and of a percentage.

    Refuses what may be two: ``1,234``.
    """
    form = _typed_form(text)
    return None if form is None else form.read(text)


def _typed_form(text: str) -> NumberForm | None:
    try:
        return number_form([text.strip()], percent="never")
    except AmbiguousCellError as error:
        raise HypergraphError(
            f"{error.doubt}; type it without thousands, and decimals behind a point."
        ) from error


def read_cost(value: Any, unit: str) -> float:
    """Return a cost that somebody typed, in a unit.

    `value`: A number, or text such as ``"3"``, ``"2,5"``, ``"0.3 ms"`` or ``"$7.27"``.
    `unit`: unit that the cost is to be in, and that it is in where it names none. Nor
    does a sign of money, unless the unit is another currency or of time.

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
    amount = _amount(text, unit) if len(text) <= MAX_TEXT else None
    if amount is not None:
        return amount
    found = _COST.fullmatch(text)
    if found is None or len(text) > MAX_TEXT:
        raise HypergraphError(
            f"The cost {shown(text)} is no number of 0 or more; type one such as 2.5 "
            f"or, with its unit, 2.5 {unit}."
        )
    number = typed_number(found["number"])
    if number is None:
        raise HypergraphError(
            f"The cost {shown(text)} is out of range or no number; type one such as "
            f"2.5 or, with its unit, 2.5 {unit}."
        )
    named = found["unit"].strip()
    if named and unit in COUNTED:
        raise HypergraphError(
            f"The cost {shown(text)} names a unit, and nothing has a price yet; choose "
            "the unit of costs under Data and files, or type the bare number."
        )
    return number * conversion(named, unit) if named else number


def _amount(text: str, unit: str) -> float | None:
    """Return an amount of money, None of what is none."""
    is_signed = any(unicodedata.category(mark) == "Sc" for mark in text)
    if not is_signed and counts_money_in("", unit) is None:
        return None
    form = _typed_form(text)
    if form is None or not form.currency:
        return None
    if is_time(unit) or counts_money_in(form.currency, unit) is False:
        conversion(form.currency, unit)  # refuses
    return form.read(text)


def _in_range(cost: float, given: Any) -> float:
    if not math.isfinite(cost) or not 0 <= cost <= MAX_COST:
        raise HypergraphError(
            f"The cost {shown(str(given))} is out of range; a cost lies between 0 and "
            f"{MAX_COST:g}."
        )
    return cost + 0.0
