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

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checks import refuse_twins
from ..costs.selection import Selection
from ..errors import PipelineError, shown
from .base import FeatureExtractor, OpenSample, TrimmedExtractor
from .freshness import Memory, first_runs
from .plan import Plan, failure, guarded, read_input, refuse_change
from .steps import Step, as_step, checked_inputs, closure, execution_order
from .timing import Measurement, alone_nanoseconds, measured, step_nanoseconds


class FeaturePipeline(FeatureExtractor):
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
        self.components = tuple(step.name for step in self.steps)
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
        for name in features:
            if name not in self.components:
                raise PipelineError(
                    f"Feature {shown(name)} is not a function of the pipeline; use "
                    "names of functions."
                )
        refuse_twins(features, "The pipeline has the feature", PipelineError)
        return tuple(features)

    def trim(self, features: Selection) -> TrimmedPipeline:
        """Return what computes a selection of features, in order of the pipeline."""
        chosen = [self.features[j] for j in self._columns(features)]
        needed = frozenset[str]().union(*(self._closure[name] for name in chosen))
        steps = [step for step in self._ordered if step.name in needed]
        return TrimmedPipeline(steps, self.inputs, chosen)

    def open(self, sample: Any) -> OpenInput:
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
        return OpenInput(steps, self._names, values)

    def _needs(self) -> list[frozenset[str]]:
        return [self._closure[name] for name in self.features]

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

    @cached_property
    def _closure(self) -> Mapping[str, frozenset[str]]:
        return closure(self._ordered)

    def __repr__(self) -> str:
        return (
            f"FeaturePipeline({len(self.features)} features, "
            f"{len(self.steps)} components, inputs {', '.join(self.inputs)})"
        )


class TrimmedPipeline(TrimmedExtractor):
    """Some steps of a pipeline, each run once; features are finite numbers.

    `steps`: the components that the features need, in an order of execution.
    `features`: names of the steps whose values are wanted, in the order of the columns.
    """

    plan: Plan

    def __init__(
        self, steps: Sequence[Step], inputs: Sequence[str], features: Sequence[str]
    ) -> None:
        plan = Plan(steps, inputs, features)
        super().__init__(plan, features, (step.name for step in steps))

    @staticmethod
    def _are_features(values: tuple[Any, ...]) -> bool:
        """Return whether all are finite numbers, at one cheap look; may cry wolf."""
        try:
            return math.isfinite(math.fsum(values))
        except (TypeError, ValueError, OverflowError):
            return False

    def _refuse(self, values: tuple[Any, ...], sample: str) -> None:
        for feature, value in zip(self.features, values, strict=True):
            _refuse_odd_value(feature, value, sample)

    def _table(self, rows: list[tuple[Any, ...]]) -> NDArray[np.float64]:
        shape = (len(rows), len(self.features))
        try:
            table = np.array(rows) if rows else np.zeros(shape)
        except (ValueError, OverflowError):
            table = np.array([])  # ragged: one value is not a scalar
        fits = table.shape == shape and table.dtype.kind in "biuf"
        if not fits or not np.isfinite(table).all():
            for i, values in enumerate(rows):
                self._refuse(values, f"sample {i}")
        return np.asarray(table.reshape(shape), dtype=np.float64)

    def __reduce__(self) -> tuple[Any, ...]:
        return (TrimmedPipeline, (self.plan.steps, self.plan.inputs, self.features))


class OpenInput(OpenSample):
    """What a raw sample gives, and the steps that have been run on it."""

    def __init__(
        self,
        steps: Mapping[str, Step],
        features: frozenset[str],
        values: Mapping[str, Any],
    ) -> None:
        super().__init__(features)
        self._steps = steps
        self._values = dict(values)
        self._guards = {name: guarded(value) for name, value in values.items()}

    def _computed(self, name: str) -> Any:
        pending = [name]
        while pending:
            step = self._steps[pending[-1]]
            missing = [need for need in step.arguments if need not in self._values]
            if missing:
                pending += reversed(missing)
                continue
            pending.pop()
            if step.name not in self._values:
                self._pay(step)
        _refuse_odd_value(name, self._values[name], "the sample")
        return self._values[name]

    def _pay(self, step: Step) -> None:
        guards = [(need, *self._guards[need]) for need in step.arguments]
        given = [give() if give else self._values[need] for need, give, _ in guards]
        try:
            value = step.function(*given)
            for _, _, is_same in guards:
                if is_same is not None and not is_same():
                    refuse_change(step.name)
        except Exception as error:
            raise failure(step, error, "the sample") from error
        self._values[step.name], self._guards[step.name] = value, guarded(value)
        self._paid.append(step.name)


def _refuse_odd_value(feature: str, value: Any, sample: str) -> None:
    if not _is_finite_number(value):
        text = repr(value)
        raise PipelineError(
            f"Feature {shown(feature)} is {shown(text)} on {sample}; let it return one "
            "finite number."
        )


def _is_finite_number(value: Any) -> bool:
    try:
        number = np.asarray(value)
    except ValueError:
        return False
    return (
        number.ndim == 0 and number.dtype.kind in "biuf" and bool(np.isfinite(number))
    )
