"""Columns of one entry come together, and gaps are told."""

import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest

from solvers.errors import PipelineError
from tests.each import each
from tests.features.tracing.signals import SIGNALS, energy, peak, spectrum, traced_all


def table(signal):
    return {"peak": peak(signal), "energy": energy(signal)}


def test_one_function_is_bought_whole_and_says_so():
    traced = traced_all(table)
    assert traced.features == ("peak", "energy")
    graph = traced.hypergraph()
    assert graph.cost(["peak"]) == graph.cost(traced.features)
    assert any("One function gives all 2 columns" in n for n in traced.notes)
    assert traced.trim(["energy"])(SIGNALS[0]) == (energy(SIGNALS[0]),)


def test_columns_of_one_entry_need_the_same():
    traced = traced_all({"bands": lambda s: spectrum(s)[:3], "peak": peak})
    assert traced.features == ("bands_0", "bands_1", "bands_2", "peak")
    trimmed = traced.trim(["bands_1", "peak"])
    assert trimmed.features == ("bands_1", "peak")
    assert trimmed(SIGNALS[1]) == (spectrum(SIGNALS[1])[1], peak(SIGNALS[1]))
    with pytest.raises(ValueError, match="gives 1 numbers and gave 3 where it was"):
        trimmed(SIGNALS[1][:1])


def counted(signal):
    return Counter("up" if up else "down" for up in signal > 0)


def test_numbers_with_names_are_read_by_their_names():
    ups = [np.array(signs) for signs in ([1.0, -1, 1], [-1.0, 1, 1], [-1.0, -1, 1])]
    by_index = {"series": lambda s: pd.Series(s, list("abc")).iloc[np.argsort(s)]}
    traced = traced_all({"counts": counted, **by_index}, ups[:1])
    assert traced.features[:2] == ("counts_up", "counts_down")
    names = [name.removeprefix("series_") for name in traced.features[2:]]
    table = traced.extract(ups)
    for row, signal in zip(table, ups, strict=True):
        expected = [(signal > 0).sum(), (signal < 0).sum()]
        assert row[:2].tolist() == expected
        assert row[2:].tolist() == [signal["abc".index(name)] for name in names]
        opened = traced.open(signal)
        assert opened.feature("counts_up") == expected[0]
        assert traced.trim(["counts_down"])(signal) == (expected[1],)


@each(
    ("given", "told"),
    [
        ({"a": 1.0}, "gives the names 'a' and gave 'a', 'b' where"),
        ({"a": 1.0, "c": 2.0}, "gives the names 'a', 'c' and gave 'a', 'b' where"),
        ({"b": 1.0, "a": 2.0, "c": 3.0}, "gives the names 'b', 'a', 'c' and gave"),
        ([1.0, 2.0], "gives numbers without names and gave a mapping where"),
        (pd.Series([1.0, 2.0], index=["a", "a"]), "gives the names 'a', 'a' and gave"),
    ],
)
def test_other_names_are_refused(given, told):
    known = {"a": 1.0, "b": 2.0}
    function = {"f": lambda number: known if number == 0 else given}
    with pytest.raises(PipelineError, match=f"'f' {told}"):
        traced_all(function, [0, 0]).extract([0, 1])
    with pytest.raises(
        PipelineError, match=f"'f' {told}".replace(" and", " on sample 1 and")
    ):
        traced_all(function, [0, 1])


def test_numbers_that_are_not_finite_pass_and_are_told():
    def log(signal):
        return math.nan if signal[0] < 0 else 1.0

    traced = traced_all({"log": log, "peak": peak})
    n_gaps = sum(signal[0] < 0 for signal in SIGNALS)
    assert f"Feature 'log' is not finite on {n_gaps} of 6 samples." in traced.notes
