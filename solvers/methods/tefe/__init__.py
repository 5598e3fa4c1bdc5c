"""TEFE: a cascade of support vector machines that computes features until it is sure.

`classifier` is the method, `confidence` when a stage is sure enough, `cascade` what is
done once the stages are trained.
"""

from ...decisions.walker import Journey
from .classifier import TEFEClassifier

__all__ = ["Journey", "TEFEClassifier"]
