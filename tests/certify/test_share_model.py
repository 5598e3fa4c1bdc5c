"""Gains and curvature are the derivatives of the objective."""

import numpy as np
import pytest

from solvers import FeatureHypergraph
from solvers.certify.oracle import Oracle
from solvers.certify.problem import make_problem
from solvers.certify.relaxation import NodePart, ShareModel


def _bundled_model(weights=None):
    """Two columns in one bundle, two bundles more, one of them paid for."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 4))
    y = X @ [1.0, -1.0, 0.7, 0.4] + rng.standard_normal(60) > 0
    graph = FeatureHypergraph([[1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], [1, 1, 2])
    problem = make_problem(X, y, graph, 0.05, sample_weight=weights)
    inside = np.array([False, False, True])
    part = NodePart(problem, inside, np.ones(3, dtype=bool), 0.8)
    return ShareModel(Oracle(problem), part)


def test_gains_and_curvature_are_the_derivatives_of_the_objective():
    model, z, step = _bundled_model(), np.array([0.4, 0.7]), 1e-4
    cut = model.at(z, 1e-13)
    model.at(z, 1e-13)  # from its own end: the Hessian is the one there
    curvature = model.curvature()
    for k, change in enumerate(step * np.eye(2)):
        up, down = model.at(z + change, 1e-13), model.at(z - change, 1e-13)
        slope = (up.objective - down.objective) / (2 * step)
        assert slope == pytest.approx(-cut.gains[k], rel=1e-3)
        bend = (down.gains[:2] - up.gains[:2]) / (2 * step)
        assert bend == pytest.approx(curvature[k], rel=1e-3)
