"""pycatch22: each of the 22 (or 24) canonical features is bought alone."""

from __future__ import annotations

from ..entries import FeatureFunction
from .extras import library

INSIDE = ("pycatch22",)


def catch22_features(*, catch24: bool = False) -> list[FeatureFunction]:
    """Return the features of pycatch22, to be given to `trace_extractor`.

    Parameters
    ----------
    catch24 : bool, default=False
        Whether mean and deviation are among them.

    Returns
    -------
    list of FeatureFunction
        Their work is done in C, where nothing can be watched: each is a component of
        its own.

    Raises
    ------
    PipelineError
        If pycatch22 is missing.
    """
    pycatch22 = library("pycatch22", "catch22")
    names = [row["name"] for row in pycatch22.feature_table(catch24=catch24)]
    return [FeatureFunction(name, getattr(pycatch22, name)) for name in names]
