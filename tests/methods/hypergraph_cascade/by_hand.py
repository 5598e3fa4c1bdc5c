"""Models of stages that are written down."""

import numpy as np

from solvers.methods.hypergraph_cascade.policies import Policy
from solvers.methods.hypergraph_cascade.stages import Platt, StageModel

CALIBRATIONS = (Platt(1.0, 0.0), Platt(2.0, 0.1), Platt(3.0, 0.2))


MODELS = (
    StageModel(np.zeros((1, 0)), np.array([0.5])),
    StageModel(np.array([[1.0]]), np.zeros(1)),
    StageModel(np.array([[1.0, 10.0]]), np.zeros(1)),
)


def policy_of(low, high, n_leaves=1):
    bounds = tuple(np.array(low) for _ in range(n_leaves))
    tops = tuple(np.array(high) for _ in range(n_leaves))
    return Policy(0, bounds, tops, 0.0, 1.0, 0.0, 0.0, 0.0)


# Nobody leaves at once; at the second stage rows of |x2| up to 2 go on.
PATIENT = policy_of([-np.inf, -2.0, np.inf], [np.inf, 2.0, -np.inf])
