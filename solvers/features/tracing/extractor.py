"""A traced extractor: priced, cut down to what is wanted, or run one at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...costs.hypergraph import FeatureHypergraph
from ...costs.selection import Selection
from ...errors import PipelineError, shown
from ...values.rounding import number
from ..freshness import Memory, first_runs
from ..timing import (
    Measurement,
    Timing,
    checked_samples,
    measured,
    time_plan,
    undisturbed,
)
from .held import Held
from .plan import ClockedPlan, SharedPlan, failed
from .structure import Structure


@dataclass(frozen=True)
class SharedComponent:
    """A computation that features have in common, which nobody had declared."""

    component: str  # Its name in the hypergraph
    cost: float  # Microseconds a sample, calls within that are shared too not included
    features: tuple[str, ...]  # The entries that need it
    calls: int  # How often all of them together would compute it

    def __str__(self) -> str:
        return (
            f"{self.component}: {number(self.cost)} us, behind {len(self.features)} "
            f"features; they would compute it {self.calls} times"
        )


class TracedExtractor:
    """An extractor whose shared work is known, with the interface of a pipeline.

    Made by `trace_extractor`. An entry that gives several numbers is several features
    that need the same components: they are bought together.

    Attributes
    ----------
    features : tuple of str
        Names of the columns.
    components : tuple of str
        Names of what is shared, then of each entry's own work.
    structure : Structure
        The entries, their columns, and which calls they share.
    notes : tuple of str
        What was found and could not be shared, and what remembers samples, a sentence
        each.
    measurement : Measurement
        The hypergraph with the costs measured last.
    """

    def __init__(
        self,
        structure: Structure,
        notes: Sequence[str],
        measurement: Measurement | None,
    ) -> None:
        self.structure = structure
        self.features, self.components = structure.features, structure.components
        self._notes = tuple(notes)
        self._measurement = measurement

    @property
    def notes(self) -> tuple[str, ...]:
        """What could not be shared, and what remembers samples, a sentence each."""
        measured = self._measurement
        return self._notes if measured is None else (*self._notes, *measured.notes)

    @property
    def measurement(self) -> Measurement:
        """The hypergraph with the costs measured last."""
        if self._measurement is None:
            raise PipelineError("Nothing has been measured yet; call measure(samples).")
        return self._measurement

    @property
    def costs_spread(self) -> NDArray[np.float64]:
        """Interquartile range of each component's cost, in microseconds."""
        return self.measurement.spread

    @property
    def shared(self) -> tuple[SharedComponent, ...]:
        """What is shared, the costliest first."""
        structure = self.structure
        found = []
        for place, role in enumerate(structure.shared):
            behind = [
                entry.name
                for i, entry in enumerate(structure.entries)
                if role in structure.roles_below(i)
            ]
            cost = float(self.measurement.hypergraph.component_costs[place])
            calls = structure.calls_unshared(role)
            found.append(SharedComponent(role.name, cost, tuple(behind), calls))
        return tuple(sorted(found, key=lambda one: -one.cost))

    def extract(self, samples: Iterable[Any]) -> NDArray[np.float64]:
        """Return all features of raw samples as a table."""
        return self.trim(self.features).extract(samples)

    def trim(self, features: Selection) -> TrimmedExtractor:
        """Return what computes a selection of features and nothing else.

        `features`: a mask, indices or names. Its columns stand in the order of the
        extractor.
        """
        mask = self._graph.feature_mask(features)
        return TrimmedExtractor(self.structure, np.flatnonzero(mask).tolist())

    def open(self, sample: Any) -> OpenTracedSample:
        """Return a raw sample whose features are computed as they are asked for."""
        return OpenTracedSample(self.structure, self._all, sample)

    def hypergraph(
        self, costs: Mapping[str, float] | ArrayLike | None = None, *, unit: str = "us"
    ) -> FeatureHypergraph:
        """Return which features need which components, at given costs.

        `costs`: of each component, by name or in their order; as measured last, by
        default.
        """
        if costs is None and self._measurement is not None:
            return self._measurement.hypergraph
        return self._priced(costs, unit)

    def measure(self, samples: Sequence[Any], repeats: int = 15) -> Measurement:
        """Return the hypergraph with costs measured on this machine, and keep it."""
        *_, last = self.measuring(samples, repeats)
        self._measurement = last
        return last

    def measuring(
        self, samples: Sequence[Any], repeats: int = 15
    ) -> Iterator[Measurement]:
        """Yield the measured hypergraph after each repeat, each steadier than before.

        Entries take turns in a new order each time, each after a run that is not timed.
        """
        samples = checked_samples(samples, repeats)
        return self._measurements(samples, repeats)

    def _measurements(
        self, samples: Sequence[Any], repeats: int
    ) -> Iterator[Measurement]:
        clocked = ClockedPlan(self.structure)
        memory = self._memory(clocked, samples)
        rng = np.random.default_rng(0)
        n_entries = len(self.structure.entries)
        passes: list[NDArray[np.float64]] = []
        for _ in range(repeats):
            times = []
            with undisturbed():
                for sample in samples:
                    order = rng.permutation(n_entries).tolist()
                    clocked.nanoseconds(sample, order)
                    times.append(clocked.nanoseconds(sample, order))
            passes.append(np.array(times) / 1e3)
            yield measured(
                lambda costs: self._priced(costs, "us"), passes, memory, len(samples)
            )

    def _memory(self, clocked: ClockedPlan, samples: Sequence[Any]) -> Memory:
        """Return what components take on samples that they see first."""
        structure = self.structure
        unneeded = [
            [name not in needed for name in self.components]
            for needed in structure.needs
        ]

        def run(entry: int, sample: Any) -> NDArray[np.float64]:
            try:
                times = clocked.nanoseconds(sample, [entry])
            except Exception as error:
                raise failed(structure.entries[entry], error, "a sample") from error
            return np.where(unneeded[entry], np.nan, times)

        n_entries = len(structure.entries)
        return first_runs(run, n_entries, len(self.components), samples)

    def _priced(
        self, costs: Mapping[str, float] | ArrayLike | None, unit: str
    ) -> FeatureHypergraph:
        structure, names = self.structure, self.components
        if isinstance(costs, Mapping):
            odd = [n for n in (*costs, *names) if (n in costs) != (n in names)]
            if odd:
                raise PipelineError(
                    f"The costs and the components differ in {shown(odd[0])}; give a "
                    "cost for every component and for nothing else."
                )
            costs = [costs[name] for name in names]
        given: Any = np.ones(len(names)) if costs is None else costs
        needs = [structure.needs[entry] for entry in structure.entry_of]
        return FeatureHypergraph(
            [[name in needed for needed in needs] for name in names],
            given,  # the hypergraph checks them
            structure.features,
            names,
            unit=unit,
        )

    @cached_property
    def _graph(self) -> FeatureHypergraph:
        return self._priced(None, "us")

    @cached_property
    def _all(self) -> SharedPlan:
        return SharedPlan(self.structure, range(len(self.features)))

    def __repr__(self) -> str:
        return (
            f"TracedExtractor({len(self.features)} features, "
            f"{len(self.structure.shared)} shared components)"
        )


class TrimmedExtractor:
    """Computes some columns of raw samples and calls only what they need.

    Made by `TracedExtractor.trim`. Values are those of the original to the last bit,
    numbers that are not finite among them.

    Attributes
    ----------
    features : tuple of str
        Names of the columns.
    components : tuple of str
        Names of the components that are computed.
    """

    def __init__(self, structure: Structure, columns: Sequence[int]) -> None:
        self.features = tuple(structure.features[j] for j in columns)
        self.plan = SharedPlan(structure, columns)
        needed = frozenset[str]().union(*(structure.needs[i] for i in self.plan.chosen))
        self.components = tuple(n for n in structure.components if n in needed)

    def __call__(self, sample: Any) -> tuple[Any, ...]:
        """Return the features of one raw sample."""
        try:
            return self.plan.run(sample)
        except Exception as error:
            raise self.plan.blame(error, "the sample") from error

    def extract(self, samples: Iterable[Any]) -> NDArray[np.float64]:
        """Return the features of raw samples as a table.

        Shape: (n_samples, n_features).
        """
        rows: list[tuple[Any, ...]] = []
        try:
            rows.extend(self.plan.run(sample) for sample in samples)
        except Exception as error:
            raise self.plan.blame(error, f"sample {len(rows)}") from error
        shape = (len(rows), len(self.features))
        return np.array(rows, dtype=np.float64).reshape(shape)

    def measure(self, samples: Sequence[Any], repeats: int = 15) -> Timing:
        """Return how long the features of one raw sample take, in seconds."""
        return time_plan(self.plan, samples, repeats)

    def __repr__(self) -> str:
        return (
            f"TrimmedExtractor({len(self.features)} features, "
            f"{len(self.components)} components)"
        )


class OpenTracedSample:
    """A raw sample that pays for a component when a feature first needs it.

    Made by `TracedExtractor.open`, for methods that decide on the way what to compute.

    `plan`: of all features; samples take turns with what it holds.
    """

    def __init__(self, structure: Structure, plan: SharedPlan, sample: Any) -> None:
        self._structure = structure
        self._plan = plan
        self._sample = sample
        self._held: Held = [None] * len(plan.held)
        self._values: dict[int, tuple[Any, ...]] = {}
        self._paid: list[str] = []

    @property
    def paid(self) -> tuple[str, ...]:
        """Names of the components computed so far, in the order of payment."""
        return tuple(self._paid)

    def feature(self, name: str) -> float:
        """Return a feature, computing what it needs and is not there yet."""
        structure = self._structure
        if name not in structure.features:
            raise PipelineError(
                f"There is no feature {shown(name)}; use one of the extractor's "
                "features."
            )
        column = structure.features.index(name)
        entry = structure.entry_of[column]
        if entry not in self._values:
            self._compute(entry)
        names = structure.columns[entry]
        return float(self._values[entry][names.index(name)])

    def _compute(self, entry: int) -> None:
        try:
            self._values[entry] = self._plan.run_entry(entry, self._sample, self._held)
        except Exception as error:
            given = self._structure.entries[entry]
            raise failed(given, error, "the sample") from error
        needed = self._structure.needs[entry]
        ordered = [n for n in self._structure.components if n in needed]
        self._paid += [name for name in ordered if name not in self._paid]
