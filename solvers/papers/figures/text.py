"""Numbers and blocks in words, for sentences about figures."""

from __future__ import annotations

from ...values import rounding


def rounded(value: float) -> str:
    """Return a number with three digits that count, without an exponent.

    Examples
    --------
    >>> rounded(23412.0), rounded(0.98765), rounded(5.0)
    ('23,400', '0.988', '5')
    """
    whole, _, part = f"{rounding.rounded(value):,.12f}".partition(".")
    return f"{whole}.{part.rstrip('0')}".rstrip(".")


def duration(seconds: float) -> str:
    """Return a time in the unit that suits it.

    Examples
    --------
    >>> duration(2.5), duration(0.0414), duration(2.8e-5)
    ('2.5 s', '41.4 ms', '28 µs')
    """
    for factor, unit in ((1, "s"), (1e3, "ms")):
        if factor * seconds >= 1:
            return f"{rounded(factor * seconds)} {unit}"
    return f"{rounded(1e6 * seconds)} µs"


def blocks_in_words(n_blocks: int, largest: int) -> str:
    """Return how many blocks there are and how large the largest is."""
    if n_blocks == 1:
        return f"one block of {largest:,} features"
    return f"{n_blocks:,} blocks, the largest of {largest:,} features"
