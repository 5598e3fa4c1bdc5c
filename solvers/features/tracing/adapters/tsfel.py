"""TSFEL: one feature for each entry of a configuration that is in use."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np

from ....checks import library
from ....errors import PipelineError, shown
from ..entries import FeatureFunction

INSIDE = ("tsfel",)


def tsfel_features(
    config: Mapping[str, Any] | None = None, fs: float | None = None, *, axis: int = -1
) -> list[FeatureFunction]:
    """Return the features of a TSFEL configuration, to be given to `trace_extractor`.

    Parameters
    ----------
    config : mapping, optional
        As `tsfel.get_features_by_domain` returns it, which is the default.
    fs : float, optional
        Sampling frequency; the configuration's own by default.
    axis : int, optional
        Which column of a window of several; windows of one signal by default.

    Returns
    -------
    list of FeatureFunction
        Their columns are named as TSFEL names them, without the axis before.

    Raises
    ------
    PipelineError
        If TSFEL is missing, or has no function that the configuration names.
    """
    tsfel = library("tsfel", "tsfel", "The list of features")
    config = tsfel.get_features_by_domain() if config is None else config
    entries = {
        name: entry
        for domain in config.values()
        for name, entry in domain.items()
        if entry["use"] == "yes"
    }
    return [
        FeatureFunction(name, _function(tsfel, name, entry, fs, axis), _read)
        for name, entry in entries.items()
    ]


def _function(
    tsfel: Any, name: str, entry: Mapping[str, Any], fs: float | None, axis: int
) -> Any:
    function = getattr(tsfel, str(entry["function"]).removeprefix("tsfel."), None)
    if function is None:
        raise PipelineError(
            f"TSFEL has no function {shown(entry['function'])} for feature "
            f"{shown(name)}; use one of its own."
        )
    parameters = dict(entry["parameters"] or {})
    if fs is not None and "fs" in parameters:
        parameters["fs"] = fs
    function = functools.partial(function, **parameters)
    return function if axis < 0 else functools.partial(_on_axis, axis, function)


def _on_axis(axis: int, function: Any, window: Any) -> Any:
    return function(window[:, axis])


def _read(value: Any) -> Any:
    """Return a value as TSFEL puts it into its table."""
    if isinstance(value, tuple):
        return [0.0] * len(value) if np.isnan(value[0]) else list(value)
    if isinstance(value, dict):
        return dict(zip(value["names"], value["values"], strict=True))
    return value
