"""Parts of a raw sample are computed when they are asked for, each once."""

import numpy as np
import pytest

from solvers.deploy.raw_sample import RawSample
from tests.each import each


def opened(sample, asked, inputs=("signal",)):
    def spectrum(signal):
        asked.append("spectrum")
        return np.abs(np.fft.rfft(signal))

    def bands(spectrum):
        asked.append("bands")
        return {"low": spectrum[0], "high": spectrum[-1]}

    parts = {"spectrum": (spectrum, ["signal"]), "bands": (bands, ["spectrum"])}
    names = ("low", "high")
    features = {name: ("bands", i, names) for i, name in enumerate(names)}
    features["all"] = ("spectrum", None, None)
    return RawSample(sample, inputs, parts, features)


@each("given", [np.ones(4), {"signal": np.ones(4)}])
def test_each_part_is_computed_once_and_only_when_it_is_needed(given):
    asked = []
    row = opened(given, asked)
    assert asked == []
    assert row.feature("all").tolist() == [4.0, 0.0, 0.0]
    assert asked == ["spectrum"]
    assert (row.feature("low"), row.feature("high")) == (4.0, 0.0)
    assert asked == ["spectrum", "bands"]


def test_numbers_with_names_are_taken_by_these_and_others_refused():
    names = ("low", "high")
    features = {name: ("f", i, names) for i, name in enumerate(names)}
    parts = {"f": (lambda x: x, ["x"])}
    row = RawSample({"high": 2.0, "low": 1.0}, ["x"], parts, features)
    assert (row.feature("low"), row.feature("high")) == (1.0, 2.0)
    row = RawSample({"low": 1.0, "middle": 2.0}, ["x"], parts, features)
    with pytest.raises(
        ValueError, match="f gives low, middle and gave low, high where"
    ):
        row.feature("low")


def test_an_array_cannot_be_changed_by_who_is_given_it():
    def spoiling(x):
        x[0] = 0.0
        return 1.0

    row = RawSample(
        np.ones(2), ["x"], {"f": (spoiling, ["x"])}, {"f": ("f", None, None)}
    )
    with pytest.raises(ValueError, match="read-only"):
        row.feature("f")


def test_a_number_that_stands_alone_is_its_only_place():
    row = RawSample(
        1.0, ["x"], {"one": (lambda x: x, ["x"])}, {"one": ("one", 0, None)}
    )
    assert row.feature("one") == 1.0
