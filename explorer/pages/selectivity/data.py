"""The tables of the selectivity page, cut into rows to learn from and rows to check."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from solvers import Dataset
from solvers.datasets.makers.evoked import MILLISECONDS, make_evoked, response_map
from solvers.frontier.selectivity import RidgeRows

from ...export.column_text import ColumnText

Array = NDArray[np.float64]

# What the page can learn from, by what it is called.
SOURCES = {
    "The open data set": "session",
    "Evoked signals, 960 features": "evoked",
    "Evoked signals, the paper's 196 × 6600": "published",
}
# Rows, channels and times. Half of the rows are for training: 196 as published.
SIZES = {"evoked": (120, 24, 40), "published": (392, 66, 100)}
# Above the paper's signals in height, so that half of the rows show where it is.
STRENGTH = 2.0


@dataclass(frozen=True, eq=False)
class Grid:
    """How columns lie on a map of channels by time."""

    n_channels: int  # Column ``c * n_times + t`` is channel c at time t
    n_times: int
    milliseconds: float  # Length of a row of the map
    # (n_channels, n_times) Where the response was hidden, between 0 and 1
    response: Array


@dataclass(frozen=True, eq=False)
class SelectivityData(RidgeRows):
    """A table as the solver wants it, and as people read and draw it."""

    grid: Grid | None  # None where columns are not channels by time

    @property
    def dataset(self) -> Dataset:
        """The table as people have it."""
        return self.split.dataset

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What each column is of: a feature, or one thing that is told of it."""
        return ColumnText(self.dataset, self.split.encoder).labels()

    @property
    def is_encoded(self) -> bool:
        """Whether some feature has a column that is not itself."""
        return self.split.encoder is not None

    @property
    def line(self) -> str:
        """What it is, in one line."""
        (n_rows, n_columns), n_checked = self.X.shape, len(self.y_validation)
        features = f"{self.dataset.n_features} features"
        if n_columns != self.dataset.n_features:
            features += f", learned from as {n_columns} columns"
        scaled = " Every column is divided by its spread." if self.is_scaled else ""
        return (
            f"Data: {self.dataset.name}, {features}, {n_rows} training and "
            f"{n_checked} validation rows.{scaled}"
        )


def open_data(source: str, dataset: Dataset) -> SelectivityData:
    """Return the table of a choice."""
    return _cut(dataset) if source == "session" else _evoked(source)


def evoked_options(source: str) -> dict[str, float]:
    """Return what the maker of evoked signals is asked for."""
    n_samples, n_channels, n_times = SIZES[source]
    return {
        "n_samples": n_samples,
        "n_channels": n_channels,
        "n_times": n_times,
        "strength": STRENGTH,
    }


@cache
def _evoked(source: str) -> SelectivityData:
    _, n_channels, n_times = SIZES[source]
    dataset = make_evoked(**evoked_options(source))
    response = response_map(n_channels, n_times)
    return _cut(dataset, Grid(n_channels, n_times, MILLISECONDS, response))


def _cut(dataset: Dataset, grid: Grid | None = None) -> SelectivityData:
    return SelectivityData.of(dataset, is_scaled=grid is None, grid=grid)
