"""CSTC: a tree of classifiers that routes rows past features that they do not need.

`objective` is what is minimised, `training` how, `classifier` the method.
"""

from .classifier import CSTCClassifier

__all__ = ["CSTCClassifier"]
