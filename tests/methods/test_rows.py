"""What rows a method learns from and predicts, and which it refuses."""

import numpy as np
import pytest
from scipy import sparse

from solvers.errors import DataError
from tests.each import each

from .test_static import PRICES, Summed, X, Y


def test_a_row_of_weight_nothing_is_a_row_that_is_not_there():
    weights = np.where(np.arange(20) < 5, 0.0, 3.0)
    seen = Summed(PRICES).fit(X, Y, weights).seen_
    assert (seen.X == X[5:]).all()
    assert seen.weights.tolist() == [1.0] * 15


@each(
    ("X", "y", "weights", "sentence"),
    [
        (X, np.arange(20) % 3, None, "with 3 classes; keep two"),
        (X, np.repeat("no", 20), None, "'no': a classifier can't train with one"),
        (X, Y, -np.ones(20), "sample weight is -1; weights are 0 or more"),
        (X, Y, (Y == "no") * 1.0, "Every row of class 'yes' has weight 0"),
    ],
)
def test_what_cannot_be_learned_from_is_refused(X, y, weights, sentence):
    with pytest.raises(DataError, match=sentence):
        Summed(PRICES).fit(X, y, weights)


def test_sparse_rows_are_refused_by_who_takes_none():
    class Dense(Summed):
        title, takes_sparse = "Dense", False

    with pytest.raises(DataError, match="Dense takes no sparse rows"):
        Dense(PRICES).fit(sparse.csr_array(X), Y)
