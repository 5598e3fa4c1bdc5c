"""Data sets, each made afresh and cut from a seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from solvers import Dataset, all_datasets, split_dataset
from solvers.frontier.evaluation import Split

from .curved import hastie, interactions

__all__ = ["LINEAR", "WORLDS", "World", "drawn"]

TINY_ROWS = 400
# With fewer rows there are half of the features, 50: rows for each of them are scarce.
MANY_ROWS = 10_000
_FEW = {"gaussian": {"n_features": 50}, "sources": {"n_sources": 10}}


@dataclass(frozen=True)
class World:
    """A data set by its seed.

    Parameters
    ----------
    make : callable
        Takes a seed and a number of rows, and returns the data cut into parts.
    n_rows : int
        How many rows there are where nobody asks for fewer.
    is_linear : bool
        Whether labels are drawn from a linear function of the features.
    is_drawn : bool
        Whether each seed draws rows of its own; else it cuts the same ones.
    """

    make: Callable[[int, int], Split]
    n_rows: int
    is_linear: bool
    is_drawn: bool = True

    def __call__(self, seed: int, tiny: bool) -> Split:
        return self.make(seed, TINY_ROWS if tiny else self.n_rows)


def drawn(world: str, seed: int, tiny: bool, n_rows: int | None = None) -> Split:
    """Return a data set's rows, columns centred and scaled by the training rows.

    What costs nothing and helps some machines is done for everybody.
    """
    found = WORLDS[world]
    asked = TINY_ROWS if tiny else min(found.n_rows, n_rows or found.n_rows)
    split = found.make(seed, asked)
    X = split.X("train")
    width = X.std(axis=0)
    scaled = (split.dataset.X - X.mean(axis=0)) / np.where(width > 0, width, 1.0)
    return Split(replace(split.dataset, X=scaled), split.rows)


def _generated(name: str, **options):
    def make(seed: int, n_rows: int) -> Split:
        few = _FEW.get(name, {}) if n_rows < MANY_ROWS else {}
        told = {"n_samples": n_rows, "random_state": seed, **options, **few}
        data = all_datasets()[name](**told)
        return split_dataset(data, seed)

    return make


def _bundled(name: str):
    def make(seed: int, n_rows: int) -> Split:
        data = all_datasets()[name]()
        order = np.random.default_rng(seed).permutation(data.n_samples)
        # Of ten classes a few hundred rows are too few.
        kept = order if name == "scenes" else order[:n_rows]
        return split_dataset(_some(data, np.sort(kept)), seed)

    return make


def _drawn_here(make_data: Callable[[int, int], Dataset]):
    def make(seed: int, n_rows: int) -> Split:
        return split_dataset(make_data(n_rows, seed), seed)

    return make


def _some(data: Dataset, chosen) -> Dataset:
    return replace(data, X=data.X[chosen], y=data.y[chosen], samples=None)


def rare_positives(seed: int, n_rows: int) -> Split:
    """One row in twenty is positive, everywhere."""
    # Half of the drawn rows are positive, and of those all but a 19th go.
    data = _generated("gaussian", psi=0.1)(seed, 2 * n_rows).dataset
    positive = data.y == data.positive
    wanted = int((~positive).sum() / 19)
    kept = ~positive
    kept[np.flatnonzero(positive)[:wanted]] = True
    return split_dataset(_some(data, kept), seed)


def prior_shift(seed: int, n_rows: int) -> Split:
    """Four of five positives are gone from the test rows, and only from them."""
    split = _generated("gaussian", psi=0.1)(seed, n_rows)
    test = split.rows["test"]
    positive = np.flatnonzero(split.y("test") == split.dataset.positive)
    gone = np.random.default_rng(seed).permutation(positive)[: len(positive) * 4 // 5]
    rows = {**split.rows, "test": np.delete(test, gone)}
    return Split(split.dataset, rows)


# The quickest first.
WORLDS = {
    "breast_cancer": World(
        _bundled("breast_cancer"), 569, is_linear=False, is_drawn=False
    ),
    "hastie": World(_drawn_here(hastie), 10_000, is_linear=False),
    "interactions": World(_drawn_here(interactions), 10_000, is_linear=False),
    "regions": World(_generated("regions"), 6000, is_linear=False),
    "scenes, ten classes": World(
        _bundled("scenes"), 3000, is_linear=False, is_drawn=False
    ),
    "signals": World(_bundled("signals"), 6000, is_linear=False, is_drawn=False),
    "sources": World(_generated("sources"), 20_000, is_linear=True),
    "gaussian, psi .1": World(_generated("gaussian", psi=0.1), 20_000, is_linear=True),
    "gaussian, psi .5": World(_generated("gaussian", psi=0.5), 20_000, is_linear=True),
    "rare positives": World(rare_positives, 15_000, is_linear=True),
    "gaussian, psi .3": World(_generated("gaussian", psi=0.3), 20_000, is_linear=True),
    "prior shift": World(prior_shift, 20_000, is_linear=True),
}
LINEAR = tuple(name for name, world in WORLDS.items() if world.is_linear)
