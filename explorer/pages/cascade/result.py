"""What the views show of a cascade: one base, and a result of each method."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers import Dataset
from solvers.decisions.walker import Journey
from solvers.errors import listed
from solvers.frontier.evaluation import Split
from solvers.values.rounding import fixed, number

from ...export.column_text import ColumnText
from ...widgets.text import cost_text

# Values of a stage that are listed.
MOST_VALUES = 4


@dataclass(frozen=True)
class TableText:
    """How a table is headed."""

    caption: str
    columns: tuple[str, ...]
    numbers: tuple[bool, ...]  # Which columns are numbers
    height: int


@dataclass(frozen=True)
class CascadeMethod:
    """What a method is called on the page, and what its results follow from."""

    name: str  # As the state's `way`
    style: str  # Name of the method whose colour it has
    inputs: tuple[str, ...]  # Parameters of the state that change its stages
    moved: str  # Parameter that is moved by hand, and trains nothing
    trained: str  # Parameters that hold what was trained, and predictions
    runs: str
    first_stage: int  # 0 where there is a free answer before any feature
    figures: Mapping[str, str]  # Names of the figures, by view
    stages: TableText
    stops: TableText
    score_axes: tuple[str, str]  # Of the picture of one row's journey
    charged: str  # What the axis of charged time says
    marks: tuple[str, ...]  # What dots and squares of the timing are, if there are both
    before_training: str
    before_runs: str


@dataclass(frozen=True, eq=False)
class RowJourney:
    """One test row's stops as they are drawn, up to the step that is shown."""

    stages: NDArray[np.float64]  # (n_stops,) As they are numbered on the page
    scores: NDArray[np.float64]  # (n_stops,) NaN where a stage may not answer
    bands: Mapping[str, NDArray[np.float64]]  # "stage", "low", "high": goes on between
    threshold: float  # Drawn across where it is finite
    last_stage: int
    score_range: tuple[float, float]
    table: list[list[Any]]
    sentence: str
    image: int | None = None  # Row of the data set whose image is shown


@dataclass(frozen=True, eq=False)
class PredictionRun:
    """One prediction on a raw sample that really stopped early."""

    row: int  # Row of the data set that the sample belongs to
    truth: str  # Its label
    journey: Journey  # That of the run whose time is the median
    # What the hypergraph charges and what it took here, in microseconds
    charged: float
    measured: float
    # The same of what it is compared with: all stages, or decisions without features
    reference_charged: float
    reference_measured: float


class CascadeResult(ABC):
    """What a trained cascade does with the test rows, under all that was chosen."""

    split: Split
    score_note: str = ""  # What scores of a bill are, with a space before
    cost: float  # Mean cost of a test row, and share that is right
    accuracy: float
    n_rows: int
    wrong_rows: NDArray[np.int_]  # Test rows that leave wrong, in order
    exits: NDArray[np.int_]  # (n_rows,) The stage at which each test row leaves
    is_right: NDArray[np.bool_]  # (n_rows,) Whether it leaves right
    added: NDArray[np.float64]  # (n_stages,) What each stage adds to the cost
    # (n_stages,) Cost of a row that leaves at a stage; rows that leave right, that
    # leave wrong and that go on
    costs: NDArray[np.float64]
    right: NDArray[np.int_]
    wrong: NDArray[np.int_]
    on: NDArray[np.int_]

    @property
    def dataset(self) -> Dataset:
        """What was learned from."""
        return self.split.dataset

    @cached_property
    def columns(self) -> ColumnText:
        """Words for the columns that stages see; a feature may have several."""
        return ColumnText(self.dataset, self.split.encoder)

    @cached_property
    def _place(self) -> dict[str, int]:
        names = self.split.hypergraph.features
        return dict(zip(names, range(len(names)), strict=True))

    def bought(self, stops: Iterable[Iterable[str]]) -> list[list[int]]:
        """Return the features of the table that each of some stops buys.

        `stops`: the columns that each computes, in order.
        """
        known: set[int] = set()
        found = []
        for columns in stops:
            places = (self._place[name] for name in columns)
            features = dict.fromkeys(map(self.columns.feature, places))
            found.append([j for j in features if j not in known])
            known.update(features)
        return found

    def names(self, features: Sequence[int], most: int) -> str:
        """Return the names of some features, of at most so many."""
        names = [self.dataset.feature_names[j] for j in features]
        return listed(names, most, told=str)

    def values(self, row: int, features: Sequence[int]) -> str:
        """Return some features with what the table holds of them for a test row."""
        data, own_row = self.dataset, self.split.rows["test"][row]
        held = [self.columns.value(j, float(data.X[own_row, j])) for j in features]
        names = [data.feature_names[j] for j in features]
        told = [f"{name} = {value}" for name, value in zip(names, held, strict=True)]
        return listed(told, MOST_VALUES, told=str)

    @property
    @abstractmethod
    def stage_names(self) -> Sequence[str]:
        """What people call the stages."""

    @abstractmethod
    def summary(self) -> str:
        """Return cost and accuracy in words."""

    def lead(self) -> str:
        """Return the answer itself, before the summary; empty where that is all."""
        return ""

    @abstractmethod
    def stage_table(self) -> list[list[Any]]:
        """Return every stage in numbers."""

    @abstractmethod
    def journey(self, row: int) -> Journey:
        """Return the way of a test row."""

    @abstractmethod
    def drawn_journey(self, row: int, step: int) -> RowJourney:
        """Return the way of a test row as it is drawn, at most `step` stops of it."""

    @abstractmethod
    def predictors(
        self, row: int
    ) -> tuple[Callable[[], Journey], Callable[[], Journey]]:
        """Return what predicts a raw sample, and what that is compared with.

        `row`: of the data set.
        """

    @abstractmethod
    def timing_text(self, run: PredictionRun) -> str:
        """Return what a prediction took, in words."""


def price_text(cost: float, full: float, unit: str) -> str:
    """Return a mean cost as a share of what a row costs that buys everything."""
    paid = f"{number(cost)} of {cost_text(full, unit)}"
    return f"{fixed(100 * cost / full, 0)} % of the price ({paid})"


def sampled_text(split: Split) -> str:
    """Return which rows were learned from, with a space before; nothing of all rows."""
    n_used = sum(len(rows) for rows in split.rows.values())
    if n_used == split.dataset.n_samples:
        return ""
    n_train, n_test = len(split.rows["train"]), len(split.rows["test"])
    return (
        f" Learned from {n_train:,} rows and tested on {n_test:,}, of "
        f"{split.dataset.n_samples:,} in all."
    )


def early_row(exits: NDArray[np.int_], right: NDArray[np.bool_]) -> int:
    """Return the row that shows best what a cascade is for: it leaves early and right.

    Shapes: `exits`, the stages at which rows leave, and `right` (n_rows,). It goes on
    at least once; where no row does, the first will do.
    """
    good = np.flatnonzero(right & (exits > 0))
    return int(good[np.argmin(exits[good])]) if good.size else 0


def bound_text(value: float) -> str:
    """Return a bound of an interval in two digits, or infinity."""
    if np.isfinite(value):
        return f"{value:.2f}"
    return "∞" if value > 0 else "−∞"
