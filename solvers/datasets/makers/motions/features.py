"""The features of TSFEL, of how strongly a wrist is accelerated."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....features.tracing import FeatureFunction, TracedExtractor, trace_extractor
from ....features.tracing.adapters import tsfel_features
from .series import HERTZ

__all__ = ["INSIDE", "motion_features", "strength", "traced_motions"]

INSIDE = ("tsfel", __name__)
TRACED = 4  # windows: one of each motion


def strength(window: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the length of the acceleration, however the watch is turned."""
    return np.asarray(np.sqrt((window * window).sum(axis=0)))


def motion_features() -> list[FeatureFunction]:
    """Return the features of a window, to be traced, or name the extra they need."""
    return [
        replace(one, function=functools.partial(_of_strength, one.function))
        for one in tsfel_features(fs=HERTZ)
    ]


def _of_strength(function: Callable[[Any], Any], window: Any) -> Any:
    return function(strength(window))


def traced_motions(windows: Sequence[Any]) -> TracedExtractor:
    """Return what TSFEL computes of windows, priced on this machine."""
    few = windows[:: max(1, len(windows) // TRACED)][:TRACED]
    return trace_extractor(motion_features(), few, inside=INSIDE)
