"""A function that fails or gives no number is named with its sample."""

import numpy as np
import pytest

from solvers.errors import PipelineError
from solvers.features.pipeline import FeaturePipeline, Step
from tests.each import each
from tests.signal_functions import crest, deviation, mean, peak


@pytest.fixture
def pipeline():
    return FeaturePipeline([mean, deviation, peak, crest], inputs=["signal"])


def test_a_function_that_fails_is_named_with_its_sample(pipeline):
    with pytest.raises(PipelineError, match="'crest' failed on sample 1 with") as info:
        pipeline.extract([[1, 3], [2, 2], [1, 5]])
    assert isinstance(info.value.__cause__, ZeroDivisionError)
    with pytest.raises(PipelineError, match="'mean' failed on the sample with"):
        pipeline.trim(["mean"])([])
    with pytest.raises(PipelineError, match="'mean' failed on the sample with"):
        pipeline.open([]).feature("mean")


def test_a_sample_without_an_input_is_refused():
    both = FeaturePipeline([Step("low", min, ["up"])], inputs=["up", "down"])
    with pytest.raises(PipelineError, match="be read as 'up' from sample 0; a sample"):
        both.extract([{"down": [1]}])
    with pytest.raises(PipelineError, match="The sample lacks an input"):
        both.open({"up": [1]})


def test_samples_that_cannot_be_gone_through_are_refused(pipeline):
    with pytest.raises(PipelineError, match="The samples are a dict; give a list"):
        pipeline.extract({"signal": [1, 2]})
    with pytest.raises(PipelineError, match="Nothing could be read as sample 0"):
        pipeline.extract(3)


@each(
    "odd",
    [
        float("nan"),
        float("inf"),
        None,
        "1",
        [1.0],
        np.ones(1),
        np.ones(2),
        [[1], [1, 2]],
        1j,
    ],
    ids=repr,
)
@each("alone", [True, False])
def test_values_that_are_not_finite_numbers_are_refused(odd, alone):
    steps = [Step("odd", lambda x: odd, ["x"]), Step("fine", lambda x: 1.0, ["x"])]
    pipeline = FeaturePipeline(steps[: 1 if alone else 2], inputs=["x"])
    with pytest.raises(PipelineError, match=r"Feature 'odd' is .* on sample 0; let it"):
        pipeline.extract([0])
    with pytest.raises(PipelineError, match=r"Feature 'odd' is .* on the sample"):
        pipeline.trim(["odd"])(0)
    with pytest.raises(PipelineError, match=r"Feature 'odd' is .* on the sample"):
        pipeline.open(0).feature("odd")


@each("value", [1, True, np.float32(1), np.array(1.0), 1.5e308])
def test_numbers_of_any_kind_are_taken(value):
    steps = [Step(name, lambda x: value, ["x"]) for name in ("one", "two")]
    pipeline = FeaturePipeline(steps, inputs=["x"])
    assert pipeline.extract([0]).tolist() == [[float(value)] * 2]
    assert pipeline.trim(["one", "two"])(0) == (value, value)
