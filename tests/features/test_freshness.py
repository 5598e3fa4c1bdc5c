"""What remembers samples costs what its first run takes, by a clock that is set."""

import functools
import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from solvers import FeaturePipeline, Step, trace_extractor
from solvers.features.freshness import first_runs, renewed
from solvers.features.timing import time_plan

SAMPLES = list(np.random.default_rng(0).normal(size=(4, 6)))
SPECTRUM, LOOK = 850_000, 1_000  # nanoseconds


class Clock:
    """Goes forward when a function says so."""

    def __init__(self):
        self.now = 0

    def __call__(self):
        return self.now

    def takes(self, nanoseconds):
        self.now += nanoseconds


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr(time, "perf_counter_ns", made)
    return made


def remembering(clock):
    """Functions of a signal that take a spectrum, and remember it in their ways."""

    def spectrum(signal):
        clock.takes(SPECTRUM)
        return np.abs(np.fft.rfft(signal))

    @functools.cache
    def cached(content):
        return spectrum(np.frombuffer(content))

    last = []

    def by_content(signal):
        clock.takes(LOOK)
        return cached(signal.tobytes()).max()

    def by_last(signal):
        clock.takes(LOOK)
        if not last or not np.array_equal(last[0], signal):
            last[:] = [signal.copy(), spectrum(signal)]
        return last[1].max()

    def plain(signal):
        clock.takes(LOOK)
        return signal.max()

    return [by_content, by_last, plain]


def test_the_first_run_counts_where_a_step_remembers(clock):
    functions = remembering(clock)
    pipeline = FeaturePipeline(functions, inputs=["signal"])
    pipeline.extract(SAMPLES)  # all of them are remembered
    for _ in range(2):
        measured = pipeline.measure(SAMPLES, repeats=3)
        assert measured.hypergraph.component_costs.tolist() == [851.0, 851.0, 1.0]
        assert measured.warm.component_costs.tolist() == [1.0, 1.0, 1.0]
        remembers = "remembers samples: a first run takes 851 us, which counts, and a"
        assert measured.notes == (
            f"'by_content' {remembers} later one 1 us.",
            f"'by_last' {remembers} later one 1 us.",
        )


def test_what_another_has_remembered_does_not_make_a_component_cheap(clock):
    by_content, *_ = remembering(clock)
    steps = [Step(name, by_content, ["signal"]) for name in ("one", "two")]
    pipeline = FeaturePipeline(steps, inputs=["signal"])
    costs = pipeline.measure(SAMPLES, repeats=2).hypergraph
    assert costs.cost(["one"]) == costs.cost(["two"]) == 851.0


def test_a_traced_extractor_says_what_remembers(clock):
    functions = remembering(clock)
    traced = trace_extractor(functions, SAMPLES, share_above=0.0)
    graph = traced.hypergraph()
    costs = [graph.cost([f.__name__]) for f in functions]
    assert costs == pytest.approx([851.0, 851.0, 1.0])
    said = [note for note in traced.notes if "remembers samples" in note]
    assert [note.split()[0] for note in said] == ["'by_content'", "'by_last'"]
    note = traced.trim(["by_last"]).measure(SAMPLES, repeats=2).note
    assert note.startswith(
        "'The extractor' remembers samples: a first run takes 851 us"
    )


def test_a_sample_that_remembers_is_seen_as_new(clock):
    class Recording:
        def __init__(self, signal):
            self.signal = signal

        @functools.cached_property
        def spectrum(self):
            clock.takes(SPECTRUM)
            return np.abs(np.fft.rfft(self.signal))

    samples = [Recording(signal) for signal in SAMPLES]
    steps = [
        Step(name, lambda one, f=f: float(f(one.spectrum)), ["one"])
        for name, f in {"loudest": np.argmax, "highest": np.max}.items()
    ]
    pipeline = FeaturePipeline(steps, inputs=["one"])
    pipeline.extract(samples)
    graph = pipeline.measure(samples, repeats=2).hypergraph
    assert graph.component_costs.tolist() == [850.0, 850.0]


def test_what_takes_twice_as_long_by_chance_is_not_said_to_remember():
    takes = iter([5.0, 1.0, 1.9, 1.0, 9.0, 1.0, 1.2, 1.0, 1.0, 1.0])
    runs = iter(range(15))

    def run(_, sample):
        first_of_three = next(runs) % 3 == 0
        return np.array([0.0 if first_of_three else 1e6 * next(takes)])

    assert np.isnan(first_runs(run, 1, 1, [1.0]).fresh).all()


def test_a_step_that_takes_no_sample_that_was_made_costs_what_it_takes(clock):
    known = {sample.tobytes() for sample in SAMPLES}

    def picky(signal):
        clock.takes(LOOK)
        if signal.tobytes() not in known:
            raise ValueError("never seen")
        return 1.0

    measured = FeaturePipeline([picky], inputs=["signal"]).measure(SAMPLES, repeats=2)
    assert measured.hypergraph.component_costs.tolist() == [1.0]
    assert measured.notes == ()


def test_an_extractor_as_a_whole_costs_its_first_run(clock):
    by_content, *_ = remembering(clock)
    pipeline = FeaturePipeline([by_content], inputs=["signal"])
    timing = time_plan(pipeline.trim([0]).plan, SAMPLES, 3)
    assert timing.seconds == pytest.approx(851e-6)
    assert "a later one 1 us" in timing.note


def of_bytes(value):
    return np.asarray(value).tobytes()


NUMBERS = st.one_of(
    arrays.arrays("f8", 5, elements=st.floats(1, 1e6)),
    arrays.arrays("i4", 6, elements=st.integers(0, 9), unique=True),
    st.floats(1, 1e6),
    st.lists(st.floats(1, 1e6), min_size=1),
    st.lists(st.integers(), min_size=2, unique=True),
)


@given(NUMBERS, st.integers(1, 1000))
def test_a_new_sample_differs_as_little_as_can_be(value, number):
    before = of_bytes(value)
    new = renewed(value, number)
    assert of_bytes(value) == before
    assert of_bytes(new) != before
    assert type(new) is type(value)
    assert np.asarray(new).dtype == np.asarray(value).dtype
    assert np.sort(new, None) == pytest.approx(np.sort(value, None), rel=1e-12)


def test_samples_of_many_parts_are_renewed_in_each():
    sample = {"up": np.ones(3), "down": [2.0, 3.0], "name": "x", "n": 3}
    new = renewed(sample, 1)
    assert new["up"][0] == np.nextafter(1.0, 2.0)
    assert new["down"] == [np.nextafter(2.0, 3.0), 3.0]
    assert (new["name"], new["n"]) == ("x", 3)
    table = pd.DataFrame({"a": ["x", "y"], "b": [1.0, 2.0]})
    assert renewed(table, 1)["b"][0] == np.nextafter(1.0, 2.0)
    assert table["b"][0] == 1.0
    assert renewed(pd.Series([1.0, 2.0]), 1)[0] == np.nextafter(1.0, 2.0)
    assert renewed(np.zeros(2), 1).tolist() == [0.0, 0.0]  # the logarithm stays
