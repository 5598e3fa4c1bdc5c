"""Simulated gait, by the features of libraries; what is missing names its extra."""

import sys

import numpy as np
import pytest

from solvers.datasets import make_gait
from solvers.datasets.makers.gait import gait_table, simulated_walks, sklearn_features
from solvers.errors import KnobError, PipelineError


def test_columns_that_tell_nothing_are_left_out_and_told():
    windows, labels = simulated_walks(6)
    pipeline = sklearn_features()
    X = pipeline.extract(windows)
    X[:, 0], X[2, 1] = 3.0, np.inf
    data = gait_table(X, labels, windows, pipeline, pipeline.hypergraph(), "Made up.")
    assert data.feature_names == pipeline.features[2:]
    assert data.notes[0].startswith("2 columns")


def test_all_columns_share_the_scaled_window():
    data = make_gait(n_samples=100)
    graph = data.hypergraph
    needs = graph.incidence.toarray()[graph.components.index("scale")]
    assert needs.all()
    assert data.positive == "stairs"
    assert data.pipeline.extract(data.samples[:5]) == pytest.approx(data.X[:5])


def test_pycatch22_gives_a_column_a_feature():
    pytest.importorskip("pycatch22")
    data = make_gait("catch22", n_samples=100)
    assert data.n_features == data.hypergraph.n_components
    assert "Measured" in data.costs_note


def test_a_library_that_is_missing_names_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pycatch22", None)
    with pytest.raises(PipelineError, match=r"install 'thriftscope\[catch22\]'"):
        make_gait("catch22", n_samples=100)


def test_features_of_nobody_are_refused():
    with pytest.raises(KnobError, match="is one of 'sklearn', 'tsfel', 'catch22'"):
        make_gait("tsfresh")


def test_windows_are_repeatable_and_half_are_on_stairs():
    windows, labels = simulated_walks(40)
    again, _ = simulated_walks(40)
    assert np.array_equal(windows, again)
    assert (labels == "stairs").sum() == 20
