"""What an extractor returns, entry by entry, and the numbers in each."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...checks import refuse_namesakes
from ...errors import PipelineError, listed, shown


@dataclass(frozen=True)
class FeatureFunction:
    """One entry of an extractor: a function of a raw sample that is bought whole.

    Parameters
    ----------
    name : str
        Name of the entry, and of its column if it gives one number; its columns are
        called ``name_0, name_1, ...`` or ``name_key`` if it gives several.
    function : callable
        Takes a raw sample; returns a number, a sequence of numbers or a mapping of
        names to numbers.
    read : callable, optional
        Makes one of these of what the function returns.
    has_bare_columns : bool, default=False
        Whether its columns are called by their keys alone.
    """

    name: str
    function: Callable[[Any], Any]
    read: Callable[[Any], Any] | None = None
    has_bare_columns: bool = False

    def compute(self, sample: Any) -> Any:
        """Return what it gives on a raw sample, as it was before it was traced."""
        value = self.function(sample)
        return value if self.read is None else self.read(value)


def as_entries(function: Any) -> tuple[FeatureFunction, ...]:
    """Return the entries of an extractor: one function, or several with their names."""
    if isinstance(function, Mapping):
        entries = [_entry(str(name), one) for name, one in function.items()]
    elif isinstance(function, list | tuple):
        entries = [_named_entry(one) for one in function]
    else:
        name = _name_of(function) if callable(function) else "extractor"
        entries = [_entry(name or "extractor", function, has_bare_columns=True)]
    if not entries:
        raise PipelineError("There are no functions; give at least one.")
    names = (entry.name for entry in entries)
    refuse_namesakes(names, "feature", PipelineError)
    return tuple(entries)


def _named_entry(given: Any) -> FeatureFunction:
    if isinstance(given, FeatureFunction):
        return given
    if isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], str):
        return _entry(*given)
    name = _name_of(given) if callable(given) else None
    if name is None:
        raise PipelineError(
            f"{shown(given)} has no name; give it as a pair (name, function)."
        )
    return _entry(name, given)


def _name_of(function: Any) -> str | None:
    name = getattr(function, "__name__", None)
    return None if name == "<lambda>" else name


def _entry(
    name: str, function: Any, *, has_bare_columns: bool = False
) -> FeatureFunction:
    if not callable(function):
        raise PipelineError(
            f"Feature {shown(name)} is {shown(function)}; give a function of a sample."
        )
    plain = function.func if isinstance(function, functools.partial) else function
    if inspect.isgeneratorfunction(plain) or inspect.iscoroutinefunction(plain):
        raise PipelineError(
            f"Feature {shown(name)} is a generator; let it return its numbers, as a "
            "mapping or a list."
        )
    return FeatureFunction(name, function, None, has_bare_columns)


@dataclass(frozen=True)
class Keys:
    """By what the numbers of an entry are told apart.

    `n_numbers`: how many it gives.
    `names`: keys of a mapping or a series; None where numbers have places.
    """

    n_numbers: int
    names: tuple[Any, ...] | None = None

    @classmethod
    def of(cls, entry: FeatureFunction, value: Any) -> Keys:
        """Return the keys of what an entry gave first."""
        return cls(len(numbers_of(entry.name, value)), _names_in(value))

    def columns(self, entry: FeatureFunction, value: Any) -> tuple[str, ...]:
        """Return the names of an entry's columns."""
        if self.names is None and not _is_sequence(value):
            return (entry.name,)
        before = "" if entry.has_bare_columns else f"{entry.name}_"
        names = range(self.n_numbers) if self.names is None else self.names
        return tuple(f"{before}{name}" for name in names)

    def numbers(self, name: str, value: Any, now: str = "") -> tuple[Any, ...]:
        """Return the numbers in what an entry gave, in the order of the keys.

        `now`: the sample, if it is to be said.
        """
        numbers, names = numbers_of(name, value), _names_in(value)
        if names == self.names and len(numbers) == self.n_numbers:
            return numbers
        if names is None or self.names is None:
            if len(numbers) != self.n_numbers:
                told, before = f"{len(numbers)} numbers", str(self.n_numbers)
            else:
                told, before = _about_names(names), _about_names(self.names)
        else:
            by_name = dict(zip(names, numbers, strict=True))
            odd = [one for one in names if one not in self.names]
            lacking = [one for one in self.names if one not in by_name]
            if not odd and not lacking and len(names) == len(self.names):
                return tuple(by_name[one] for one in self.names)
            told = f"the names {listed(names)}"
            before = listed(self.names)
        raise PipelineError(
            f"Feature {shown(name)} gives {told}{now} and gave {before} where it was "
            "first traced; let it give the same on every sample."
        )


def _about_names(names: Any) -> str:
    return "numbers without names" if names is None else "a mapping"


def _names_in(value: Any) -> tuple[Any, ...] | None:
    if isinstance(value, Mapping):
        return tuple(value)
    return tuple(value.index) if hasattr(value, "iloc") else None  # a series


def numbers_of(name: str, value: Any) -> tuple[Any, ...]:
    """Return the numbers in what an entry gave, as they are.

    `name`: of the entry, for the sentence that refuses what is no number.
    """
    found = (value,)
    if isinstance(value, Mapping):
        found = tuple(value.values())
    elif _is_sequence(value):
        found = tuple(value)
    if not found or not all(_is_number(number) for number in found):
        raise PipelineError(
            f"Feature {shown(name)} gives {shown(value)}; let it return a number, a "
            "list of numbers, or a mapping of names to numbers."
        )
    return found


def _is_sequence(value: Any) -> bool:
    return isinstance(value, list | tuple) or getattr(value, "ndim", 0) == 1


def _is_number(value: Any) -> bool:
    if isinstance(value, np.generic | np.ndarray):
        return value.ndim == 0 and value.dtype.kind in "biuf"
    return isinstance(value, bool | int | float)


def has_gaps(numbers: Sequence[Any]) -> bool:
    """Return whether one of the numbers is not finite."""
    return not all(math.isfinite(number) for number in numbers)
