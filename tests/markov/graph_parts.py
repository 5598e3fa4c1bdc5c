"""The parts of a small graph."""

import numpy as np


def parts(**changed):
    """What a pair of linked nodes is made of."""
    kept = {
        "attributes": [[1.0, 1.0], [0.0, 1.0]],
        "edges": [[0, 1]],
        "labels": [1, 0],
        "node_costs": [[[0, 1.5], [0.5, 0]], [[0, 0.4], [2, 0]]],
        "edge_costs": np.zeros((1, 2, 2, 2, 2)),
    }
    return {**kept, **changed}


def priced(edge, value):
    costs = np.zeros((1, 2, 2, 2, 2))
    costs[edge] = value
    return costs
