"""Extractors of other libraries, in the form that tracing or a pipeline takes.

Those of a library without an adapter are a list of `FeatureFunction`; docs/tracing.md
shows it for two.
"""

from .sklearn import sklearn_pipeline
from .tsfel import tsfel_features

__all__ = ["sklearn_pipeline", "tsfel_features"]
