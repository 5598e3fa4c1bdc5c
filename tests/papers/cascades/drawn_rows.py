"""Rows of a cascade, drawn at random."""

import numpy as np

from solvers.papers.cascades import CascadeRows


def random_rows(seed, n_rows=30, n_stages=5):
    """Return rows of which some tie and some stages do not answer."""
    rng = np.random.default_rng(seed)
    # Whole numbers tie often, and some stages may not answer.
    confidences = rng.integers(0, 6, (n_rows, n_stages)).astype(float)
    confidences[rng.random(confidences.shape) < 0.1] = -np.inf
    return CascadeRows(
        confidences,
        rng.integers(0, 3, (n_rows, n_stages)),
        rng.integers(0, 3, n_rows),
        np.cumsum(rng.random(n_stages)),
        3,
    )
