"""ACAFH: cost-aware classification with a concave penalty on shared components."""

from .estimator import ACAFHClassifier, PreparedACAFH
from .penalties import PENALTIES, Lp, Mcp, Scad
from .problem import ACAFHProblem, Solution

__all__ = [
    "PENALTIES",
    "ACAFHClassifier",
    "ACAFHProblem",
    "Lp",
    "Mcp",
    "PreparedACAFH",
    "Scad",
    "Solution",
]
