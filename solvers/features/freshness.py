"""What components remember: a first run on a sample beside the next one.

A function that keeps what it has computed, or a sample that does, is quick on a sample
that it has seen. In use it sees none twice, so the first run is what it costs. Samples
that are new to whatever remembers are made of those that are there: a copy in which a
number is another by its last bit.
"""

from __future__ import annotations

import copy
import itertools
import math
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..errors import PipelineError, shown

TURNS = 5  # new samples for each component
_numbers = itertools.count(1)  # of new samples: none is made twice
SWAPS = 3  # of neighbours
NOISE = 1e3  # nanoseconds that a first run may take longer for other reasons
# Runs what a component needs on a sample; returns the own time of each component that
# ran, in nanoseconds, and NaN for the others.
Run = Callable[[int, Any], NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class Memory:
    """How long components take on a sample that they see first.

    `fresh`: (n_components,) microseconds; NaN where a second run takes as long.
    """

    fresh: NDArray[np.float64]

    def costs(self, warm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what components cost, from what they take in later runs."""
        return np.fmax(warm, self.fresh)

    def notes(self, names: Sequence[str], warm: NDArray[np.float64]) -> tuple[str, ...]:
        """Return a sentence for each component that remembers."""
        return tuple(
            f"{shown(name)} remembers samples: a first run takes {first:.3g} us, which "
            f"counts, and a later one {later:.3g} us."
            for name, first, later in zip(names, self.fresh, warm, strict=True)
            if first > later
        )


def first_runs(
    run: Run, n_targets: int, n_components: int, samples: Sequence[Any]
) -> Memory:
    """Return what components take on samples that they see first.

    Each target runs alone on samples of its own: what another has computed does not
    help it.

    `run`: runs a target, by its number, on a sample.
    """
    first, again = [], []
    turns = [target for _ in range(TURNS) for target in range(n_targets)]
    for target, sample in zip(turns, itertools.cycle(samples), strict=False):
        run(target, sample)
        new = renewed(sample, next(_numbers))
        _read(new)  # code and data are then where they are for a second run
        try:
            first.append(run(target, new))
            again.append(run(target, new))
        except PipelineError:  # it takes no sample that was made
            del first[len(again) :]
    shape = len(first), n_components
    return Memory(_fresh(np.reshape(first, shape), np.reshape(again, shape)))


def _fresh(
    first: NDArray[np.float64], again: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the median of first runs where most take longer than later ones, else NaN.

    Shapes: (n_runs, n_components), NaN for what did not run.
    """
    found = np.full(first.shape[1], np.nan)
    for j in np.flatnonzero(np.isfinite(first).any(axis=0)):
        ran = np.isfinite(first[:, j])
        one, later = first[ran, j], again[ran, j]
        if np.quantile(one - later, 0.25) > max(np.median(later), NOISE):
            found[j] = np.median(one) / 1e3
    return found


def renewed(value: Any, number: int) -> Any:
    """Return a copy of a sample that nobody has seen; itself where that cannot be.

    `number`: by how many last bits the first number differs. Whole numbers stay as they
    are, and some that are neighbours change places.
    """
    if isinstance(value, float):
        return type(value)(_nudged(value, number))
    if type(value) is np.ndarray:
        return _renewed_array(value, number)
    if isinstance(value, pd.Series | pd.DataFrame):
        return _renewed_table(value, number)
    if type(value) in (list, tuple):
        return type(value)(_renewed_items(list(value), number))
    if isinstance(value, Mapping):
        return {name: renewed(one, number) for name, one in value.items()}
    if type(value).__module__ != "builtins" and hasattr(value, "__dict__"):
        return _renewed_instance(value, number)
    return value


def _read(value: Any) -> None:
    """Bring a sample's arrays into the processor's caches."""
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        zlib.crc32(np.ascontiguousarray(value).view(np.uint8).data)
    elif isinstance(value, Mapping):
        _read(list(value.values()))
    elif isinstance(value, list | tuple):
        for item in value:
            _read(item)
    elif isinstance(value, pd.Series | pd.DataFrame):
        _read(value.to_numpy())


def _nudged(value: Any, number: int) -> Any:
    """Return a value that differs in its last bits; zero and what is no number stay."""
    usable = math.isfinite(value) and value != 0
    return value + number * np.spacing(value) if usable else value


def _swapped(items: Any, number: int) -> None:
    """Let some neighbours that differ change places."""
    places = [i for i in range(len(items) - 1) if items[i] != items[i + 1]]
    for place in np.random.default_rng(number).permutation(places)[:SWAPS].tolist():
        items[place], items[place + 1] = items[place + 1], items[place]


def _renewed_array(values: np.ndarray, number: int) -> np.ndarray:
    new = values.copy("K")
    flat = new.reshape(-1)  # a view, or nothing is changed
    if new.dtype.kind == "f":
        usable = np.flatnonzero(np.isfinite(flat) & (flat != 0))
        for place in usable[:1]:
            flat[place] = _nudged(flat[place], number)
    elif new.dtype.kind in "biuSU":
        _swapped(flat, number)
    return new


def _renewed_table(table: Any, number: int) -> Any:
    new = table.copy()
    if isinstance(new, pd.Series):
        if isinstance(new.dtype, np.dtype):
            new[:] = _renewed_array(new.to_numpy(), number)
        return new
    for place, kind in enumerate(new.dtypes):
        if isinstance(kind, np.dtype) and kind.kind == "f":
            new.isetitem(place, _renewed_array(new.iloc[:, place].to_numpy(), number))
            break
    return new


def _renewed_items(items: list[Any], number: int) -> list[Any]:
    """Renew the first item that can be; else let two that differ change places."""
    for place, item in enumerate(items):
        if isinstance(item, float | np.ndarray | list | tuple):
            items[place] = renewed(item, number)
            return items
    _swapped(items, number)
    return items


def _renewed_instance(value: Any, number: int) -> Any:
    """Return a copy without what it has computed when it was asked."""
    new = copy.copy(value)
    held = vars(new)
    for name in list(held):
        if isinstance(getattr(type(value), name, None), cached_property):
            del held[name]
        else:
            held[name] = renewed(held[name], number)
    return new
