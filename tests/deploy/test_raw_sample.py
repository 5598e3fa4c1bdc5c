"""Parts of a raw sample are computed when they are asked for, each once."""

import numpy as np
import pytest

from solvers.deploy.raw_sample import RawSample


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


@pytest.mark.parametrize("given", [np.ones(4), {"signal": np.ones(4)}])
def test_each_part_is_computed_once_and_only_when_it_is_needed(given):
    asked = []
    row = opened(given, asked)
    assert asked == []
    assert row.feature("all").tolist() == [4.0, 0.0, 0.0]
    assert asked == ["spectrum"]
    assert (row.feature("low"), row.feature("high")) == (4.0, 0.0)
    assert asked == ["spectrum", "bands"]


def test_a_number_that_stands_alone_is_its_only_place():
    row = RawSample(
        1.0, ["x"], {"one": (lambda x: x, ["x"])}, {"one": ("one", 0, None)}
    )
    assert row.feature("one") == 1.0
