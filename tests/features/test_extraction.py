"""A trimmed pipeline computes each component once, and an open sample on demand."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.errors import HypergraphError, PipelineError
from solvers.features.pipeline import FeaturePipeline
from tests.signal_functions import crest, deviation, mean, peak
from tests.strategies import ancestors, pipelines


@pytest.fixture
def pipeline():
    return FeaturePipeline([mean, deviation, peak, crest], inputs=["signal"])


def exact(needs, i, x):
    return x + i + sum(exact(needs, k, x) for k in needs[i])


@given(pipelines(), st.data())
def test_a_trimmed_pipeline_computes_each_needed_component_once(drawn, data):
    pipeline, needs, calls = drawn
    wanted = data.draw(st.sets(st.sampled_from(pipeline.features)))
    extractor = pipeline.trim(sorted(wanted))
    values = extractor(10)
    selected = [int(name[1:]) for name in extractor.features]
    assert list(values) == [exact(needs, i, 10) for i in selected]
    expected = set().union(*(ancestors(needs, i) for i in selected))
    assert sorted(calls) == sorted(expected)
    assert {int(name[1:]) for name in extractor.components} == expected


@given(pipelines(), st.data())
def test_an_open_sample_pays_on_demand_and_once(drawn, data):
    pipeline, needs, calls = drawn
    sample = pipeline.open(10)
    hypergraph = pipeline.hypergraph()
    asked = data.draw(st.lists(st.sampled_from(pipeline.features), max_size=6))
    for name in asked:
        assert sample.feature(name) == exact(needs, int(name[1:]), 10)
    assert sorted(calls) == sorted({int(name[1:]) for name in sample.paid})
    assert len(calls) == len(set(calls))
    assert len(sample.paid) == hypergraph.cost(asked)


def test_extractor_columns_stand_in_the_order_of_the_pipeline(pipeline):
    assert pipeline.trim(["crest", "mean"]).features == ("mean", "crest")
    assert pipeline.trim([True, False, False, True]).features == ("mean", "crest")


def test_extractors_and_pipelines_survive_a_process_border(pipeline):
    again = pickle.loads(pickle.dumps(pipeline))
    trimmed = pickle.loads(pickle.dumps(pipeline.trim(["deviation"])))
    assert again.extract([[1, 3]]).tolist() == pipeline.extract([[1, 3]]).tolist()
    assert trimmed([1, 3]) == (1.0,)


def test_unknown_features_are_refused_with_a_suggestion(pipeline):
    with pytest.raises(HypergraphError, match="did you mean 'mean'"):
        pipeline.trim(["maen"])
    with pytest.raises(PipelineError, match="There is no feature 'maen'"):
        pipeline.open([1]).feature("maen")
