"""One sample's way through a cascade: features are computed until a stage is sure."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...lazy_features import Extractor, feature_reader

__all__ = ["Stop", "travel"]


@dataclass(frozen=True, eq=False)
class Stop:
    """What one stage saw and said."""

    stage: int  # Its number, from 0
    features: tuple[str, ...]  # What it added
    values: NDArray[np.float64]  # (len(features),) Their values
    margins: NDArray[np.float64]  # (n_outputs,) Decisions of its machines
    confidence: float  # How sure it is; minus infinity if it may not answer
    label: Any  # What it would predict
    cost: float  # What the row has paid so far, in the hypergraph's unit
    seconds: float  # Time spent so far, features and decisions
    leaves: bool  # Whether the row leaves here


def travel(
    groups: Sequence[NDArray[np.int_]],
    names: Sequence[str],
    extractor: Extractor,
    judge: Callable[[NDArray[np.float64], int], tuple[NDArray, float, Any]],
    costs: NDArray[np.float64],
    threshold: float,
) -> Iterator[Stop]:
    """Yield stop after stop, computing a group of features before each.

    Shapes: `costs` (n_stages,).
    `extractor`: where values come from; asked for each feature once, and for none in
    vain.
    `judge`: from a row, zero where nothing is known yet, and a stage to margins,
    confidence and label.
    """
    read = feature_reader(extractor, names)
    row = np.zeros(len(names))
    started = time.perf_counter()
    for stage, group in enumerate(groups):
        members = group.tolist()
        values = np.array([read(j) for j in members])
        row[group] = values
        margins, confidence, label = judge(row, stage)
        leaves = confidence >= threshold or stage == len(groups) - 1
        yield Stop(
            stage,
            tuple([names[j] for j in members]),
            values,
            margins,
            confidence,
            label,
            float(costs[stage]),
            time.perf_counter() - started,
            leaves,
        )
        if leaves:
            return
