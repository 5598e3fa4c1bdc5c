"""Feature functions that say by their parameter names what they need.

Every function is one component. A feature needs its own function and all that this
needs in turn, each computed once:

>>> def mean(signal):
...     return sum(signal) / len(signal)
>>> def deviation(signal, mean):
...     return (sum((x - mean) ** 2 for x in signal) / len(signal)) ** 0.5
>>> def peak(signal):
...     return max(signal)
>>> pipeline = FeaturePipeline([mean, deviation, peak], inputs=["signal"])
>>> pipeline.extract([[1, 3], [2, 2]]).tolist()
[[2.0, 1.0, 3.0], [2.0, 0.0, 2.0]]
>>> pipeline.hypergraph({"mean": 2.0, "deviation": 3.0, "peak": 1.0}).cost("deviation")
5.0
>>> pipeline.trim(["deviation"])([1, 3])
(1.0,)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..costs.hypergraph import FeatureHypergraph
from ..costs.selection import Selection
from ..errors import PipelineError, shown
from .extraction import Extractor, OpenSample
from .freshness import Memory, first_runs
from .plan import Plan, read_input
from .steps import Step, as_step, checked_inputs, closure, execution_order
from .timing import (
    Measurement,
    alone_nanoseconds,
    checked_samples,
    measured,
    step_nanoseconds,
)


class FeaturePipeline:
    """Functions that compute features of raw samples and share what they compute.

    Parameters
    ----------
    functions : sequence of callable or Step
        The components, in any order. A parameter named like another function or like
        an input is given its value; a `Step` names both where they differ. Functions
        must not change what they are given, since others are given it too.
    inputs : sequence of str
        What a raw sample gives. A sample is a mapping of these names, or, with one
        input, its bare value.
    features : sequence of str, optional
        Names of the functions whose values are features, in the order of the columns;
        all by default, in the order of `functions`.

    Attributes
    ----------
    steps : tuple of Step
        The components, in the order of `functions`.
    inputs, features : tuple of str
        As above.

    Raises
    ------
    PipelineError
        If a name stands twice or is unknown, functions need each other in a circle, or
        a function takes ``*args`` or ``**kwargs``.
    """

    def __init__(
        self,
        functions: Sequence[Step | Callable[..., Any]],
        *,
        inputs: Sequence[str],
        features: Sequence[str] | None = None,
    ) -> None:
        self.steps = tuple(as_step(function) for function in functions)
        if not self.steps:
            raise PipelineError("There are no functions; give at least one.")
        self.inputs = checked_inputs(inputs, self.steps)
        self._ordered = execution_order(self.steps)
        self.features = self._checked_features(features)

    def _checked_features(self, features: Sequence[str] | None) -> tuple[str, ...]:
        if features is None:
            return self.components
        if isinstance(features, str) or not features:
            raise PipelineError(
                f"The features are {shown(features)}; give a list of names."
            )
        for i, name in enumerate(features):
            if name not in self.components:
                raise PipelineError(
                    f"Feature {shown(name)} is not a function of the pipeline; use "
                    "names of functions."
                )
            if name in features[:i]:
                raise PipelineError(
                    f"Feature {shown(name)} is listed twice; list it once."
                )
        return tuple(features)

    @property
    def components(self) -> tuple[str, ...]:
        """Names of the components, in the order of `functions`."""
        return tuple(step.name for step in self.steps)

    # ------------------------------------------------------------------------ features

    def extract(self, samples: Iterable[Any]) -> NDArray[np.float64]:
        """Return all features of raw samples as a table.

        Parameters
        ----------
        samples : iterable of mappings, or of bare values
            The raw samples.

        Returns
        -------
        ndarray of float, shape (n_samples, n_features)

        Raises
        ------
        PipelineError
            If a function fails or gives something other than a finite number.
        """
        return self.trim(self.features).extract(samples)

    def trim(self, features: Selection) -> Extractor:
        """Return what computes a selection of features and nothing else.

        Parameters
        ----------
        features : bool mask, integer indices or names
            The selection. Its columns stand in the order of the pipeline.

        Returns
        -------
        Extractor

        Raises
        ------
        HypergraphError
            If a feature is unknown.
        """
        mask = self._structure.feature_mask(features)
        chosen = [self.features[j] for j in np.flatnonzero(mask)]
        needed = frozenset[str]().union(*(self._closure[name] for name in chosen))
        steps = [step for step in self._ordered if step.name in needed]
        return Extractor(steps, self.inputs, chosen)

    def open(self, sample: Any) -> OpenSample:
        """Return a raw sample whose features are computed as they are asked for.

        Parameters
        ----------
        sample : mapping of str to object, or object
            What each input is; with one input, its bare value will do.

        Returns
        -------
        OpenSample

        Raises
        ------
        PipelineError
            If the sample lacks an input.
        """
        if len(self.inputs) == 1:
            values = {self.inputs[0]: read_input(sample, self.inputs[0])}
        elif isinstance(sample, Mapping) and set(self.inputs) <= set(sample):
            values = {name: sample[name] for name in self.inputs}
        else:
            raise PipelineError(
                "The sample lacks an input; a sample is a mapping that gives "
                f"{', '.join(self.inputs)}."
            )
        steps = {step.name: step for step in self.steps}
        return OpenSample(steps, self.features, values)

    # --------------------------------------------------------------------------- costs

    def hypergraph(
        self, costs: Mapping[str, float] | ArrayLike | None = None, *, unit: str = "us"
    ) -> FeatureHypergraph:
        """Return which features need which components, at given costs.

        Parameters
        ----------
        costs : mapping of str to float, or array_like of float, optional
            Cost of each component on top of what it needs, by name or in the order of
            the functions; 1 for each by default.
        unit : str, default="us"
            Unit of the costs.

        Returns
        -------
        FeatureHypergraph
            Its components stand in the order of the functions.

        Raises
        ------
        PipelineError
            If a mapping lacks a component or names an unknown one.
        HypergraphError
            If a cost is negative or not finite.
        """
        needs = [self._closure[name] for name in self.features]
        return FeatureHypergraph(
            [[name in needed for needed in needs] for name in self.components],
            self._cost_array(costs),
            self.features,
            self.components,
            unit=unit,
        )

    def measure(self, samples: Sequence[Any], repeats: int = 15) -> Measurement:
        """Return the hypergraph with costs measured on this machine.

        Parameters
        ----------
        samples : sequence of mappings, or of bare values
            Real samples; a hundred or more make the costs steady.
        repeats : int, default=15
            How often each sample is timed, each time after a run that is not.

        Returns
        -------
        Measurement
            Costs are in microseconds ("us") per sample.

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
        samples : sequence of mappings, or of bare values
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

    def _measurements(self, samples: list[Any], repeats: int) -> Iterator[Measurement]:
        self.extract(samples)
        clocked = Plan(self._ordered, self.inputs, clocked=True)
        position = {step.name: i for i, step in enumerate(self._ordered)}
        columns = [position[name] for name in self.components]
        memory = self._memory(samples)
        passes: list[NDArray[np.float64]] = []
        for _ in range(repeats):
            passes.append(step_nanoseconds(clocked, samples)[:, columns] / 1e3)
            yield measured(self.hypergraph, passes, memory, len(samples))

    def _memory(self, samples: list[Any]) -> Memory:
        """Return what components take on samples that they see first."""
        names = self.components
        plans = []
        for name in names:
            steps = [one for one in self._ordered if one.name in self._closure[name]]
            columns = [names.index(step.name) for step in steps]
            plans.append((Plan(steps, self.inputs, clocked=True), columns))

        def run(target: int, sample: Any) -> NDArray[np.float64]:
            return alone_nanoseconds(*plans[target], len(names), sample)

        return first_runs(run, len(names), len(names), samples)

    # ------------------------------------------------------------------------ plumbing

    def _cost_array(self, costs: Mapping[str, float] | ArrayLike | None) -> Any:
        if costs is None:
            return np.ones(len(self.steps))
        if not isinstance(costs, Mapping):
            return costs  # the hypergraph checks them
        for name in costs:
            if name not in self.components:
                raise PipelineError(
                    f"There is a cost for {shown(name)}, which is not a function of "
                    "the pipeline; use names of functions."
                )
        for name in self.components:
            if name not in costs:
                raise PipelineError(
                    f"There is no cost for {shown(name)}; give one for every function."
                )
        return [costs[name] for name in self.components]

    @cached_property
    def _closure(self) -> Mapping[str, frozenset[str]]:
        return closure(self._ordered)

    @cached_property
    def _structure(self) -> FeatureHypergraph:
        return self.hypergraph()

    def __repr__(self) -> str:
        return (
            f"FeaturePipeline({len(self.features)} features, "
            f"{len(self.steps)} components, inputs {', '.join(self.inputs)})"
        )
