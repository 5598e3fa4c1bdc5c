"""Whose functions are taken at their word: that they compute, and do nothing else.

They are those of Python's library, and of packages of numbers, that give the same for
the same. What such a package keeps for itself cannot change what it gives.
"""

from __future__ import annotations

import functools
import sys
import sysconfig
from pathlib import Path
from typing import Any

_TRUSTED = frozenset(
    "_abc _bisect _collections _collections_abc _functools _heapq _operator _sre "
    "_struct abc array bisect builtins cmath collections contextlib copy copyreg "
    "dataclasses enum fractions functools heapq itertools math numbers numpy operator "
    "pandas pywt re scipy skimage sklearn statistics statsmodels string struct types "
    "typing unicodedata warnings zlib".split()
)
# Parts of them that draw random numbers, or read what lies outside of Python.
_OUTSIDE = ("numpy.random", "numpy.ctypeslib", "pandas.io", "scipy.io")

_DRAWING = frozenset({"pandas", "skimage", "sklearn", "statsmodels"})


def is_trusted(module: Any) -> bool:
    """Return whether functions of a module are taken at their word; by its name."""
    if not isinstance(module, str) or not _is_named(module.partition(".")[0]):
        return False
    return not any(f"{module}.".startswith(f"{outside}.") for outside in _OUTSIDE)


def may_draw(module: str) -> bool:
    """Return whether functions of a trusted module may draw global random numbers."""
    return module.partition(".")[0] in _DRAWING or module.startswith("scipy.stats")


@functools.lru_cache(maxsize=4096)
def _is_named(top: str) -> bool:
    """Return whether a package is one of them, and none of the same name."""
    if top not in _TRUSTED:
        return False
    file = getattr(sys.modules.get(top), "__file__", None)
    if file is None or top not in sys.stdlib_module_names:
        return True
    return Path(sysconfig.get_path("stdlib")) in Path(file).resolve().parents
