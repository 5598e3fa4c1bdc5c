"""Trimmed extractors are timed beside what the measured hypergraph predicts."""

import numpy as np
import pytest

from solvers import FeaturePipeline
from solvers.errors import HypergraphError, PipelineError
from solvers.features.tracing import trace_extractor
from solvers.features.verification import verifying


def spin(x):
    return float(np.dot(x, x))


def spin_twice(x, spin):
    return float(np.dot(x, x)) + spin


@pytest.fixture
def spinning():
    return FeaturePipeline([spin_twice, spin], inputs=["x"])


def test_selections_are_timed_beside_their_components(spinning):
    samples = [np.ones(100_000)] * 4
    *_, last = verifying(spinning, [["spin"], ["spin_twice"]], samples, repeats=5)
    assert last.repeats == last.measurement.repeats == 5
    assert last.predicted[0] == last.measurement.hypergraph.cost("spin")
    assert last.ratio == pytest.approx(last.measured / last.predicted)
    assert last.measured[0] < last.measured[1]
    assert np.all(last.spread >= 0)


def test_bad_input_is_refused_at_once(spinning):
    with pytest.raises(PipelineError, match="There are no samples"):
        verifying(spinning, [["spin"]], [])
    with pytest.raises(HypergraphError, match="There is no feature 'spun'"):
        verifying(spinning, [["spun"]], [np.ones(3)])


def test_a_traced_selection_is_timed_after_all_features_as_its_costs_were():
    called = []
    entries = {name: lambda x, name=name: called.append(name) or 1.0 for name in "ab"}
    traced = trace_extractor(entries, [1.0])
    selections = verifying(traced, [["a"]], [1.0], repeats=2)
    next(selections)
    # The components first, in any order; then the selection, after all features.
    assert called[-3:] == ["a", "b", "a"]
