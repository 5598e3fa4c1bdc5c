"""tsfresh traced gives its own values."""

import pandas as pd
import pytest

from solvers import trace_extractor
from solvers.features.tracing.adapters import tsfresh_features
from tests.features.tracing.windows import bits, windows


@pytest.mark.filterwarnings("ignore")
def test_tsfresh_gives_its_own_values():
    tsfresh = pytest.importorskip("tsfresh")
    settings = {
        "mean": None,
        "abs_energy": None,
        "autocorrelation": [{"lag": 1}, {"lag": 2}],
        "agg_autocorrelation": [{"f_agg": "mean", "maxlag": 9}],
        "fft_coefficient": [{"coeff": 1, "attr": "abs"}, {"coeff": 2, "attr": "real"}],
        "partial_autocorrelation": [{"lag": 1}, {"lag": 2}],
    }
    samples = windows(3, 100)
    traced = trace_extractor(tsfresh_features(settings), samples, inside=["tsfresh"])
    long = pd.DataFrame({"id": 0, "time": range(100), "value": samples[0]})
    table = tsfresh.extract_features(
        long,
        default_fc_parameters=settings,
        column_id="id",
        column_sort="time",
        column_value="value",
        n_jobs=0,
        disable_progressbar=True,
    )
    assert sorted(traced.features) == sorted(table.columns)
    ours = dict(
        zip(traced.features, traced.trim(traced.features)(samples[0]), strict=True)
    )
    assert bits(ours.values()) == bits(table.iloc[0][name] for name in ours)
