"""A stage is as sure in plain numbers as in arrays."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.methods.tefe.rules import interpolation


@given(
    st.lists(st.integers(-50, 50), min_size=1, max_size=8, unique=True),
    st.lists(st.floats(0, 1), min_size=8, max_size=8),
    st.floats(-60, 60),
)
def test_interpolation_is_numpys(points, values, x):
    at = np.sort(np.array(points)) / 7.0
    of = np.sort(np.array(values[: len(at)]))
    assert interpolation(at, of)(x) == pytest.approx(np.interp(x, at, of), abs=1e-15)
