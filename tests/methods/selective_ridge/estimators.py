"""The classifier and the regressor."""

import pytest

from solvers.methods.selective_ridge import (
    SelectiveRidgeClassifier,
    SelectiveRidgeRegressor,
)

BOTH = (SelectiveRidgeClassifier, SelectiveRidgeRegressor)


both = pytest.mark.parametrize("kind", BOTH)
