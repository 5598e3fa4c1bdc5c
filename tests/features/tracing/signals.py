"""Features of signals that share a spectrum, traced."""

import numpy as np

from solvers.features.tracing import trace_extractor

SIGNALS = list(np.random.default_rng(0).normal(size=(6, 64)))


def spectrum(signal):
    return np.abs(np.fft.rfft(signal))


def peak(signal):
    return spectrum(signal).max()


def energy(signal):
    return (spectrum(signal=signal) ** 2).sum()


def crest(signal):
    return peak(signal) / np.sqrt(energy(signal))


def traced_all(features, samples=SIGNALS, **options):
    return trace_extractor(features, samples, share_above=0.0, **options)


def names(traced):
    return sorted(one.component for one in traced.shared)


def check_values(traced, features, samples=SIGNALS):
    plain = [tuple(function(sample) for function in features) for sample in samples]
    trimmed = traced.trim(traced.features)
    assert [trimmed(sample) for sample in samples] == plain
