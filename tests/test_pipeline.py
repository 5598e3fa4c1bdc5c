"""A pipeline computes what its functions say, once, and tells what it costs."""

import functools
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.errors import HypergraphError, PipelineError
from solvers.pipeline import FeaturePipeline, Step
from solvers.plan import Plan
from solvers.timing import step_nanoseconds


def mean(signal):
    return sum(signal) / len(signal)


def deviation(signal, mean):
    return (sum((x - mean) ** 2 for x in signal) / len(signal)) ** 0.5


def peak(signal):
    return max(signal)


def crest(peak, deviation):
    return peak / deviation


@pytest.fixture
def pipeline():
    return FeaturePipeline([mean, deviation, peak, crest], inputs=["signal"])


@st.composite
def pipelines(draw):
    """Steps that count up from one input by needing earlier ones, and their needs."""
    n = draw(st.integers(1, 7))
    needs = [
        draw(st.lists(st.integers(0, i - 1), unique=True)) if i else []
        for i in range(n)
    ]
    calls: list[int] = []

    def step(i):
        def function(x, *before):
            calls.append(i)
            return x + i + sum(before)

        return Step(f"s{i}", function, ["x", *(f"s{k}" for k in needs[i])])

    order = draw(st.permutations(range(n)))
    pipeline = FeaturePipeline([step(i) for i in order], inputs=["x"])
    return pipeline, needs, calls


def exact(needs, i, x):
    return x + i + sum(exact(needs, k, x) for k in needs[i])


def ancestors(needs, i):
    return {i}.union(*(ancestors(needs, k) for k in needs[i]))


# ------------------------------------------------------------------------ computing


def test_parameter_names_say_what_a_function_needs(pipeline):
    table = pipeline.extract([[1, 3], [0, 4]])
    assert table.tolist() == [[2.0, 1.0, 3.0, 3.0], [2.0, 2.0, 4.0, 2.0]]
    assert pipeline.features == pipeline.components
    assert pipeline.features == ("mean", "deviation", "peak", "crest")


def test_functions_may_stand_in_any_order():
    shuffled = FeaturePipeline([crest, deviation, peak, mean], inputs=["signal"])
    assert shuffled.features == ("crest", "deviation", "peak", "mean")
    assert shuffled.extract([[1, 3]]).tolist() == [[3.0, 1.0, 3.0, 2.0]]


def test_features_are_chosen_and_ordered_by_name():
    chosen = FeaturePipeline(
        [mean, deviation], inputs=["signal"], features=["deviation"]
    )
    assert chosen.extract([[1, 3]]).tolist() == [[1.0]]
    assert chosen.hypergraph({"mean": 2, "deviation": 3}).cost("deviation") == 5


def test_a_step_gives_one_function_several_names():
    ends = FeaturePipeline(
        [Step("low", min, ["up"]), Step("high", max, ["down"])], inputs=["up", "down"]
    )
    assert ends.extract([{"up": [1, 2], "down": [3, 4]}]).tolist() == [[1.0, 4.0]]


def test_a_parameter_with_a_default_is_no_need():
    def scaled(signal, factor=2):
        return factor * sum(signal)

    assert FeaturePipeline([scaled], inputs=["signal"]).extract([[1]]).item() == 2.0


def test_one_input_may_come_bare_or_in_a_mapping(pipeline):
    bare, mapped = pipeline.extract([[1, 3], {"signal": [1, 3]}])
    assert bare.tolist() == mapped.tolist()


def test_no_samples_give_an_empty_table(pipeline):
    assert pipeline.extract([]).shape == (0, 4)


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


@given(pipelines())
def test_hypergraph_holds_the_transitive_closure(drawn):
    pipeline, needs, _ = drawn
    hypergraph = pipeline.hypergraph()
    for name in pipeline.features:
        assert hypergraph.cost([name]) == len(ancestors(needs, int(name[1:])))


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


# ------------------------------------------------------------------------- refusing


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


def test_unknown_features_are_refused_with_a_suggestion(pipeline):
    with pytest.raises(HypergraphError, match="did you mean 'mean'"):
        pipeline.trim(["maen"])
    with pytest.raises(PipelineError, match="There is no feature 'maen'"):
        pipeline.open([1]).feature("maen")


def test_a_function_that_fails_is_named_with_its_sample(pipeline):
    with pytest.raises(PipelineError, match="'crest' failed on sample 1 with") as info:
        pipeline.extract([[1, 3], [2, 2], [1, 5]])
    assert isinstance(info.value.__cause__, ZeroDivisionError)
    with pytest.raises(PipelineError, match="'mean' failed on the sample with"):
        pipeline.trim(["mean"])([])
    with pytest.raises(PipelineError, match="'mean' failed on the sample with"):
        pipeline.open([]).feature("mean")


def test_a_function_that_fails_while_it_is_timed_is_named():
    clocked = Plan([Step("mean", mean)], ["signal"], clocked=True)
    with pytest.raises(PipelineError, match="'mean' failed on sample 1"):
        step_nanoseconds(clocked, [[1], []])


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


@pytest.mark.parametrize(
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
@pytest.mark.parametrize("alone", [True, False])
def test_values_that_are_not_finite_numbers_are_refused(odd, alone):
    steps = [Step("odd", lambda x: odd, ["x"]), Step("fine", lambda x: 1.0, ["x"])]
    pipeline = FeaturePipeline(steps[: 1 if alone else 2], inputs=["x"])
    with pytest.raises(PipelineError, match=r"Feature 'odd' is .* on sample 0; let it"):
        pipeline.extract([0])
    with pytest.raises(PipelineError, match=r"Feature 'odd' is .* on the sample"):
        pipeline.trim(["odd"])(0)
    with pytest.raises(PipelineError, match=r"Feature 'odd' is .* on the sample"):
        pipeline.open(0).feature("odd")


@pytest.mark.parametrize("value", [1, True, np.float32(1), np.array(1.0), 1.5e308])
def test_numbers_of_any_kind_are_taken(value):
    steps = [Step(name, lambda x: value, ["x"]) for name in ("one", "two")]
    pipeline = FeaturePipeline(steps, inputs=["x"])
    assert pipeline.extract([0]).tolist() == [[float(value)] * 2]
    assert pipeline.trim(["one", "two"])(0) == (value, value)


# ------------------------------------------------------------------------ measuring


def spin(x):
    return float(np.dot(x, x))


def spin_twice(x, spin):
    np.dot(x, x)
    return float(np.dot(x, x)) + spin


@pytest.fixture
def spinning():
    return FeaturePipeline([spin_twice, spin], inputs=["x"])


def test_measured_costs_are_paid_on_top_of_what_is_needed(spinning):
    samples = [np.ones(100_000)] * 5
    measurement = spinning.measure(samples, repeats=7)
    twice, once = measurement.hypergraph.component_costs
    assert 1.2 < twice / once < 3.3
    assert measurement.hypergraph.cost("spin_twice") == pytest.approx(twice + once)
    assert measurement.hypergraph.unit == "us"
    assert measurement.spread.shape == (2,)
    assert (measurement.n_samples, measurement.repeats) == (5, 7)
    assert "NumPy" in measurement.machine


def test_measuring_yields_after_each_repeat_and_can_be_closed(spinning):
    stream = spinning.measuring([np.ones(10)], repeats=1000)
    assert [next(stream).repeats for _ in range(3)] == [1, 2, 3]
    stream.close()


@pytest.mark.parametrize(
    ("samples", "repeats", "sentence"),
    [
        ([], 3, "There are no samples; give at least one"),
        ([np.ones(3)], 0, "There are 0 repeats; repeat at least once"),
    ],
)
def test_nothing_to_measure_is_refused_at_once(spinning, samples, repeats, sentence):
    with pytest.raises(PipelineError, match=sentence):
        spinning.measuring(samples, repeats)
    with pytest.raises(PipelineError, match=sentence):
        spinning.trim(["spin"]).measure(samples, repeats)


def test_an_extractor_is_timed_in_seconds_per_sample(spinning):
    timing = spinning.trim(["spin"]).measure([np.ones(100_000)] * 3, repeats=5)
    assert 1e-6 < timing.seconds < 1e-2
    assert timing.spread >= 0
    assert (timing.n_samples, timing.repeats) == (3, 5)
