"""A pipeline computes what its functions say, once, and tells what it costs."""

import pytest
from hypothesis import given

from solvers.errors import PipelineError
from solvers.features.pipeline import FeaturePipeline
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


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"inputs": "signal"}, "The inputs are 'signal'; give a list"),
        ({"features": []}, r"The features are \[\]; give a list"),
        ({"features": "mean"}, "The features are 'mean'; give a list"),
        ({"features": ["mode"]}, "Feature 'mode' is not a function"),
        ({"features": ["mean", "mean"]}, "Feature 'mean' is listed twice"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, sentence):
    with pytest.raises(PipelineError, match=sentence):
        FeaturePipeline([mean], **{"inputs": ["signal"], **options})


@pytest.mark.parametrize(
    ("costs", "sentence"),
    [
        ({"mean": 1.0}, "There is no cost for 'deviation'"),
        ({"mode": 1.0}, "There is a cost for 'mode', which is not a function"),
    ],
)
def test_costs_by_name_must_name_every_function(pipeline, costs, sentence):
    with pytest.raises(PipelineError, match=sentence):
        pipeline.hypergraph(costs)
