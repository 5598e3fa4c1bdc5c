"""Signals that feature functions are run on."""

import numpy as np
import pytest


@pytest.fixture(scope="module")
def signals():
    rng = np.random.default_rng(0)
    tones = np.sin(np.arange(64) * rng.uniform(0.1, 1.5, (60, 1)))
    return list(tones + 0.3 * rng.standard_normal((60, 64)))
