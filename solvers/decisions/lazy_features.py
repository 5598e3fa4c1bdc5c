"""Reading features one by one from what computes them when they are asked for."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError, shown


class LazySample(Protocol):
    """A sample that computes a feature when it is asked for."""

    def feature(self, name: str) -> float:
        """Return a feature by its name."""


Extractor: TypeAlias = "Callable[[str], float] | LazySample"


def feature_reader(
    extractor: Extractor, names: Sequence[str]
) -> Callable[[int], float]:
    """Return what reads a feature by its index, refusing what is not a number."""
    read = extractor if callable(extractor) else extractor.feature

    def value(j: int) -> float:
        return finite_number(read(names[j]), names[j])

    return value


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


@dataclass(frozen=True, eq=False, kw_only=True)
class Stop:
    """What a stage saw and said where a row might leave; methods add how sure."""

    stage: int  # Its number, from 0
    features: tuple[str, ...]  # What was computed since the last stop
    values: NDArray[np.float64]  # (n_features,), theirs
    label: Any  # What the stage would predict
    cost: float  # What the row has paid so far, in the hypergraph's unit
    seconds: float  # Spent so far, on features and decisions
    leaves: bool


@dataclass(frozen=True, eq=False)
class Journey:
    """A finished way through the cascade."""

    #: One for each stage where the row might have left, in order
    stops: tuple[Any, ...]

    @property
    def label(self) -> Any:
        """The prediction."""
        return self.stops[-1].label

    @property
    def stage(self) -> int:
        """The stage at which the row left, from 0."""
        return self.stops[-1].stage

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the features that were computed, in order."""
        return tuple(name for stop in self.stops for name in stop.features)

    @property
    def cost(self) -> float:
        """What the row paid, in the hypergraph's unit."""
        return self.stops[-1].cost

    @property
    def seconds(self) -> float:
        """Measured time, features and decisions."""
        return self.stops[-1].seconds
