"""Cost against threshold is a line where confidences are uniform."""

import numpy as np
import pytest

from solvers.numerics.exit_curve import ExitCurve
from solvers.papers.cascades import linearity


def curve_of(confidences):
    n_rows, n_stages = confidences.shape
    called = np.zeros((n_rows, n_stages), int)
    return ExitCurve.from_stages(
        confidences, called, np.zeros(n_rows, int), np.arange(1.0, n_stages + 1)
    )


def test_cost_is_straight_where_confidences_are_uniform():
    even = np.linspace(0, 1, 2001)[:, np.newaxis]
    line = linearity(curve_of(np.hstack([even, even])))
    assert line.r2 > 0.9999
    assert line.largest_deviation < 1e-3
    assert line.slope == pytest.approx(1.0, rel=1e-2)


def test_cost_is_not_straight_where_confidences_have_a_long_tail():
    rng = np.random.default_rng(0)
    tail = np.exp(3 * rng.standard_normal((500, 2)))
    assert linearity(curve_of(tail)).r2 < 0.8


def test_a_cascade_of_one_stage_is_straight():
    line = linearity(curve_of(np.ones((5, 1))))
    assert (line.r2, line.largest_deviation) == (1.0, 0.0)
