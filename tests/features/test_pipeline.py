"""A pipeline computes what its functions say, once, and tells what it costs."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.errors import PipelineError
from solvers.features.pipeline import FeaturePipeline
from tests.each import each
from tests.signal_functions import crest, deviation, mean, peak
from tests.strategies import ancestors, pipelines


@pytest.fixture
def pipeline():
    return FeaturePipeline([mean, deviation, peak, crest], inputs=["signal"])


def test_features_are_chosen_and_ordered_by_name():
    chosen = FeaturePipeline(
        [mean, deviation], inputs=["signal"], features=["deviation"]
    )
    assert chosen.extract([[1, 3]]).tolist() == [[1.0]]
    assert chosen.hypergraph({"mean": 2, "deviation": 3}).cost("deviation") == 5


def test_one_input_may_come_bare_or_in_a_mapping(pipeline):
    bare, mapped = pipeline.extract([[1, 3], {"signal": [1, 3]}])
    assert bare.tolist() == mapped.tolist()


def test_no_samples_give_an_empty_table(pipeline):
    assert pipeline.extract([]).shape == (0, 4)


@given(pipelines())
def test_hypergraph_holds_the_transitive_closure(drawn):
    pipeline, needs, _ = drawn
    hypergraph = pipeline.hypergraph()
    for name in pipeline.features:
        assert hypergraph.cost([name]) == len(ancestors(needs, int(name[1:])))


@each(
    ("options", "sentence"),
    [
        ({"inputs": "signal"}, "The inputs are 'signal'; give a list"),
        ({"features": []}, r"The features are \[\]; give a list"),
        ({"features": "mean"}, "The features are 'mean'; give a list"),
        ({"features": ["mode"]}, "Feature 'mode' is not a function"),
        ({"features": ["mean", "mean"]}, "the feature 'mean' twice"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, sentence):
    with pytest.raises(PipelineError, match=sentence):
        FeaturePipeline([mean], **{"inputs": ["signal"], **options})


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
