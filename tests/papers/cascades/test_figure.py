"""Points of a curve, chosen by cost."""

import numpy as np

from solvers.papers.cascades.figure import Series, at_cost, within_cost


def test_the_best_score_within_a_cost_counts_what_is_cheaper():
    series = Series("a", "tefe", np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.9, 0.8]))
    assert [within_cost(series, cost) for cost in (0.5, 1.0, 2.5, 9.0)] == [
        0.0,
        0.5,
        0.9,
        0.9,
    ]


def test_the_score_at_a_cost_is_chosen_by_cost_alone():
    series = Series("a", "tefe", np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.9, 0.8]))
    assert [at_cost(series, cost) for cost in (0.5, 1.0, 2.5, 9.0)] == [
        0.0,
        0.5,
        0.9,
        0.8,
    ]
