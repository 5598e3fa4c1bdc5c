"""Runs feature functions on a raw sample; copied into what is exported."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any


class RawSample:
    """A raw sample whose parts are computed when they are asked for, each once.

    `parts`: by name, a function and the names of what it is called with. An array that
    they are given they cannot change: others are given it, too.
    `features`: by name, a part; which of its numbers, None where it gives one; and the
    names of all its numbers, if these have names.
    """

    def __init__(
        self,
        sample: Any,
        inputs: Sequence[str],
        parts: Mapping[str, tuple[Callable[..., Any], Sequence[str]]],
        features: Mapping[str, tuple[str, int | None, Sequence[str] | None]],
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
            given = [_unwriteable(self.value(need)) for need in needs]
            self.values[name] = function(*given)
        return self.values[name]

    def feature(self, name: str) -> Any:
        """Return a feature as its part gives it."""
        part, place, names = self.features[name]
        given = self.value(part)
        if place is None:
            return given
        if names is not None:
            return _by_name(given, part, names)[names[place]]
        is_one = not isinstance(given, list | tuple) and getattr(given, "ndim", 0) != 1
        return given if is_one else list(given)[place]


def _by_name(given: Any, part: str, names: Sequence[str]) -> dict[str, Any]:
    """Return the numbers of a mapping or a series by their names, which are known."""
    found = {str(name): value for name, value in given.items()}
    if found.keys() != set(names):
        raise ValueError(
            f"{part} gives {', '.join(found)} and gave {', '.join(names)} where it was "
            "traced; let it give the same on every sample."
        )
    return found


def _unwriteable(value: Any) -> Any:
    """Return a view of an array into which nobody can write; else the value."""
    if f"{type(value).__module__}.{type(value).__name__}" != "numpy.ndarray":
        return value
    view = value.view()
    view.flags.writeable = False
    return view
