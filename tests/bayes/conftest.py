"""Rows that tests of learned networks share."""

import pytest
from sklearn.datasets import load_breast_cancer


@pytest.fixture(scope="module")
def cancer():
    """Return six columns of the breast cancer table, and its labels."""
    X, y = load_breast_cancer(return_X_y=True)
    return X[:, :6], y
