"""A pipeline cut down to the features that are wanted, or run one at a time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import PipelineError, shown
from .plan import Plan, failure, guarded, refuse_change
from .steps import Step
from .timing import Timing, time_plan


class Extractor:
    """Computes some features of raw samples and nothing else, each component once.

    Made by `FeaturePipeline.trim`.

    `steps`: the components that the features need, in an order of execution.
    `features`: names of the steps whose values are wanted, in the order of the columns.
    `components`: names of those that are computed, in the order of execution.
    """

    def __init__(
        self, steps: Sequence[Step], inputs: Sequence[str], features: Sequence[str]
    ) -> None:
        self.features = tuple(features)
        self.components = tuple(step.name for step in steps)
        self.plan = Plan(steps, inputs, self.features)

    def __call__(self, sample: Any) -> tuple[float, ...]:
        """Return the features of one raw sample.

        `sample`: what each input is; with one input, its bare value will do.
        """
        try:
            values = self.plan.run(sample)
        except Exception as error:
            raise self.plan.blame(error, "the sample") from error
        if not _are_finite_numbers(values):
            self._refuse_odd_values(values, "the sample")
        return values

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

    def measure(self, samples: Sequence[Any], repeats: int = 15) -> Timing:
        """Return how long the features of one raw sample take.

        In seconds per sample.
        `repeats`: how often each sample is timed, each time after a run that is not.
        """
        return time_plan(self.plan, samples, repeats)

    def _table(self, rows: list[tuple[Any, ...]]) -> NDArray[np.float64]:
        shape = (len(rows), len(self.features))
        try:
            table = np.array(rows) if rows else np.zeros(shape)
        except (ValueError, OverflowError):
            table = np.array([])  # ragged: one value is not a scalar
        fits = table.shape == shape and table.dtype.kind in "biuf"
        if not fits or not np.isfinite(table).all():
            for i, values in enumerate(rows):
                self._refuse_odd_values(values, f"sample {i}")
        return np.asarray(table.reshape(shape), dtype=np.float64)

    def _refuse_odd_values(self, values: tuple[Any, ...], sample: str) -> None:
        for feature, value in zip(self.features, values, strict=True):
            _refuse_odd_value(feature, value, sample)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Extractor, (self.plan.steps, self.plan.inputs, self.features))

    def __repr__(self) -> str:
        return (
            f"Extractor({len(self.features)} features, "
            f"{len(self.components)} components)"
        )


class OpenSample:
    """A raw sample whose features are computed when they are asked for.

    Made by `FeaturePipeline.open`, for methods that decide on the way what to compute.
    """

    def __init__(
        self,
        steps: Mapping[str, Step],
        features: Sequence[str],
        values: Mapping[str, Any],
    ) -> None:
        self._steps = steps
        self._features = frozenset(features)
        self._values = dict(values)
        self._guards = {name: guarded(value) for name, value in values.items()}
        self._paid: list[str] = []

    @property
    def paid(self) -> tuple[str, ...]:
        """Names of the components computed so far, in the order of payment."""
        return tuple(self._paid)

    def feature(self, name: str) -> float:
        """Return a feature, computing what it needs and is not there yet."""
        if name not in self._features:
            raise PipelineError(
                f"There is no feature {shown(name)}; use one of the pipeline's "
                "features."
            )
        value = self._computed(name)
        _refuse_odd_value(name, value, "the sample")
        return float(value)

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


def _are_finite_numbers(values: tuple[Any, ...]) -> bool:
    """Return whether all are finite numbers, at one cheap look; may cry wolf."""
    try:
        return math.isfinite(math.fsum(values))
    except (TypeError, ValueError, OverflowError):
        return False


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
