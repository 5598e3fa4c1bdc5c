"""The selectivity page's tables, and its computations as plain streams."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from solvers import Dataset
from solvers.datasets.makers.evoked import (
    MILLISECONDS,
    PUBLISHED_SHAPE,
    make_evoked,
    response_map,
)
from solvers.frontier.selectivity import RidgeRows, least_empty, path_shares
from solvers.methods.selective_ridge import SelectiveRidgeFit, selective_ridge_stream
from solvers.methods.selective_ridge.chronometry import (
    ContenderTiming,
    growing_sizes,
    time_against_features,
)
from solvers.methods.selective_ridge.paths import last
from solvers.methods.selective_ridge.problem import RidgeProblem
from solvers.methods.selective_ridge.working_set import FIRST_GAP, Solver

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


AlgorithmName = Literal["interior_point", "published"]

# The relative gap that answers are refined to; a first one is drawn at 1e-3.
TOLERANCE = 1e-6
# The path goes down to this share of the largest selectivity: below, all is ridge.
SMALLEST = 1e-3
PATH_POINTS = 25
# Tables that are timed: the first columns of the paper's, up to all of them.
TIMED_SIZES = growing_sizes(PUBLISHED_SHAPE[1])
ALGORITHMS: tuple[AlgorithmName, ...] = ("interior_point", "published")
# The published iteration factorises a matrix of rows by rows some hundred times: with
# more rows nobody would wait for it.
MAX_PUBLISHED_ROWS = 500


@dataclass(frozen=True)
class RidgeQuestion:
    """Everything but the selectivity."""

    source: str  # Which table
    dataset: Dataset | None  # The session's data set where that is the table
    gamma: float  # Weight of the penalty
    loss: str  # The loss of a row
    is_priced: bool  # Whether mu_i is mu * sqrt(cost)


@dataclass(frozen=True, eq=False)
class PreparedProblem:
    """A question that was looked at: its problem, and a solver that is warm."""

    question: RidgeQuestion  # What was asked
    data: SelectivityData  # The table
    problem: RidgeProblem  # As the solvers take it
    largest: float  # The least selectivity that leaves no feature
    dual: Array  # (n_train,) The dual there, from which paths start
    solver: Solver  # Stands where the slider was last
    # Held by whoever moves the solver: one request may still run when the next comes
    lock: Any = field(default_factory=threading.Lock)

    @classmethod
    def of(cls, question: RidgeQuestion) -> PreparedProblem:
        """Return the bench of a question."""
        data = open_data(question.source, question.dataset)
        problem = data.problem(question.gamma, question.loss, question.is_priced)
        dual, largest = least_empty(problem)
        return cls(question, data, problem, largest, dual, Solver(problem, dual))


@dataclass(frozen=True, eq=False)
class ScoredFit:
    """A certified model, and how often it is right."""

    bench: PreparedProblem  # Whose question it answers
    share: float  # Selectivity as a share of the largest
    fit: SelectiveRidgeFit  # The model and its certificate
    scores: dict[str, float]  # Balanced accuracy on "training" and "validation" rows

    @classmethod
    def of(
        cls, bench: PreparedProblem, share: float, fit: SelectiveRidgeFit
    ) -> ScoredFit:
        """Return the answer of a fit."""
        return cls(bench, share, fit, bench.data.scores(fit))

    @property
    def is_final(self) -> bool:
        """Whether the gap is as small as it is to be."""
        return self.fit.relative_gap <= TOLERANCE

    @property
    def counts(self) -> dict[str, int]:
        """How many features are in each state, as ``RidgeRows.counts`` has it."""
        return self.bench.data.counts(self.fit)

    @property
    def n_used(self) -> int:
        """How many features are used."""
        return self.counts["boundary"] + self.counts["ridge"]

    @property
    def cost(self) -> float:
        """What they cost together, each component once."""
        data = self.bench.data
        used = data.split.features_of(self.fit.states != "zero")
        return data.dataset.hypergraph.cost(np.flatnonzero(used))

    @property
    def kept(self) -> str:
        """How many features that is, of how many there are."""
        return f"{self.n_used} of {sum(self.counts.values())}"


@dataclass(frozen=True)
class GapPoint:
    """Where an algorithm stands after an iteration."""

    algorithm: str  # Whose iteration
    iteration: int  # From 1
    objective: float  # Eq. (11) and what is not proven of it.
    gap: float
    coef: float  # The first coefficient

    @property
    def relative_gap(self) -> float:
        """The gap as a share of the objective."""
        return self.gap / self.objective if self.objective > 0 else 0.0


def answers(
    question: RidgeQuestion, bench: PreparedProblem | None, share: float
) -> Iterator[PreparedProblem | ScoredFit]:
    """Yield better and better answers, after the bench if there was none.

    The first answer is within a relative gap of 1e-3, the last within 1e-6, unless that
    is beyond rounding: then its gap tells.
    """
    if bench is None:
        bench = PreparedProblem.of(question)
        yield bench
    with bench.lock:
        shown = fit = None
        # Polished, so that a feature is counted as the same state however it was met.
        for fit in bench.solver.refine(share * bench.largest, TOLERANCE, polish=True):
            if fit.relative_gap <= FIRST_GAP:
                shown = fit
                yield ScoredFit.of(bench, share, fit)
        if fit is not None and fit is not shown:
            yield ScoredFit.of(bench, share, fit)


def path_answers(bench: PreparedProblem) -> Iterator[ScoredFit]:
    """Yield the answers along a falling selectivity."""
    solver = Solver(bench.problem, bench.dual)
    for share in path_shares(PATH_POINTS, SMALLEST):
        fit = last(solver.refine(share * bench.largest, TOLERANCE, polish=True))
        yield ScoredFit.of(bench, share, fit)


def gap_points(bench: PreparedProblem, share: float) -> Iterator[GapPoint]:
    """Yield every iteration from nothing: of our algorithm, then of the published one.

    The published one is left out where there are more than `MAX_PUBLISHED_ROWS` rows.
    """
    return _iterations(
        bench.data.X,
        bench.data.y,
        gamma=bench.problem.gamma,
        mu=share * bench.largest,
        loss=bench.problem.loss.name,
        feature_weights=bench.problem.scales,
        sample_weight=bench.data.split.weight("train"),
    )


def counterexample() -> Iterator[GapPoint]:
    """Yield the iterations of both on two rows, where the published one goes wrong.

    x = (1, -1), y = (1, -1), gamma = 1, mu = 0.9, squared loss: the optimum has a = t -
    gamma mu / 2 = 0.55 for t = 1.
    """
    X, y = np.array([[1.0], [-1.0]]), np.array([1.0, -1.0])
    return _iterations(X, y, gamma=1.0, mu=0.9, loss="squared", feature_weights=None)


def timings(question: RidgeQuestion, share: float) -> Iterator[ContenderTiming]:
    """Yield seconds against the number of features, smallest tables first.

    `question`: its loss and gamma are taken; the table is that of the paper's size.
    """
    bench = PreparedProblem.of(replace(question, source="published", dataset=None))
    yield from time_against_features(
        bench.data.X,
        bench.data.y,
        gamma=bench.problem.gamma,
        mu=share * bench.largest,
        loss=bench.problem.loss.name,
        sizes=TIMED_SIZES,
    )


def _iterations(X: Array, y: Array, **options: Any) -> Iterator[GapPoint]:
    for algorithm in ALGORITHMS:
        if algorithm == "published" and len(y) > MAX_PUBLISHED_ROWS:
            return
        fits = selective_ridge_stream(
            X, y, algorithm=algorithm, every_iteration=True, tol=TOLERANCE, **options
        )
        for fit in fits:
            yield GapPoint(
                algorithm,
                fit.iterations,
                fit.objective,
                max(fit.duality_gap, 0.0),
                float(fit.coef[0]),
            )
