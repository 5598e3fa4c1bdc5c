"""What generators and classifiers check of their arguments before they start."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError, KnobError, shown

RandomState: TypeAlias = "int | np.random.Generator | np.random.SeedSequence | None"


def check_number(name: str, value: Any, low: float, high: float = np.inf) -> None:
    """Refuse what is not a number between two bounds, bounds included."""
    if not isinstance(value, Real) or isinstance(value, bool | np.bool_):
        raise KnobError(f"{name} is {shown(value)}; give a number.")
    if not low <= float(value) <= high or np.isinf(float(value)):
        allowed = (
            f"{low:g} or more" if np.isinf(high) else f"between {low:g} and {high:g}"
        )
        raise KnobError(f"{name} is {float(value):g}; it is {allowed}.")


def check_count(name: str, value: Any, low: int, high: int | None = None) -> None:
    """Refuse what is not a whole number between two bounds, bounds included."""
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise KnobError(f"{name} is {shown(value)}; give a whole number.")
    if int(value) < low or (high is not None and int(value) > high):
        allowed = f"{low} or more" if high is None else f"between {low} and {high}"
        raise KnobError(f"{name} is {value}; it is {allowed}.")


def check_choice(name: str, value: Any, options: Sequence[str]) -> None:
    """Refuse what is not one of a few names."""
    if value not in options:
        allowed = ", ".join(repr(option) for option in options)
        raise KnobError(f"{name} is {shown(value)}; it is one of {allowed}.")


def as_generator(random_state: RandomState) -> np.random.Generator:
    """Return a source of random numbers.

    `random_state`: A seed of 0 or more, or a source to go on with; None draws a fresh
    one.
    """
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError) as error:
        raise KnobError(
            f"random_state is {shown(random_state)}; give a whole number, 0 or more."
        ) from error


def numbers(what: str, values: Any) -> NDArray[np.float64]:
    """Return a copy of an array of finite numbers."""
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"{what} are not numbers; give an array of numbers.") from error
    wrong = np.argwhere(~np.isfinite(array))
    if len(wrong):
        place = ", ".join(str(index) for index in wrong[0])
        raise DataError(
            f"{what} hold {array[tuple(wrong[0])]} at [{place}]; every entry is a "
            "finite number."
        )
    return array
