"""Tracing tells how far it is, and ends with times that add up."""

import itertools
import time
from time import sleep
from types import SimpleNamespace

import numpy as np
import pytest

from solvers import FeaturePipeline, Step
from solvers.features.tracing import reach, trace_extractor, tracing
from solvers.features.verification import verifying
from tests.features.tracing.signals import (
    SIGNALS,
    check_values,
    energy,
    names,
    peak,
    spectrum,
    traced_all,
)


def test_a_branch_is_charged_on_every_sample_and_told():
    def branchy(signal):
        return spectrum(signal).max() if signal[0] > 0 else 0.0

    traced = traced_all([peak, branchy])
    assert any("'branchy' call other functions on some" in n for n in traced.notes)
    assert names(traced) == ["spectrum"]
    check_values(traced, [peak, branchy])


def slow(signal):
    sleep(0.008)
    return signal[0]


def slower(signal):
    sleep(0.016)
    return slow(signal) + signal[1]


def slowest(signal):
    return slow(signal) - slower(signal)


@pytest.fixture
def asleep(monkeypatch):
    """A clock that goes on by what is slept here, and by 7 ns whenever it is read.

    Only this module sleeps by it, a function of C as the real one, and tracing takes it
    for that: a thread that another test has left behind sleeps as ever.
    """
    slept, reads = [], itertools.count(0, 7)
    stand_in = slept.append

    def clock():
        return next(reads) + round(1e9 * sum(slept))

    monkeypatch.setitem(globals(), "sleep", stand_in)
    monkeypatch.setattr(reach, "time", SimpleNamespace(sleep=stand_in))
    monkeypatch.setattr(time, "perf_counter_ns", clock)


def test_own_times_add_up_to_what_trimmed_extractors_take(asleep):
    traced = traced_all([slow, slower, slowest], SIGNALS[:2])
    selections = [["slow"], ["slower"], ["slow", "slower"], ["slow", "slowest"]]
    *_, last = verifying(traced, selections, SIGNALS[:2], repeats=5)
    assert last.ratio == pytest.approx(np.ones(4), abs=1e-4)
    assert traced.hypergraph().cost("slowest") == traced.hypergraph().total_cost
    assert traced.hypergraph().marginal_costs(["slow", "slower"])[2] < 1
    assert traced.costs_spread.shape == (3,)


def test_tracing_tells_how_far_it_is_and_can_be_left():
    steps = tracing([peak, energy], SIGNALS)
    shares = []
    for step in steps:
        shares.append(step.share)
        if step.share > 0.3:
            break
    assert step.seconds_left > 0
    assert step.extractor is None
    assert shares == sorted(shares)
    steps.close()


def test_a_pipeline_and_a_trace_of_the_same_code_agree():
    def deviation(signal):
        return ((signal - mean(signal)) ** 2).mean() ** 0.5

    def mean(signal):
        return signal.mean()

    def declared(signal, mean):
        return ((signal - mean) ** 2).mean() ** 0.5

    pipeline = FeaturePipeline(
        [mean, Step("deviation", declared)], inputs=["signal"]
    ).hypergraph()
    traced = traced_all([mean, deviation])
    ones = np.ones(len(traced.components))
    for features in (["mean"], ["deviation"], ["mean", "deviation"]):
        assert traced.hypergraph(ones).cost(features) == pipeline.cost(features)


def test_what_takes_less_than_a_look_up_stays_where_it_is():
    def half(x):
        return x / 2

    features = {"a": lambda s: half(3), "b": lambda s: half(3) + 1}
    traced = trace_extractor(features, SIGNALS)
    assert not traced.shared
    assert any("take less time than looking them up" in n for n in traced.notes)
