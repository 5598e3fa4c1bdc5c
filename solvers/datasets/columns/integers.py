"""Whole numbers that are no quantities: yes or no, and codes that name something."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .schema import Kind

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["integer_kind", "words_in"]

_ENOUGH = 20  # rows, and rows a value on average: fewer do not tell a code
_FEWEST, _MOST = 3, 30  # values of a code
_LOOKED_AT = 1000  # rows, before all rows of a column of fractions are
# Nouns that a number names one of; the last word of a column's name is its noun.
_NOUNS = frozenset(
    "code id zip zipcode postcode type kind category cluster region country state "
    "district department".split()
)


def integer_kind(name: str, values: pa.ChunkedArray) -> tuple[Kind, str]:
    """Return what a column of numbers is taken for; of a code also why.

    A column of 0 and 1 is yes/no. A code is told by its name, or by few values with
    uneven gaps between them: those of counts and doses (1, 2, 3, 5, 10) only grow.
    """
    numbers = _whole(values)
    if numbers is None or not len(numbers):
        return "number", ""
    found = np.unique(numbers)
    if found.tolist() == [0, 1]:
        return "yes/no", ""
    n_rows, n_values = len(numbers), len(found)
    most = max(_MOST, n_rows / 10) if _names_one(name) else _MOST
    if found[0] < 0 or n_rows < _ENOUGH or not _FEWEST <= n_values <= most:
        return "number", ""
    if _names_one(name) and n_values <= n_rows / 2:
        return "code", f"Whole numbers that its name says are codes: {_few(found)}."
    if n_rows >= _ENOUGH * n_values and _is_uneven(found):
        return (
            "code",
            f"Few whole numbers with uneven gaps between them: {_few(found)}.",
        )
    return "number", ""


def words_in(name: str) -> list[str]:
    """Return the words of a column's name, as people join them: zip_code, storeId."""
    return re.findall(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]*", name)


def _whole(values: pa.ChunkedArray) -> NDArray | None:
    """Return the numbers that are there, None where some are fractions."""
    from pyarrow import compute, types

    if types.is_integer(values.type):
        return np.asarray(values.drop_null().to_numpy())
    if not types.is_floating(values.type):
        return None
    for rows in (values.slice(0, _LOOKED_AT), values):
        there = np.asarray(compute.drop_null(rows).to_numpy())
        there = there[~np.isnan(there)]
        # An infinite number is no whole one: the remainder of it is none.
        if not np.array_equal(np.trunc(there), there) or np.isinf(there).any():
            return None
    return there


def _names_one(name: str) -> bool:
    """Return whether the last word of a column's name is one for codes."""
    words = words_in(name)
    return bool(words) and words[-1].lower() in _NOUNS and not name[-1].isdigit()


def _is_uneven(found: NDArray) -> bool:
    """Whether half of what could stand between values does not, in no even way."""
    gaps = np.diff(found)
    changes = np.diff(gaps)
    is_monotone = (changes >= 0).all() or (changes <= 0).all()
    span = (found[-1] - found[0]) / np.gcd.reduce(gaps.astype(np.int64))
    return bool(not is_monotone and span >= 2 * len(found))


def _few(found: NDArray) -> str:
    shown = ", ".join(f"{value:.0f}" for value in found[:5])
    return f"{shown} and others" if len(found) > 5 else shown
