"""A traced extractor names what failed where, and pays on demand."""

import numpy as np
import pytest

from solvers.errors import PipelineError
from solvers.features.tracing import trace_extractor
from tests.features.tracing.signals import crest, energy, peak, traced_all

SIGNALS = list(np.arange(24.0).reshape(4, 6))


def mean(signal):
    return signal.mean()


def raising(signal):
    if signal[0] == 12:
        raise ValueError("the sensor was off")
    return 1.0


def test_a_trimmed_extractor_names_what_failed_and_where():
    traced = trace_extractor([mean, raising], SIGNALS[:2])
    with pytest.raises(PipelineError, match="'raising' failed on sample 2 with Value"):
        traced.extract(SIGNALS)
    with pytest.raises(PipelineError, match="'raising' failed on the sample with"):
        traced.trim(["raising"])(SIGNALS[2])
    with pytest.raises(PipelineError, match="'raising' failed on the sample with"):
        traced.open(SIGNALS[2]).feature("raising")
    assert traced.trim(["mean"]).extract(SIGNALS).shape == (4, 1)


def test_an_open_sample_pays_once_and_on_demand():
    traced = traced_all([peak, energy, crest])
    opened = traced.open(SIGNALS[0])
    assert opened.paid == ()
    assert opened.feature("peak") == peak(SIGNALS[0])
    assert set(opened.paid) == {"peak", "spectrum"}
    assert opened.feature("crest") == crest(SIGNALS[0])
    assert set(opened.paid) == set(traced.components)
    other = traced.open(SIGNALS[1])
    assert other.feature("energy") == energy(SIGNALS[1])
    assert opened.feature("energy") == energy(SIGNALS[0])
