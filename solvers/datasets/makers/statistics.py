"""The eleven statistics of a signal that Table 1 of the ACAFH paper lists.

Each is a plain function whose parameter names say what it shares with the others, for
use in a `FeaturePipeline`. A signal is an array of at least two numbers. One that is
constant has no shape: its skewness, kurtosis and Pearson's skewness are 0 here.

References
----------
Li et al., "Accelerated cost-aware classification over large-scale sparse feature
dependency hypergraphs", 2019, Table 1.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Signal = NDArray[np.float64]


def mean(signal: Signal) -> float:
    """Return the mean of a signal (V1).

    Shapes: `signal` (n,).
    """
    return signal.sum() / signal.size


def median(signal: Signal) -> float:
    """Return the median of a signal (V2).

    Shapes: `signal` (n,).
    """
    half = signal.size // 2
    if signal.size % 2:
        return np.partition(signal, half)[half]
    low, high = np.partition(signal, (half - 1, half))[half - 1 : half + 1]
    return (low + high) / 2


def mad(signal: Signal, median: float) -> float:
    """Return the median absolute deviation from the median (V3).

    Shapes: `signal` (n,).
    """
    return _median(np.abs(signal - median))


def deviation(signal: Signal, mean: float) -> float:
    """Return the standard deviation with divisor n - 1 (V4).

    Shapes: `signal` (n,).
    """
    centred = signal - mean
    return math.sqrt(centred @ centred / (signal.size - 1))


def skewness(signal: Signal, mean: float, deviation: float) -> float:
    """Return the mean third power of the standardised signal (V5).

    Shapes: `signal` (n,).
    """
    if deviation == 0:
        return 0.0
    standard = (signal - mean) / deviation
    return np.dot(standard, standard * standard) / signal.size


def kurtosis(signal: Signal, mean: float, deviation: float) -> float:
    """Return the mean fourth power of the standardised signal (V6).

    Shapes: `signal` (n,).
    """
    if deviation == 0:
        return 0.0
    standard = (signal - mean) / deviation
    squares = standard * standard
    return np.dot(squares, squares) / signal.size


def maximum(signal: Signal) -> float:
    """Return the largest value of a signal (V7).

    Shapes: `signal` (n,).
    """
    return signal.max()


def minimum(signal: Signal) -> float:
    """Return the smallest value of a signal (V8).

    Shapes: `signal` (n,).
    """
    return signal.min()


def mean_square(signal: Signal) -> float:
    """Return the mean of the squares of a signal (V9).

    Shapes: `signal` (n,).
    """
    return np.dot(signal, signal) / signal.size


def root_mean_square(mean_square: float) -> float:
    """Return the root of the mean square (V10)."""
    return math.sqrt(mean_square)


def pearson_skewness(mean: float, median: float, deviation: float) -> float:
    """Return three times mean less median, in standard deviations (V11)."""
    if deviation == 0:
        return 0.0
    return 3 * (mean - median) / deviation


_median = median  # where a parameter takes its name

#: The eleven statistics, in the order of the table.
TABLE_1 = (
    mean,
    median,
    mad,
    deviation,
    skewness,
    kurtosis,
    maximum,
    minimum,
    mean_square,
    root_mean_square,
    pearson_skewness,
)

#: The first nine, which the paper takes of every source and direction.
NINE = TABLE_1[:9]
