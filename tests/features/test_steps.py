"""What a function needs is what its parameters say; others are refused."""

import functools

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression, RidgeClassifier

from solvers import FeaturePipeline, Step
from solvers.errors import PipelineError
from solvers.features.tracing import probability_step
from tests.each import each
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


@each(
    ("functions", "sentence"),
    [
        ([], "There are no functions; give at least one"),
        ([mean, mean], "the name 'mean' twice"),
        ([Step("signal", min, ["signal"])], "the name 'signal' twice"),
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


@each(
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


RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
Y = np.where(X[:, 0] > 0, "loud", "quiet")


@pytest.fixture(scope="module")
def model():
    return LogisticRegression().fit(X, Y)


def test_the_value_is_the_probability_that_the_model_gives(model):
    needs = ["a", "b", "c"]
    step = probability_step("is loud", model, needs, label="loud")
    pipeline = FeaturePipeline([step], inputs=needs)
    rows = [dict(zip(needs, row, strict=True)) for row in X[:20]]
    expected = [model.predict_proba(row[np.newaxis])[0, 0] for row in X[:20]]
    assert pipeline.extract(rows)[:, 0].tolist() == expected


def test_it_needs_what_its_columns_need_and_has_a_price_of_its_own(model):
    def ends(signal):
        return signal[:2]

    def peak(signal):
        return signal.max()

    step = probability_step("p", model, ["ends", "peak"])
    pipeline = FeaturePipeline(
        [ends, peak, step, Step("q", float, ["p"])], inputs=["signal"], features=["q"]
    )
    expected = model.predict_proba([[*X[0, :2], X[0].max()]])[0, 1]
    assert pipeline.extract(X[:1]).item() == expected
    graph = pipeline.measure(list(X), repeats=2).hypergraph
    assert graph.required_components("q").all()
    assert graph.component_costs[2] > graph.component_costs[1]


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_a_model_that_knows_names_takes_what_it_needs_by_these():
    named = LogisticRegression().fit(pd.DataFrame(X, columns=["a", "b", "c"]), Y)
    rows = [dict(zip("abc", row, strict=True)) for row in X[:9]]
    step = probability_step("p", named, ["c", "a", "b"])
    table = FeaturePipeline([step], inputs=["a", "b", "c"]).extract(rows)
    assert table[:, 0] == pytest.approx(named.predict_proba(X[:9])[:, 1])
    with pytest.raises(PipelineError, match="columns are 'a', 'b', 'c' and its needs"):
        probability_step("p", named, ["a", "b", "d"])


@each(
    ("made", "label", "sentence"),
    [
        (RidgeClassifier(), None, "RidgeClassifier gives no probabilities; give"),
        (LogisticRegression(), None, "LogisticRegression has no classes yet; fit it"),
        (None, "silent", "knows no class 'silent'; its classes are 'loud', 'quiet'"),
    ],
)
def test_models_that_give_no_probability_are_refused(model, made, label, sentence):
    with pytest.raises(PipelineError, match=sentence):
        probability_step("p", made or model, ["a"], label=label)
