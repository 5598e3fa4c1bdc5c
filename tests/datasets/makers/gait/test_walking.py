"""Simulated windows are repeatable, and half are on stairs."""

import numpy as np

from solvers.datasets.makers.gait import simulated_walks


def test_windows_are_repeatable_and_half_are_on_stairs():
    windows, labels = simulated_walks(40)
    again, _ = simulated_walks(40)
    assert np.array_equal(windows, again)
    assert (labels == "stairs").sum() == 20
