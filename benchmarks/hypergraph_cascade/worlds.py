"""Data sets, each made afresh and cut from a seed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from solvers import Dataset, all_datasets, split_dataset
from solvers.evaluation import Split

TINY_ROWS = 400


def drawn(world: str, seed: int, tiny: bool) -> Split:
    """Return a data set's rows, columns centred and scaled by the training rows.

    What costs nothing and helps some machines is done for everybody.
    """
    split = WORLDS[world](seed, tiny)
    X = split.X("train")
    width = X.std(axis=0)
    scaled = (split.dataset.X - X.mean(axis=0)) / np.where(width > 0, width, 1.0)
    return Split(replace(split.dataset, X=scaled), split.rows)


def _generated(name, n_samples, **options):
    def make(seed, tiny):
        rows = TINY_ROWS if tiny else n_samples
        data = all_datasets()[name](n_samples=rows, random_state=seed, **options)
        return split_dataset(data, seed)

    return make


def _bundled(name):
    def make(seed, tiny):
        data = all_datasets()[name]()
        if tiny and name != "scenes":
            data = _some(data, np.arange(data.n_samples) < TINY_ROWS)
        return split_dataset(data, seed)

    return make


def _some(data: Dataset, chosen) -> Dataset:
    return replace(data, X=data.X[chosen], y=data.y[chosen])


def rare_positives(seed, tiny):
    """One row in twenty is positive, everywhere."""
    rows = 3 * TINY_ROWS if tiny else 30_000
    data = all_datasets()["gaussian"](psi=0.1, n_samples=rows, random_state=seed)
    positive = data.y == data.positive
    wanted = int((~positive).sum() / 19)
    kept = ~positive
    kept[np.flatnonzero(positive)[:wanted]] = True
    return split_dataset(_some(data, kept), seed)


def prior_shift(seed, tiny):
    """Four of five positives are gone from the test rows, and only from them."""
    split = _generated("gaussian", 20_000, psi=0.1)(seed, tiny)
    test = split.rows["test"]
    positive = np.flatnonzero(split.y("test") == split.dataset.positive)
    gone = np.random.default_rng(seed).permutation(positive)[: len(positive) * 4 // 5]
    rows = {**split.rows, "test": np.delete(test, gone)}
    return Split(split.dataset, rows)


# The quickest first.
WORLDS = {
    "breast_cancer": _bundled("breast_cancer"),
    "scenes, ten classes": _bundled("scenes"),
    "regions": _generated("regions", 6000),
    "signals": _bundled("signals"),
    "sources": _generated("sources", 20_000),
    "gaussian, psi .1": _generated("gaussian", 20_000, psi=0.1),
    "gaussian, psi .5": _generated("gaussian", 20_000, psi=0.5),
    "rare positives": rare_positives,
    "gaussian, psi .3": _generated("gaussian", 20_000, psi=0.3),
    "prior shift": prior_shift,
}
