"""A quadratic of some columns."""

import numpy as np
import pytest

from tests.methods.acafh.quadratics import N_FEATURES


@pytest.fixture(scope="module")
def quadratic():
    rng = np.random.default_rng(0)
    table = rng.standard_normal((40, N_FEATURES)) + rng.standard_normal((40, 1))
    return table.T @ table / 40, rng.standard_normal(N_FEATURES)
