"""Small problems, solved."""

import pytest

from solvers.methods.selective_ridge import selective_ridge_stream
from tests.methods.selective_ridge_cases import LOSSES


def solve_case(case, tol=1e-9):
    return solve(case.X, case.y, case.mu, tol, **case.options)


def solve(X, y, mu, tol=1e-9, **options):
    *_, fit = selective_ridge_stream(X, y, mu=mu, tol=tol, **options)
    return fit


every_loss = pytest.mark.parametrize("loss", LOSSES)
