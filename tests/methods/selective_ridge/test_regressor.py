"""The regressor solves the problem of scaled columns."""

import pytest

from solvers.methods.selective_ridge import SelectiveRidgeRegressor

pytestmark = pytest.mark.kernels


def test_the_regressor_solves_the_problem_of_scaled_columns(cancer):
    X, y = cancer
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    ours = SelectiveRidgeRegressor(mu=0.3).fit(X, y)
    theirs = SelectiveRidgeRegressor(mu=0.3, standardise=False).fit(scaled, y)
    assert ours.predict(X) == pytest.approx(theirs.predict(scaled), abs=1e-5)
