"""Extractors of other libraries, in the form that tracing or a pipeline takes.

Each library is an extra of its own, imported when its adapter is called.
"""

from .hamilton import hamilton_pipeline
from .pycatch22 import catch22_features
from .sklearn import sklearn_pipeline
from .tsfel import tsfel_features
from .tsfresh import tsfresh_features

__all__ = [
    "catch22_features",
    "hamilton_pipeline",
    "sklearn_pipeline",
    "tsfel_features",
    "tsfresh_features",
]
