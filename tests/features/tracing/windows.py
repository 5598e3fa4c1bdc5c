"""Windows of signals, and values to the last bit."""

import functools

import numpy as np


@functools.cache
def windows(n, length=512):
    rng = np.random.default_rng(0)
    time = np.arange(length) / 100
    tones = np.sin(2 * np.pi * rng.uniform(1, 20, size=(n, 1)) * time)
    return list(tones + rng.normal(size=(n, length)))


def bits(values):
    return [float(value).hex() for value in values]
