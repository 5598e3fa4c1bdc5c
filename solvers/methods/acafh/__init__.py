"""ACAFH: cost-aware classification with a concave penalty on shared components."""

from .estimator import ACAFHClassifier
from .penalties import PENALTIES, Lp
from .problem import ACAFHProblem

__all__ = ["PENALTIES", "ACAFHClassifier", "ACAFHProblem", "Lp"]
