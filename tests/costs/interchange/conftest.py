"""A small hypergraph with awkward names."""

import pytest

from solvers import FeatureHypergraph


@pytest.fixture
def tiny():
    """Three features; fft is shared, idle is needed by none."""
    return FeatureHypergraph(
        [[1, 1, 0], [0, 0, 0], [0, 0, 1]],
        [3.0, 0.1, 1e-300],
        ("peak", "Größe, μ", 'a "b"\r\nc'),
        ("fft", "idle", "peak"),
        ("generation", "utilisation", "generation"),
        unit="ms",
    )
