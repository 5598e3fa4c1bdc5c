"""Whose functions are taken at their word: the same for the same, and nothing else done.

They are those of Python's library and of the packages of numbers that do nothing but
compute. What they keep for themselves cannot change what they give.
"""

from __future__ import annotations

from typing import Any

__all__ = ["is_trusted"]

_TRUSTED = frozenset(
    "_abc _bisect _collections _collections_abc _functools _heapq _operator _sre "
    "_struct abc array bisect builtins cmath collections contextlib copy copyreg "
    "dataclasses enum fractions functools heapq itertools math numbers numpy operator "
    "pandas pywt re scipy skimage sklearn statistics statsmodels string struct types "
    "typing unicodedata warnings zlib".split()
)
# Parts of them that draw random numbers, or read what lies outside of Python.
_OUTSIDE = ("numpy.random", "numpy.ctypeslib", "pandas.io", "scipy.io")


def is_trusted(module: Any) -> bool:
    """Return whether the functions of a module, by its name, are taken at their word."""
    if not isinstance(module, str) or module.partition(".")[0] not in _TRUSTED:
        return False
    return not any(f"{module}.".startswith(f"{outside}.") for outside in _OUTSIDE)
