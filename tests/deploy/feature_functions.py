"""Feature functions with all that may stand around one in a module."""

import functools
import math as m
from collections.abc import Sequence

import numpy as np
from numpy.fft import rfft

RATE = 100.0
BANDS = {"low": (0.0, 10.0), "high": (10.0, 50.0)}
WINDOW = np.hanning(64)


class Summary:
    """What is left of a spectrum."""

    def __init__(self, spectrum):
        self.total = float(np.sum(spectrum))

    def share(self, part):
        return part / max(self.total, TINY)


TINY = 1e-12


def spectrum(signal):
    """Return magnitudes: what all others share."""
    return np.abs(rfft(signal * WINDOW))


def _between(values, band):
    low, high = BANDS[band]
    places = np.arange(len(values)) * RATE / 64
    return values[(low <= places) & (places < high)]


def low(spectrum):
    return Summary(spectrum).share(_between(spectrum, "low").sum())


def high(spectrum, summary=Summary):
    def part(band):
        return summary(spectrum).share(_between(spectrum, band).sum())

    return part("high")


@functools.lru_cache
def _scale(n):
    return m.sqrt(n)


def energy(signal: "Sequence[float]", mean) -> float:
    assert_is_array = isinstance(signal, Sequence | np.ndarray)
    return float(((signal - mean) ** 2).sum()) / _scale(len(signal)) * assert_is_array


# Functions of a raw sample, that compute again what others have.


def loudest(signal):
    return int(spectrum(signal).argmax())


def loudness(signal):
    return float(spectrum(signal).max())


def powers(signal):
    squares = np.square(np.fft.rfft(signal)).real
    return {"first": float(squares[1]), "second": float(squares[2])}


def tone(signal):
    return float(np.abs(np.fft.rfft(signal))[3])
