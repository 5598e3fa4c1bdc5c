"""Simulated gait, by the features of libraries; what is missing names its extra."""

import numpy as np

from solvers.datasets.makers.gait import gait_table, simulated_walks, sklearn_features


def test_columns_that_tell_nothing_are_left_out_and_told():
    windows, labels = simulated_walks(6)
    pipeline = sklearn_features()
    X = pipeline.extract(windows)
    X[:, 0], X[2, 1] = 3.0, np.inf
    data = gait_table(X, labels, windows, pipeline, pipeline.hypergraph(), "Made up.")
    assert data.feature_names == pipeline.features[2:]
    assert data.notes[0].startswith("2 columns")
