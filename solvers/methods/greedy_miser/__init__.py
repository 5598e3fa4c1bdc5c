"""Greedy Miser: boosted trees that pay for a feature when they first split on it.

`prices` is what a next feature costs, `trees` how trees grow, `classifier` the method.
"""

from .classifier import GreedyMiserClassifier

__all__ = ["GreedyMiserClassifier"]
