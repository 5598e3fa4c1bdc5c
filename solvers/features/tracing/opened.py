"""A raw sample whose traced features are computed as they are asked for."""

from __future__ import annotations

from typing import Any

from ...errors import PipelineError, shown
from .held import Held
from .plan import SharedPlan, failed
from .structure import Structure


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
