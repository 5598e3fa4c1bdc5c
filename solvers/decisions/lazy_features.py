"""Reading features one by one from what computes them when they are asked for."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

from ..errors import DataError, shown


class LazySample(Protocol):
    """A sample that computes a feature when it is asked for."""

    def feature(self, name: str) -> float:
        """Return a feature by its name."""


Extractor: TypeAlias = "Callable[[str], float] | LazySample"


def gap_remedy(name: str) -> str:
    """Return what else may be done where a feature that had no gap has one."""
    return (
        f", or read the table with kinds={{{shown(name)}: {{'has_gaps': True}}}} and "
        "train again"
    )


def _odd_answer(answer: Any, name: str, remedy: str = "") -> DataError:
    return DataError(
        f"The extractor gave {shown(answer)} for feature {shown(name)}; let it give "
        f"one finite number{remedy}."
    )


def finite_number(answer: Any, name: str) -> float:
    """Return what an extractor gave as a number."""
    try:
        number = float("nan" if answer is None else answer)
    except (TypeError, ValueError, OverflowError) as error:
        raise _odd_answer(answer, name) from error
    if not math.isfinite(number):
        remedy = gap_remedy(name) if math.isnan(number) else ""
        raise _odd_answer(answer, name, remedy)
    return number
