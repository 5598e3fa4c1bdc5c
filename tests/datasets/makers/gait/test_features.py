"""Features of libraries share the scaled window; what is missing names its extra."""

import sys

import pytest

from solvers.datasets import make_gait
from solvers.errors import KnobError, PipelineError


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
    with pytest.raises(PipelineError, match=r"install thriftscope\[catch22\]"):
        make_gait("catch22", n_samples=100)


def test_features_of_nobody_are_refused():
    with pytest.raises(KnobError, match="is one of 'sklearn', 'tsfel', 'catch22'"):
        make_gait("tsfresh")
