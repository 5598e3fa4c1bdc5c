"""TSFEL traced gives its own values, and computes one FFT."""

import sys

import numpy as np
import pytest

from solvers import trace_extractor
from solvers.errors import PipelineError
from solvers.features.tracing.adapters import tsfel_features
from tests.features.tracing.windows import bits, windows


@pytest.fixture(scope="module")
def tsfel():
    return pytest.importorskip("tsfel")


@pytest.mark.filterwarnings("ignore")
def test_tsfel_shares_one_fft_and_gives_its_own_values(tsfel):
    features = tsfel_features(fs=100)
    traced = trace_extractor(features, windows(3), inside=["tsfel"])
    most = max((one for one in traced.shared), key=lambda one: len(one.features))
    assert most.component.startswith("calc_fft")
    assert len(most.features) >= 10
    wavelets = {one.component: one for one in traced.shared}
    assert len(wavelets["continuous_wavelet_transform"].features) == 5

    config = tsfel.get_features_by_domain()
    trimmed = traced.trim(traced.features)
    for window in windows(40)[3:]:
        table = tsfel.time_series_features_extractor(config, window, fs=100, verbose=0)
        theirs = dict(zip(table.columns, table.iloc[0], strict=True))
        ours = dict(zip(trimmed.features, trimmed(window), strict=True))
        assert bits(ours.values()) == bits(theirs[f"0_{name}"] for name in ours)
        assert len(theirs) == len(ours)


@pytest.mark.filterwarnings("ignore")
def test_tsfel_computes_the_fft_once(tsfel):
    config = tsfel.get_features_by_domain("spectral")
    names = ["Spectral centroid", "Spectral spread", "Max power spectrum", "Median f"]
    config = {"spectral": {n: c for n, c in config["spectral"].items() if n in names}}
    features = tsfel_features(config, fs=100)
    traced = trace_extractor(features, windows(3), inside=["tsfel"])
    code = tsfel.feature_extraction.features_utils.calc_fft.__code__
    seen = []
    sys.setprofile(lambda f, e, _: seen.append(e == "call" and f.f_code is code))
    try:
        traced.trim(traced.features)(windows(1)[0])
    finally:
        sys.setprofile(None)
    assert sum(seen) == 1


@pytest.mark.filterwarnings("ignore")
def test_tsfel_reads_one_signal_of_several(tsfel):
    config = tsfel.get_features_by_domain("statistical")
    both = [
        np.stack([a, b], axis=1)
        for a, b in zip(windows(6)[:3], windows(6)[3:], strict=True)
    ]
    features = tsfel_features(config, axis=1)
    traced = trace_extractor(features, both, inside=["tsfel"])
    table = tsfel.time_series_features_extractor(config, both[0], fs=100, verbose=0)
    ours = dict(
        zip(traced.features, traced.trim(traced.features)(both[0]), strict=True)
    )
    assert bits(ours.values()) == bits(table.iloc[0][f"1_{name}"] for name in ours)


def test_tsfel_refuses_functions_of_others(tsfel):
    entry = {"use": "yes", "function": "tsfel.absent", "parameters": ""}
    with pytest.raises(PipelineError, match=r"no function 'tsfel\.absent' for feature"):
        tsfel_features({"statistical": {"mine": entry}})
