"""Three features, two of which share a component."""

from solvers import FeatureHypergraph

TINY = FeatureHypergraph(
    [[1, 1, 0], [0, 0, 1]],
    [3.0, 0.5],
    ("peak", "centroid", "mean"),
    ("fft", "mean"),
)
