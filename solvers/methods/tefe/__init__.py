"""TEFE: a cascade of support vector machines that computes features until it is sure.

`classifier` is the method, `confidence` when a stage is sure enough, `journey` one
sample's way through a cascade that really stops.
"""

from ...decisions.lazy_features import Journey
from .classifier import TEFEClassifier

__all__ = ["Journey", "TEFEClassifier"]
