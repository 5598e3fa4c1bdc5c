"""How each family of methods decides; importing a file registers its models."""

from ..lowering import lower
from . import (
    bayes,
    cascades,
    gates,
    linear,
    shopping,
    stages,
    trees,
    trimmed_networks,
)

__all__ = [
    "bayes",
    "cascades",
    "gates",
    "linear",
    "lower",
    "shopping",
    "stages",
    "trees",
    "trimmed_networks",
]
