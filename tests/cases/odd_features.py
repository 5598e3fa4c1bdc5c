"""Features that share steps in ways that are easily shared wrongly."""

import functools
import itertools
import math

import numpy as np


def first_half(x):  # a view
    return x[: len(x) // 2]


def view_energy(x):
    return float((first_half(x) ** 2).sum())


def view_peak(x):
    return float(first_half(x).max())


def scale(x, k):  # 1, 1.0 and True are equal, and not the same
    if isinstance(k, bool):
        return x * k
    return x * (k / 3 if isinstance(k, int) else k)


def by_int(x):
    return float(scale(x, 1).sum())


def by_float(x):
    return float(scale(x, 1.0).sum())


def by_bool(x):
    return float(scale(x, True).sum())


def sign_of(v):
    return math.copysign(1.0, v)


def plus_zero(x):
    return sign_of(0.0) + len(x) * 0


def minus_zero(x):
    return sign_of(-0.0) + len(x) * 0


def without_mean(x):
    return x - x.mean()


def doubled_in_place(x):
    d = without_mean(x)
    d *= 2
    return float(d.sum() + d.max())


def largest(x):
    return float(without_mean(x).max())


def pairs(x):  # can be gone through once
    return itertools.pairwise(x)


def ups(x):
    return float(sum(b > a for a, b in pairs(x)))


def downs(x):
    return float(sum(b < a for a, b in pairs(x)))


def bins(x):
    return [int(v) for v in np.histogram(x, 5)[0]]


def one_more_bin(x):
    b = bins(x)
    b.append(7)
    return float(sum(b))


def n_bins(x):
    return float(len(bins(x)))


def envelope(x):
    if x.max() > 3:
        return np.abs(x)
    return x * 0 + 1


def envelope_sum(x):
    return float(envelope(x).sum())


def envelope_peak(x):
    return float(envelope(x).max())


def in_order(x, order="C"):
    return np.array(x.reshape(-1, 4), order=order)


def by_rows(x):
    return float(in_order(x).ravel("K")[1])


def by_columns(x):
    return float(in_order(x, "F").ravel("K")[1])


def entropy(x):
    p = np.abs(x) / (np.abs(x).sum() + 1e-300)
    if (p > 0.2).any():
        raise ValueError("peaky")
    return float(-(p * np.log(p + 1e-12)).sum())


def entropy_or_one(x):
    try:
        return entropy(x)
    except ValueError:
        return -1.0


def entropy_or_two(x):
    try:
        return 2 * entropy(x)
    except ValueError:
        return -2.0


@functools.lru_cache
def window(n):
    return np.hanning(n)


def windowed_sum(x):
    return float((window(len(x)) * x).sum())


def windowed_peak(x):
    return float((window(len(x)) * x).max())


FEATURES = [
    *(view_energy, view_peak, by_int, by_float, by_bool, plus_zero, minus_zero),
    *(doubled_in_place, largest, ups, downs, one_more_bin, n_bins, envelope_sum),
    *(envelope_peak, by_rows, by_columns, entropy_or_one, entropy_or_two),
    *(windowed_sum, windowed_peak),
]
