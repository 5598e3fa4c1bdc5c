"""Measured costs are paid on top of what is needed."""

import numpy as np
import pytest

from solvers.errors import PipelineError
from solvers.pipeline import FeaturePipeline, Step
from solvers.plan import Plan
from solvers.timing import step_nanoseconds
from tests.signal_functions import mean


def test_a_function_that_fails_while_it_is_timed_is_named():
    clocked = Plan([Step("mean", mean)], ["signal"], clocked=True)
    with pytest.raises(PipelineError, match="'mean' failed on sample 1"):
        step_nanoseconds(clocked, [[1], []])


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
