"""Measured costs are paid on top of what is needed."""

import time

import numpy as np
import pytest

from solvers.errors import PipelineError
from solvers.features.pipeline import FeaturePipeline, Step
from solvers.features.plan import Plan
from solvers.features.timing import step_nanoseconds
from tests.each import each
from tests.signal_functions import mean


def test_a_function_that_fails_while_it_is_timed_is_named():
    clocked = Plan([Step("mean", mean)], ["signal"], clocked=True)
    with pytest.raises(PipelineError, match="'mean' failed on sample 1"):
        step_nanoseconds(clocked, [[1], []])


class Clock:
    """A clock that goes on by what a test says, and by 7 ns whenever it is read."""

    def __init__(self):
        self.now = 0

    def __call__(self):
        self.now += 7
        return self.now


@pytest.fixture
def spinning(monkeypatch):
    """Two steps of one and of two microseconds, by the clock that times them."""
    clock = Clock()
    monkeypatch.setattr(time, "perf_counter_ns", clock)

    def spin(x):
        clock.now += 1000
        return float(np.dot(x, x))

    def spin_twice(x, spin):
        clock.now += 2000
        return float(np.dot(x, x)) + spin

    return FeaturePipeline([spin_twice, spin], inputs=["x"])


def test_measured_costs_are_paid_on_top_of_what_is_needed(spinning):
    measurement = spinning.measure([np.ones(10)] * 5, repeats=7)
    assert measurement.hypergraph.component_costs == pytest.approx([2.0, 1.0])
    assert measurement.hypergraph.cost("spin_twice") == pytest.approx(3.0)
    assert measurement.hypergraph.unit == "us"
    assert measurement.spread == pytest.approx([0.0, 0.0])
    assert (measurement.n_samples, measurement.repeats) == (5, 7)
    assert "NumPy" in measurement.machine


def test_measuring_yields_after_each_repeat_and_can_be_closed(spinning):
    stream = spinning.measuring([np.ones(10)], repeats=1000)
    assert [next(stream).repeats for _ in range(3)] == [1, 2, 3]
    stream.close()


@each(
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
    timing = spinning.trim(["spin"]).measure([np.ones(10)] * 3, repeats=5)
    assert timing.seconds == pytest.approx(1007e-9)  # with one look at the clock
    assert timing.spread == 0
    assert (timing.n_samples, timing.repeats) == (3, 5)
