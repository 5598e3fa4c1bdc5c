"""A model that somebody has already, as a classifier that pays for what a row needs."""

from .classifier import AdoptedClassifier, adopt

__all__ = ["AdoptedClassifier", "adopt"]
