"""Settling ends where the gradient does, and no steeper than it began."""

import numpy as np
from scipy.optimize import rosen, rosen_der

from solvers.markov.training import Point, settle


def test_settling_finds_a_minimum_from_nearby():
    def evaluate(x):
        return Point(x, rosen(x), rosen_der(x))

    end = settle(evaluate, evaluate(np.full(6, 0.9)), 1e-9)
    assert np.allclose(end.point.at, 1.0)
    assert end.point.steepness <= 1e-9


def test_settling_never_ends_steeper_than_it_began():
    """A loss with a kink at its minimum has no flat point."""

    def evaluate(x):
        return Point(x, np.abs(x).sum(), np.where(x < 0, -1.0, 1.0))

    start = evaluate(np.array([0.3, -0.7]))
    end = settle(evaluate, start, 1e-6)
    assert end.point.steepness == start.steepness
    assert end.point.value <= start.value + 1e-9
