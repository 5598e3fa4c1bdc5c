"""Three features of which two share a component, as groups."""

import numpy as np

from solvers import FeatureHypergraph

# Features 0 and 1 share a component of 3.
PRICES = FeatureHypergraph(
    [[1, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [3.0, 1.0, 0.5, 2.0]
)


FIRST, SECOND, THIRD = np.eye(3, dtype=bool)


NOTHING = np.zeros(3, dtype=bool)
