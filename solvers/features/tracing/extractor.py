"""A traced extractor: priced, cut down to what is wanted, or run one at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...costs.hypergraph import FeatureHypergraph
from ...costs.selection import Selection
from ...errors import PipelineError
from ..base import FeatureExtractor, OpenSample, SharedComponent, TrimmedExtractor
from ..freshness import Memory, first_runs
from ..timing import Measurement, measured, undisturbed
from .held import Held
from .plan import ClockedPlan, SharedPlan, failed
from .structure import Structure


class TracedExtractor(FeatureExtractor):
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
        return self.shared_at(self.measurement.hypergraph)

    def shared_at(self, costs: FeatureHypergraph) -> tuple[SharedComponent, ...]:
        """Return what is shared by which entries, the costliest first."""
        structure = self.structure
        found = []
        for place, role in enumerate(structure.shared):
            behind = [
                entry.name
                for i, entry in enumerate(structure.entries)
                if role in structure.roles_below(i)
            ]
            cost = float(costs.component_costs[place])
            calls = structure.calls_unshared(role)
            found.append(SharedComponent(role.name, cost, tuple(behind), calls))
        return tuple(sorted(found, key=lambda one: -one.cost))

    @property
    def between(self) -> SharedPlan:
        """All features: on a machine that does other things between two samples."""
        return self._all

    def trim(self, features: Selection) -> TrimmedExtractor:
        """Return what computes a selection of features and nothing else.

        `features`: a mask, indices or names. Its columns stand in the order of the
        extractor.
        """
        structure, columns = self.structure, self._columns(features)
        plan = SharedPlan(structure, columns)
        needed = frozenset[str]().union(*(structure.needs[i] for i in plan.chosen))
        return TrimmedExtractor(
            plan,
            (self.features[j] for j in columns),
            (name for name in self.components if name in needed),
        )

    def open(self, sample: Any) -> OpenTracedSample:
        """Return a raw sample whose features are computed as they are asked for."""
        return OpenTracedSample(self.structure, self._names, self._all, sample)

    def hypergraph(
        self, costs: Mapping[str, float] | ArrayLike | None = None, *, unit: str = "us"
    ) -> FeatureHypergraph:
        """Return which features need which components, at given costs.

        `costs`: of each component, by name or in their order; as measured last, by
        default.
        """
        if costs is None and self._measurement is not None:
            return self._measurement.hypergraph
        return super().hypergraph(costs, unit=unit)

    def measure(self, samples: Sequence[Any], repeats: int = 15) -> Measurement:
        """Return the hypergraph with costs measured on this machine, and keep it."""
        self._measurement = super().measure(samples, repeats)
        return self._measurement

    def _needs(self) -> list[Collection[str]]:
        structure = self.structure
        return [structure.needs[entry] for entry in structure.entry_of]

    def _measurements(self, samples: list[Any], repeats: int) -> Iterator[Measurement]:
        # Entries take turns in a new order each time, each after a run that is not
        # timed.
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
            priced = partial(FeatureExtractor.hypergraph, self)
            yield measured(priced, passes, memory, len(samples))

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

    @cached_property
    def _all(self) -> SharedPlan:
        return SharedPlan(self.structure, range(len(self.features)))

    def __repr__(self) -> str:
        return (
            f"TracedExtractor({len(self.features)} features, "
            f"{len(self.structure.shared)} shared components)"
        )


class OpenTracedSample(OpenSample):
    """A raw sample that pays for a component when a feature first needs it.

    `plan`: of all features; samples take turns with what it holds.
    """

    def __init__(
        self,
        structure: Structure,
        features: frozenset[str],
        plan: SharedPlan,
        sample: Any,
    ) -> None:
        super().__init__(features)
        self._structure = structure
        self._plan = plan
        self._sample = sample
        self._held: Held = [None] * len(plan.held)
        self._values: dict[int, tuple[Any, ...]] = {}

    def _computed(self, name: str) -> Any:
        structure = self._structure
        entry = structure.entry_of[structure.features.index(name)]
        if entry not in self._values:
            self._compute(entry)
        return self._values[entry][structure.columns[entry].index(name)]

    def _compute(self, entry: int) -> None:
        try:
            self._values[entry] = self._plan.run_entry(entry, self._sample, self._held)
        except Exception as error:
            given = self._structure.entries[entry]
            raise failed(given, error, "the sample") from error
        needed = self._structure.needs[entry]
        ordered = [n for n in self._structure.components if n in needed]
        self._paid += [name for name in ordered if name not in self._paid]
