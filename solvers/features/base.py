"""What every extractor is: features with known components, priced, trimmed, timed.

A pipeline says itself what its features share, a traced extractor was watched. Either
is a `FeatureExtractor`; cut down to some features it is a `TrimmedExtractor`, and on
one raw sample, one feature at a time, an `OpenSample`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..costs.hypergraph import FeatureHypergraph
from ..costs.selection import Selection
from ..errors import PipelineError, shown
from ..values.rounding import number
from .timing import Measurement, TimedPlan, Timing, checked_samples, time_plan


@dataclass(frozen=True)
class SharedComponent:
    """A computation that features have in common."""

    component: str  # Its name in the hypergraph
    cost: float  # Microseconds a sample, calls within that are shared too not included
    features: tuple[str, ...]  # What needs it: features, or entries that were traced
    calls: int  # How often all of them together would compute it

    def __str__(self) -> str:
        return (
            f"{self.component}: {number(self.cost)} us, behind {len(self.features)} "
            f"features; they would compute it {self.calls} times"
        )


class FeatureExtractor(ABC):
    """Features of raw samples, and the components that they need.

    Attributes
    ----------
    features : tuple of str
        Names of the columns.
    components : tuple of str
        Names of what is computed for them.
    """

    features: tuple[str, ...]
    components: tuple[str, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be known of how features share their work, a sentence each."""
        return ()

    @abstractmethod
    def trim(self, features: Selection) -> TrimmedExtractor:
        """Return what computes a selection of features and nothing else.

        Parameters
        ----------
        features : bool mask, integer indices or names
            The selection. Its columns stand in the order of the extractor.

        Returns
        -------
        TrimmedExtractor

        Raises
        ------
        HypergraphError
            If a feature is unknown.
        """

    @abstractmethod
    def open(self, sample: Any) -> OpenSample:
        """Return a raw sample whose features are computed as they are asked for.

        Parameters
        ----------
        sample : object
            One raw sample.

        Returns
        -------
        OpenSample
            With `feature(name)`, and `paid`: which components were computed so far.
        """

    @abstractmethod
    def _needs(self) -> Sequence[Collection[str]]:
        """Return the components that each feature needs."""

    @abstractmethod
    def _measurements(self, samples: list[Any], repeats: int) -> Iterator[Measurement]:
        """Yield the measured hypergraph after each repeat."""

    def extract(self, samples: Iterable[Any]) -> NDArray[np.float64]:
        """Return all features of raw samples as a table.

        Parameters
        ----------
        samples : iterable
            The raw samples: mappings, or bare values.

        Returns
        -------
        ndarray of float, shape (n_samples, n_features)

        Raises
        ------
        PipelineError
            If a function fails, or gives what is no feature.
        """
        return self.trim(self.features).extract(samples)

    def hypergraph(
        self, costs: Mapping[str, float] | ArrayLike | None = None, *, unit: str = "us"
    ) -> FeatureHypergraph:
        """Return which features need which components, at given costs.

        Parameters
        ----------
        costs : mapping of str to float, or array_like of float, optional
            Cost of each component on top of what it needs, by name or in the order of
            the components; by default as measured last, or 1 for each.
        unit : str, default="us"
            Unit of the costs.

        Returns
        -------
        FeatureHypergraph

        Raises
        ------
        PipelineError
            If a mapping lacks a component or names an unknown one.
        HypergraphError
            If a cost is negative or not finite.
        """
        if isinstance(costs, Mapping):
            costs = self._in_order(costs)
        needs, names = self._needs(), self.components
        given: Any = np.ones(len(names)) if costs is None else costs
        return FeatureHypergraph(
            [[name in needed for needed in needs] for name in names],
            given,  # the hypergraph checks them
            self.features,
            names,
            unit=unit,
        )

    def _in_order(self, costs: Mapping[str, float]) -> list[float]:
        for name in costs:
            if name not in self.components:
                raise PipelineError(
                    f"There is a cost for {shown(name)}, which is no component; use "
                    "names of components."
                )
        for name in self.components:
            if name not in costs:
                raise PipelineError(
                    f"There is no cost for {shown(name)}; give one for every component."
                )
        return [costs[name] for name in self.components]

    def measure(self, samples: Sequence[Any], repeats: int = 15) -> Measurement:
        """Return the hypergraph with costs measured on this machine.

        Parameters
        ----------
        samples : sequence
            Real samples; a hundred or more make the costs steady.
        repeats : int, default=15
            How often each sample is timed, each time after a run that is not.

        Returns
        -------
        Measurement
            Costs are in microseconds ("us") per sample. A traced extractor keeps it.

        Raises
        ------
        PipelineError
            If there are no samples or no repeats, or a function fails.
        """
        *_, last = self.measuring(samples, repeats)
        return last

    def measuring(
        self, samples: Sequence[Any], repeats: int = 15
    ) -> Iterator[Measurement]:
        """Yield the measured hypergraph after each repeat, each steadier than before.

        Parameters
        ----------
        samples : sequence
            Real samples.
        repeats : int, default=15
            How often each sample is timed, each time after a run that is not.

        Yields
        ------
        Measurement
            Of the repeats so far; closing the iterator stops.

        Raises
        ------
        PipelineError
            Before the first measurement, if there are no samples or no repeats.
        """
        return self._measurements(checked_samples(samples, repeats), repeats)

    def shared_at(self, costs: FeatureHypergraph) -> tuple[SharedComponent, ...]:
        """Return what is shared, the costliest first.

        Parameters
        ----------
        costs : FeatureHypergraph
            The extractor's hypergraph, as measured.

        Returns
        -------
        tuple of SharedComponent
        """
        found = [
            SharedComponent(name, float(cost), tuple(users), len(users))
            for name, cost in zip(costs.components, costs.component_costs, strict=True)
            if len(users := self._users(name)) > 1
        ]
        return tuple(sorted(found, key=lambda one: -one.cost))

    def _users(self, component: str) -> list[str]:
        pairs = zip(self.features, self._needs(), strict=True)
        return [feature for feature, needed in pairs if component in needed]

    @property
    def between(self) -> TimedPlan | None:
        """What runs before each run of a selection that is timed; None: itself."""
        return None

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(self.features)

    @cached_property
    def _structure(self) -> FeatureHypergraph:
        """Which features need which components, at no costs of anybody."""
        return FeatureExtractor.hypergraph(self)

    def _columns(self, features: Selection) -> list[int]:
        """Return the places of a selection's columns, in order."""
        places: list[int] = np.flatnonzero(
            self._structure.feature_mask(features)
        ).tolist()
        return places


class TrimmedExtractor:
    """Computes some features of raw samples and calls only what they need.

    Made by `FeatureExtractor.trim`.

    `features`: names of the columns.
    `components`: names of those that are computed.
    """

    def __init__(
        self, plan: TimedPlan, features: Iterable[str], components: Iterable[str]
    ) -> None:
        self.plan = plan
        self.features, self.components = tuple(features), tuple(components)

    def __call__(self, sample: Any) -> tuple[Any, ...]:
        """Return the features of one raw sample."""
        try:
            values = self.plan.run(sample)
        except Exception as error:
            raise self.plan.blame(error, "the sample") from error
        if not self._are_features(values):
            self._refuse(values, "the sample")
        return values

    @staticmethod
    def _are_features(values: tuple[Any, ...]) -> bool:
        """Return whether values may be features, at one cheap look."""
        return True

    def _refuse(self, values: tuple[Any, ...], sample: str) -> None:
        """Refuse what is no feature, where there is any."""

    def extract(self, samples: Iterable[Any]) -> NDArray[np.float64]:
        """Return the features of raw samples as a table.

        Shape: (n_samples, n_features).
        """
        if isinstance(samples, Mapping | str):
            raise PipelineError(
                f"The samples are a {type(samples).__name__}; give a list of samples."
            )
        rows: list[tuple[Any, ...]] = []
        try:
            rows.extend(self.plan.run(sample) for sample in samples)
        except Exception as error:
            raise self.plan.blame(error, f"sample {len(rows)}") from error
        return self._table(rows)

    def _table(self, rows: list[tuple[Any, ...]]) -> NDArray[np.float64]:
        shape = (len(rows), len(self.features))
        return np.array(rows, dtype=np.float64).reshape(shape)

    def measure(self, samples: Sequence[Any], repeats: int = 15) -> Timing:
        """Return how long the features of one raw sample take.

        In seconds per sample.
        `repeats`: how often each sample is timed, each time after a run that is not.
        """
        return time_plan(self.plan, samples, repeats)

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({len(self.features)} features, "
            f"{len(self.components)} components)"
        )


class OpenSample(ABC):
    """A raw sample that pays for a component when a feature first needs it.

    Made by `FeatureExtractor.open`, for methods that decide on the way what to compute.
    """

    def __init__(self, features: frozenset[str]) -> None:
        self._features = features
        self._paid: list[str] = []

    @property
    def paid(self) -> tuple[str, ...]:
        """Names of the components computed so far, in the order of payment."""
        return tuple(self._paid)

    def feature(self, name: str) -> float:
        """Return a feature, computing what it needs and is not there yet."""
        if name not in self._features:
            raise PipelineError(
                f"There is no feature {shown(name)}; use one of the extractor's "
                "features."
            )
        return float(self._computed(name))

    @abstractmethod
    def _computed(self, name: str) -> Any:
        """Return the value of a feature."""
