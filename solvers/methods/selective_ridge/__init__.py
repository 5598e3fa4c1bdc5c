"""Selective ridge: many more features than rows, solved in the dual with a proof.

A ridge penalty with a price for each feature in use, made convex: features are at
zero, on a boundary where they shrink by a constant, or ridge. One variable a row, a
certificate with every fit, and time linear in the number of features.
"""

from .estimators import SelectiveRidgeClassifier, SelectiveRidgeRegressor
from .paths import maximum_selectivity, selective_ridge_path, selective_ridge_stream
from .problem import SelectiveRidgeFit

__all__ = [
    "SelectiveRidgeClassifier",
    "SelectiveRidgeFit",
    "SelectiveRidgeRegressor",
    "maximum_selectivity",
    "selective_ridge_path",
    "selective_ridge_stream",
]
