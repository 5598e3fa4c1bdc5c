"""What a function needs is what its parameters say; others are refused."""

import functools

import pytest

from solvers.errors import PipelineError
from solvers.features.pipeline import FeaturePipeline, Step
from tests.signal_functions import crest, deviation, mean, peak


@pytest.fixture
def pipeline():
    return FeaturePipeline([mean, deviation, peak, crest], inputs=["signal"])


def test_parameter_names_say_what_a_function_needs(pipeline):
    table = pipeline.extract([[1, 3], [0, 4]])
    assert table.tolist() == [[2.0, 1.0, 3.0, 3.0], [2.0, 2.0, 4.0, 2.0]]
    assert pipeline.features == pipeline.components
    assert pipeline.features == ("mean", "deviation", "peak", "crest")


def test_functions_may_stand_in_any_order():
    shuffled = FeaturePipeline([crest, deviation, peak, mean], inputs=["signal"])
    assert shuffled.features == ("crest", "deviation", "peak", "mean")
    assert shuffled.extract([[1, 3]]).tolist() == [[3.0, 1.0, 3.0, 2.0]]


def test_a_step_gives_one_function_several_names():
    ends = FeaturePipeline(
        [Step("low", min, ["up"]), Step("high", max, ["down"])], inputs=["up", "down"]
    )
    assert ends.extract([{"up": [1, 2], "down": [3, 4]}]).tolist() == [[1.0, 4.0]]


def test_a_parameter_with_a_default_is_no_need():
    def scaled(signal, factor=2):
        return factor * sum(signal)

    assert FeaturePipeline([scaled], inputs=["signal"]).extract([[1]]).item() == 2.0


def needs_nobody(nobody):
    return nobody


def chicken(egg):
    return egg


def egg(chicken):
    return chicken


def anything(*signal):
    return 0.0


def keyword(*, signal):
    return 0.0


@pytest.mark.parametrize(
    ("functions", "sentence"),
    [
        ([], "There are no functions; give at least one"),
        ([mean, mean], "Two inputs or functions are called 'mean'"),
        ([Step("signal", min, ["signal"])], "Two inputs or functions .* 'signal'"),
        ([needs_nobody], "Function 'needs_nobody' needs 'nobody', which is neither"),
        ([chicken, egg], "in a circle: (chicken -> egg|egg -> chicken)"),
        ([anything], r"Function 'anything' takes \*signal; name each need"),
        ([keyword], "Function 'keyword' cannot be called with 'signal' by position"),
        ([lambda signal: 0.0], "has no name; wrap it as Step"),
        ([functools.partial(mean)], "has no name; wrap it as Step"),
        ([max], "parameters of 'max' cannot be read|takes"),
        (["mean"], "has no name"),
    ],
)
def test_functions_that_do_not_fit_are_refused(functions, sentence):
    with pytest.raises(PipelineError, match=sentence):
        FeaturePipeline(functions, inputs=["signal"])


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        (("", mean), "A step is called ''; give it a name"),
        (("m", 3), "Step 'm' holds 3; give it a function"),
        (("m", mean, "signal"), "Step 'm' needs 'signal'; give a list"),
        (("m", mean, ["a", "b"]), "'m' cannot be called with 'a', 'b' by position"),
    ],
)
def test_steps_that_make_no_sense_are_refused(step, sentence):
    with pytest.raises(PipelineError, match=sentence):
        Step(*step)
