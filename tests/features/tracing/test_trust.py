"""Packages that only compute are trusted, and nothing else of the same name."""

import sys
import types

import pytest

from solvers.features.tracing import trust


@pytest.mark.parametrize(
    ("module", "is_trusted"),
    [
        ("numpy", True),
        ("scipy.signal.windows", True),
        ("builtins", True),
        ("statistics", True),
        ("numpy.random.mtrand", False),
        ("numpyish", False),
        ("os", False),
        ("time", False),
        (None, False),
    ],
)
def test_who_computes_and_does_nothing_else_is_trusted(module, is_trusted):
    assert trust.is_trusted(module) == is_trusted


def test_a_module_of_somebody_s_own_with_a_name_of_python_s_is_not(monkeypatch):
    own = types.ModuleType("statistics")
    own.__file__ = "/somewhere/statistics.py"
    monkeypatch.setitem(sys.modules, "statistics", own)
    trust._is_named.cache_clear()
    try:
        assert not trust.is_trusted("statistics")
    finally:
        trust._is_named.cache_clear()


def test_some_libraries_may_draw_global_random_numbers():
    assert trust.may_draw("sklearn.utils")
    assert trust.may_draw("scipy.stats._entropy")
    assert not trust.may_draw("numpy.fft")
