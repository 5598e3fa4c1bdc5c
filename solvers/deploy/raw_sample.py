"""Runs feature functions on a raw sample; copied into what is exported."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

__all__ = ["RawSample"]


class RawSample:
    """A raw sample whose parts are computed when they are asked for, each once.

    `parts`: by name, a function and the names of what it is called with.
    `features`: by name, a part; and which of its numbers, None where it gives one.
    """

    def __init__(
        self,
        sample: Any,
        inputs: Sequence[str],
        parts: Mapping[str, tuple[Callable[..., Any], Sequence[str]]],
        features: Mapping[str, tuple[str, int | None]],
    ) -> None:
        self.parts, self.features = parts, features
        bare = len(inputs) == 1 and not (
            isinstance(sample, Mapping) and inputs[0] in sample
        )
        self.values = {name: sample if bare else sample[name] for name in inputs}

    def value(self, name: str) -> Any:
        """Return an input, or what a part gives; that is computed the first time."""
        if name not in self.values:
            function, needs = self.parts[name]
            self.values[name] = function(*(self.value(need) for need in needs))
        return self.values[name]

    def feature(self, name: str) -> Any:
        """Return a feature as its part gives it."""
        part, place = self.features[name]
        given = self.value(part)
        if place is None:
            return given
        if isinstance(given, Mapping):
            return list(given.values())[place]
        is_one = not isinstance(given, list | tuple) and getattr(given, "ndim", 0) != 1
        return given if is_one else list(given)[place]
