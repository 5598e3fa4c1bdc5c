"""An extractor that cannot be traced is refused with one sentence."""

import numpy as np
import pytest

from solvers.errors import PipelineError
from solvers.features.tracing import trace_extractor, tracing
from tests.each import each

SIGNALS = list(np.arange(24.0).reshape(4, 6))


def mean(signal):
    return signal.mean()


def raising(signal):
    if signal[0] == 12:
        raise ValueError("the sensor was off")
    return 1.0


def raising_at_once(signal):
    raise KeyError("x")


def growing(signal):
    return signal[: 2 + int(signal[0] > 0)]


def changing(signal):
    signal[0] = 1.0
    return signal.sum()


def generating(signal):
    yield signal.mean()


def giving_a_generator(signal):
    return (value for value in signal)


@each(
    ("function", "sentence"),
    [
        ([raising], "'raising' failed on sample 2 with ValueError: the sensor was off"),
        ([raising_at_once], "'raising_at_once' failed on sample 0 with KeyError"),
        ([growing], "'growing' gives 3 numbers on sample 1 and gave 2 where it"),
        ([changing], "'changing' changes sample . in place; let it work on a copy"),
        ([generating], "'generating' is a generator; let it return"),
        ([giving_a_generator], "'giving_a_generator' gives <generator .*return a numb"),
        ({"text": lambda s: "three"}, "Feature 'text' gives 'three'; let it return"),
        ({"none": lambda s: None}, "Feature 'none' gives None; let it return"),
        ({"table": lambda s: np.ones((2, 2))}, "Feature 'table' gives array"),
        ({"nothing": lambda s: []}, r"Feature 'nothing' gives \[\]; let it return"),
        ({"three": 3}, "Feature 'three' is 3; give a function"),
        ([lambda s: 1.0], r"has no name; give it as a pair \(name, function\)"),
        ([mean, mean], "Two features are called 'mean'"),
        ([], "There are no functions; give at least one"),
        (3, "Feature 'extractor' is 3; give a function"),
        (
            {"a": lambda s: {"b_c": 1.0}, "a_b": lambda s: {"c": 1.0}},
            "the column 'a_b_c' twice; rename",
        ),
    ],
)
def test_what_cannot_be_traced_is_refused(function, sentence):
    samples = [signal.copy() for signal in SIGNALS]
    with pytest.raises(PipelineError, match=sentence):
        trace_extractor(function, samples)


@each(
    ("samples", "inside", "sentence"),
    [
        ([], None, "There are no samples; give at least one"),
        (SIGNALS, "numpy", r"inside= is 'numpy'; give a list of packages, as in"),
        (SIGNALS, ["no_such_package"], "'no_such_package' is not imported by the"),
    ],
)
def test_odd_arguments_are_refused_at_once(samples, inside, sentence):
    with pytest.raises(PipelineError, match=sentence):
        tracing([mean], samples, inside=inside)


def test_packages_that_are_not_called_are_refused_or_told():
    with pytest.raises(PipelineError, match="No function of 'json' is called; name in"):
        trace_extractor([mean], SIGNALS, inside=["json"])
    energy = {"energy": lambda s: np.fft.rfft(s).real[0]}
    traced = trace_extractor(energy, SIGNALS, inside=["json", "numpy.fft"])
    assert "No function of 'json' is called." in traced.notes
