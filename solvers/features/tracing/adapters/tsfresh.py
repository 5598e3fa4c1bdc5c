"""tsfresh: one feature for each calculator of its settings, and each parameter set."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pandas as pd

from ....errors import PipelineError, shown
from ..entries import FeatureFunction
from .extras import library

INSIDE = ("tsfresh",)


def tsfresh_features(
    settings: Mapping[Any, Any] | None = None, kind: str = "value"
) -> list[FeatureFunction]:
    """Return the features of tsfresh's settings, to be given to `trace_extractor`.

    Parameters
    ----------
    settings : mapping, optional
        As one for `tsfresh.extract_features`; its efficient ones by default.
    kind : str, default="value"
        What tsfresh calls the series; names begin with it.

    Returns
    -------
    list of FeatureFunction
        Their columns are named as tsfresh names them. What a calculator computes for
        many parameters at once is bought at once.

    Raises
    ------
    PipelineError
        If tsfresh is missing, or has no calculator that the settings name.
    """
    extraction = library("tsfresh.feature_extraction", "tsfresh")
    settings = extraction.EfficientFCParameters() if settings is None else settings
    return [
        feature
        for calculator, parameters in settings.items()
        for feature in _features(_calculator(calculator), parameters, kind)
    ]


def _calculator(given: Any) -> Any:
    calculators = library("tsfresh.feature_extraction.feature_calculators", "tsfresh")
    found = given if callable(given) else getattr(calculators, str(given), None)
    if found is None:
        raise PipelineError(
            f"tsfresh has no calculator {shown(given)}; use one of its own."
        )
    return found


def _features(
    calculator: Any, parameters: list[dict[str, Any]] | None, kind: str
) -> Iterator[FeatureFunction]:
    naming = library("tsfresh.utilities.string_manipulation", "tsfresh")
    name = f"{kind}__{calculator.__name__}"
    if getattr(calculator, "fctype", None) == "combiner":
        function = functools.partial(calculator, param=parameters)
        read = functools.partial(_named, name)
        yield FeatureFunction(name, _called(calculator, function), read, True)
        return
    for chosen in parameters or [{}]:
        told = f"__{naming.convert_to_output_format(chosen)}" if chosen else ""
        function = functools.partial(calculator, **chosen)
        yield FeatureFunction(f"{name}{told}", _called(calculator, function))


def _called(calculator: Any, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a calculator that takes an array, as a series if it needs one."""
    if getattr(calculator, "input", None) == "pd.Series":
        return functools.partial(_on_series, function)
    return function


def _on_series(function: Callable[[Any], Any], values: Any) -> Any:
    return function(pd.Series(values))


def _named(name: str, value: Any) -> dict[str, Any]:
    return {f"{name}__{key}" if key else name: number for key, number in value}
