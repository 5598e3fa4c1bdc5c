"""ACAFH: cost-aware classification with a concave penalty on shared components."""

from .estimator import ACAFHClassifier, PreparedACAFH
from .penalties import Lp, Mcp, Scad
from .problem import ACAFHProblem, Solution

__all__ = [
    "ACAFHClassifier",
    "ACAFHProblem",
    "Lp",
    "Mcp",
    "PreparedACAFH",
    "Scad",
    "Solution",
]
