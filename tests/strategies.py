"""Random hypergraphs for property tests."""

import numpy as np
from hypothesis import strategies as st

from solvers import FeatureHypergraph


@st.composite
def hypergraphs(draw, max_features=6, max_components=7):
    """A hypergraph whose every feature needs a component; some may stand empty."""
    n_features = draw(st.integers(1, max_features))
    n_components = draw(st.integers(1, max_components))
    needs = [
        draw(st.sets(st.integers(0, n_components - 1), min_size=1))
        for _ in range(n_features)
    ]
    incidence = np.zeros((n_components, n_features), dtype=bool)
    for j, rows in enumerate(needs):
        incidence[list(rows), j] = True
    costs = draw(
        st.lists(
            st.floats(0, 100, allow_subnormal=False),
            min_size=n_components,
            max_size=n_components,
        )
    )
    return FeatureHypergraph(incidence, costs)
