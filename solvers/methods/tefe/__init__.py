"""TEFE: a cascade of support vector machines that computes features until it is sure.

`classifier` is the method, `stages` how its stages are trained and when one is sure.
"""

from ...decisions.walker import Journey
from .classifier import TEFEClassifier

__all__ = ["Journey", "TEFEClassifier"]
