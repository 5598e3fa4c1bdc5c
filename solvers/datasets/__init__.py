"""Tables with labels and prices, each from a maker of its own."""

from .base import Dataset

__all__ = ["Dataset"]
