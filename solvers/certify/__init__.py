"""Proven floors under every linear model within a budget, and all that is as good.

What is bounded is the training objective, mean logistic loss plus ridge: it says
nothing of F1 and nothing of rows that were not seen.
"""

from .certificate import Certificate, Leaf, read_certificate, write_certificate
from .checker import check_certificate
from .frontier import CertifiedBudget, certified_frontier
from .nearly import NearOptimal, near_optimal

__all__ = [
    "Certificate",
    "CertifiedBudget",
    "Leaf",
    "NearOptimal",
    "certified_frontier",
    "check_certificate",
    "near_optimal",
    "read_certificate",
    "write_certificate",
]
