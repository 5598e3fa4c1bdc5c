"""Where the nodes of a drawing stand, in pixels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers import FeatureHypergraph

from .hypergraph_layout import lay_out

__all__ = ["STEP", "places"]

# Pixels between neighbours of a layout; y grows downwards.
STEP = np.array([112.0, -64.0])
ASPECT = 1.1


def places(
    hypergraph: FeatureHypergraph,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return where components and features stand, block by block.

    Shape: `components` (n_components, 2), `features` (n_features, 2).
    """
    layout = lay_out(hypergraph, ASPECT)
    return layout.components * STEP, layout.features * STEP
