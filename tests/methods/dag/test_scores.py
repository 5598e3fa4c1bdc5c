"""States score rows by what those did not train."""

import numpy as np
import pytest

from solvers.methods.dag import DAGClassifier
from solvers.methods.dag.scores import train_state
from solvers.numerics.distinct_rows import DistinctRows
from solvers.numerics.inner_folds import anew, deal_folds
from tests.methods.tables import random_problem


def test_each_row_is_scored_by_what_it_did_not_train():
    X, y, _ = random_problem(3, n_samples=60)
    rows = DistinctRows.of(X, y.astype(float), np.ones(60))
    folds = deal_folds((rows.signs > 0).astype(int), 5, 0, freely=anew)
    known = train_state(rows, np.ones(4, dtype=bool), folds, None).held_out
    row = 7
    signs = rows.signs.copy()
    signs[row] *= -1
    flipped = DistinctRows(rows.X, signs, rows.shares)
    other = train_state(flipped, np.ones(4, dtype=bool), folds, None).held_out
    mates = folds == folds[row]
    assert other[mates] == pytest.approx(known[mates], abs=1e-6)
    assert np.abs(other - known)[~mates].max() > 1e-3


def test_two_distinct_rows_are_enough():
    X = np.repeat([[0.0, 1.0], [1.0, 1.0]], 20, axis=0)
    y = np.repeat(["no", "yes"], 20)
    model = DAGClassifier(base_budget=0.5, cost_weight=0.1).fit(X, y)
    assert model.predict(X).tolist() == y.tolist()
