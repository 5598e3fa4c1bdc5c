"""A selection, and the least value of a quadratic on one."""

import numpy as np

N_FEATURES = 9


CHOSEN = np.isin(np.arange(N_FEATURES), [0, 2, 3, 7])


def least(matrix, target, support):
    """The least value of the quadratic with weights on a support alone."""
    weights = np.linalg.solve(matrix[np.ix_(support, support)], target[support])
    return -0.5 * float(weights @ target[support])
