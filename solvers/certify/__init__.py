"""Proven floors under every linear model within a budget, and all that is as good.

What is bounded is the training objective, mean logistic loss plus ridge: it says
nothing of F1 and nothing of rows that were not seen.
"""

from .certificate import Certificate, Leaf, Region, read_certificate, write_certificate
from .checker import check_certificate
from .frontier import (
    CertifiedBudget,
    CertifiedSearch,
    FloorStep,
    certified_frontier,
    floor_steps,
)
from .nearly import NearOptimal, NearOptimalSearch, near_optimal
from .oracle import RidgeObjective

__all__ = [
    "Certificate",
    "CertifiedBudget",
    "CertifiedSearch",
    "FloorStep",
    "Leaf",
    "NearOptimal",
    "NearOptimalSearch",
    "Region",
    "RidgeObjective",
    "certified_frontier",
    "check_certificate",
    "floor_steps",
    "near_optimal",
    "read_certificate",
    "write_certificate",
]
