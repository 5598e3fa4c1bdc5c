"""How long components and extractors take on this machine, and how sure that is.

Every step is timed where it runs: in the same straight code that an extractor runs,
right after what it needs, so that what components cost adds up to what selections of
features take. A run that is not timed comes right before each that is: all is warm,
and no step pays for fetching what others use too. Each sample is timed several times
and keeps its median, because other work on the machine only ever delays some runs.
What a component remembers of a sample would make it too cheap: where the first run on a
new sample takes longer, that run counts.
"""

from __future__ import annotations

import gc
import os
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..costs.hypergraph import FeatureHypergraph
from ..errors import PipelineError
from .freshness import Memory, first_runs
from .plan import Plan


class TimedPlan(Protocol):
    """What can be run on a raw sample, and tell which of its lines has failed."""

    @property
    def run(self) -> Callable[[Any], tuple[Any, ...]]:
        """What takes a raw sample and returns its features."""

    def blame(self, error: Exception, sample: str) -> PipelineError:
        """Return what went wrong."""


@dataclass(frozen=True)
class Timing:
    """How long one raw sample takes."""

    # Median over the repeats, averaged over the samples; of first runs on new samples,
    # where these take longer
    seconds: float
    # Interquartile range over the repeats, averaged over the samples, in seconds
    spread: float
    n_samples: int  # How many samples were timed
    repeats: int  # How often each was timed
    note: str = ""  # That it remembers samples, if it does


@dataclass(frozen=True, eq=False)
class Measurement:
    """A hypergraph with measured costs."""

    # Its costs are medians over the repeats, averaged over the samples; of first runs
    # on new samples, where these take longer
    hypergraph: FeatureHypergraph
    # The same at the costs of later runs
    warm: FeatureHypergraph
    # (n_components,) Interquartile range of each cost over the repeats, averaged over
    # the samples, in the unit of the hypergraph
    spread: NDArray[np.float64]
    machine: str  # Where it was measured
    n_samples: int  # How many samples were timed
    repeats: int  # How often each was timed
    notes: tuple[str, ...]  # Which components remember samples, a sentence each


def measured(
    priced: Callable[[NDArray[np.float64]], FeatureHypergraph],
    passes: Sequence[NDArray[np.float64]],
    memory: Memory,
    n_samples: int,
) -> Measurement:
    """Return what components cost, from passes over samples.

    `priced`: the hypergraph at some costs.
    `passes`: of shape (n_samples, n_components), in microseconds.
    """
    costs, spread = summary(passes)
    warm = priced(costs)
    notes = memory.notes(warm.components, costs)
    graph = priced(memory.costs(costs)) if notes else warm
    machine = describe_machine()
    return Measurement(graph, warm, spread, machine, n_samples, len(passes), notes)


def time_plan(plan: TimedPlan, samples: Sequence[Any], repeats: int) -> Timing:
    """Return how long a plan takes on one sample."""
    samples = checked_samples(samples, repeats)
    passes = [total_nanoseconds(plan, samples) for _ in range(repeats)]
    median, spread = summary([times[:, np.newaxis] / 1e3 for times in passes])
    memory = first_runs(lambda _, one: _total(plan, one), 1, 1, samples)
    (cost,), (spread,) = memory.costs(median), spread
    note = " ".join(memory.notes(["The extractor"], median))
    return Timing(cost / 1e6, spread / 1e6, len(samples), repeats, note)


def _total(plan: TimedPlan, sample: Any) -> NDArray[np.float64]:
    started = time.perf_counter_ns()
    try:
        plan.run(sample)
    except Exception as error:
        raise plan.blame(error, "a sample") from error
    return np.array([time.perf_counter_ns() - started], dtype=np.float64)


def checked_samples(samples: Sequence[Any], repeats: int) -> list[Any]:
    """Return samples as a list that there is something to time with."""
    if repeats < 1:
        raise PipelineError(f"There are {repeats} repeats; repeat at least once.")
    checked = list(samples)
    if not checked:
        raise PipelineError("There are no samples; give at least one to measure on.")
    return checked


def evenly_spread(n_samples: int, most: int) -> list[int]:
    """Return indices of some samples, evenly spread, the first among them."""
    n = min(n_samples, most)
    return sorted({int(i) for i in np.linspace(0, n_samples - 1, n)})


def alone_nanoseconds(
    clocked: Plan, columns: Sequence[int], n_steps: int, sample: Any
) -> NDArray[np.float64]:
    """Return how long each step took on a sample, NaN for those not in the plan.

    `columns`: of each step of the plan, its place among all steps.
    """
    found = np.full(n_steps, np.nan)
    try:
        readings = clocked.run(sample)
    except Exception as error:
        raise clocked.blame(error, "a sample") from error
    found[list(columns)] = _gaps(np.array([readings]))[0]
    return found


def step_nanoseconds(clocked: Plan, samples: Sequence[Any]) -> NDArray[np.float64]:
    """Return how long each step took on each sample, net of reading the clock.

    Shape: (n_samples, n_steps).
    """
    readings: list[tuple[int, ...]] = []
    with undisturbed():
        try:
            for sample in samples:
                clocked.run(sample)
                readings.append(clocked.run(sample))
        except Exception as error:
            raise clocked.blame(error, f"sample {len(readings)}") from error
    return _gaps(np.array(readings, dtype=np.int64))


def _gaps(readings: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the times between readings of the clock, less what a reading takes."""
    gaps = np.diff(readings, axis=1)
    return np.maximum(gaps[:, 1:] - np.median(gaps[:, 0]), 0.0)


def total_nanoseconds(
    plan: TimedPlan, samples: Sequence[Any], between: TimedPlan | None = None
) -> NDArray[np.float64]:
    """Return how long a plan took on each sample.

    Shape: (n_samples,).

    `between`: runs before each run that is timed; the plan itself by default, so that
    its code and data are in the processor's caches.
    """
    run, before, spent = plan.run, (between or plan).run, []
    with undisturbed():
        try:
            for sample in samples:
                before(sample)
                started = time.perf_counter_ns()
                run(sample)
                spent.append(time.perf_counter_ns() - started)
        except Exception as error:
            raise plan.blame(error, f"sample {len(spent)}") from error
    return np.array(spent, dtype=np.float64)


def summary(passes: Sequence[NDArray[np.float64]]) -> tuple[Any, Any]:
    """Return the median and the interquartile range over passes, averaged over samples.

    Shapes: `passes` (n_samples, ...).
    """
    low, median, high = np.quantile(np.stack(passes), (0.25, 0.5, 0.75), axis=0)
    return median.mean(axis=0), (high - low).mean(axis=0)


def describe_machine() -> str:
    """Return what this machine is, as far as it matters for times."""
    return (
        f"{os.cpu_count()}-core {platform.machine()}, {platform.system()}, "
        f"{platform.python_implementation()} {platform.python_version()}, "
        f"NumPy {np.__version__}"
    )


@contextmanager
def undisturbed() -> Iterator[None]:
    """Keep the garbage collector out, as `timeit` does."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
