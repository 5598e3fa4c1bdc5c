"""What is polished is exact, however rough the dual point was that it began at."""

import numpy as np
import pytest

from solvers.numerics.svm_machines import solve_svms
from solvers.numerics.svm_polish import polish
from tests.svm_cases import CASES


@pytest.mark.parametrize("roughness", [1e-6, 1e-4])
@pytest.mark.parametrize("C", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("case", ["eight_against_392", "three_against_57"])
def test_nothing_to_learn_is_certified_from_a_rough_dual_point(case, C, roughness):
    """Of the many duals of no weights the one close by keeps its bounds."""
    X, y = CASES[case]
    X, caps = X - X.mean(axis=0), np.full(len(y), C)
    dual = solve_svms(X, y[np.newaxis], caps).dual[0]
    rng = np.random.default_rng(0)
    alpha = dual * y * (1 + roughness * rng.standard_normal(len(y)))
    machine = polish(X, y, caps, np.clip(alpha, 0.0, caps) * y)
    assert machine.gap <= 1e-12
    assert np.abs(machine.coef).max() <= 1e-12
