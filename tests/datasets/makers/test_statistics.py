"""The statistics of Table 1 are those that NumPy and SciPy know."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from solvers.datasets.makers import statistics
from solvers.features.pipeline import FeaturePipeline
from tests.each import each

signals = st.integers(0, 10_000).flatmap(
    lambda seed: st.integers(2, 60).map(
        lambda n: np.random.default_rng(seed).lognormal(size=n)
    )
)
PIPELINE = FeaturePipeline(statistics.TABLE_1, inputs=["signal"])


def unbiased(x):
    return np.std(x, ddof=1)


REFERENCES = {
    "mean": np.mean,
    "median": np.median,
    "mad": stats.median_abs_deviation,
    "deviation": unbiased,
    # SciPy standardises with the divisor n: one factor apart.
    "skewness": lambda x: stats.skew(x) * (1 - 1 / len(x)) ** 1.5,
    "kurtosis": lambda x: stats.kurtosis(x, fisher=False) * (1 - 1 / len(x)) ** 2,
    "maximum": np.max,
    "minimum": np.min,
    "mean_square": lambda x: np.mean(x**2),
    "root_mean_square": lambda x: np.sqrt(np.mean(x**2)),
    "pearson_skewness": lambda x: 3 * (np.mean(x) - np.median(x)) / unbiased(x),
}


def test_there_are_eleven_and_the_first_nine_are_taken_of_every_signal():
    assert PIPELINE.features == tuple(REFERENCES)
    assert statistics.NINE == statistics.TABLE_1[:9]


@each("name", REFERENCES)
@given(signal=signals)
def test_statistic_is_that_of_the_reference(name, signal):
    (value,) = PIPELINE.trim([name])(signal)
    assert value == pytest.approx(REFERENCES[name](signal), rel=1e-9, abs=1e-12)


@given(signals)
def test_statistics_leave_the_signal_as_it_is(signal):
    before = signal.copy()
    PIPELINE.extract([signal])
    assert np.array_equal(signal, before)


def test_a_constant_signal_has_no_shape():
    values = dict(
        zip(PIPELINE.features, PIPELINE.extract([np.full(5, 2.0)])[0], strict=True)
    )
    assert values["skewness"] == values["kurtosis"] == 0
    assert values["pearson_skewness"] == values["deviation"] == values["mad"] == 0


def test_statistics_share_as_the_paper_says():
    price = PIPELINE.hypergraph()
    alone = {name: price.cost([name]) for name in PIPELINE.features}
    assert alone == {
        "mean": 1,
        "median": 1,
        "mad": 2,
        "deviation": 2,
        "skewness": 3,
        "kurtosis": 3,
        "maximum": 1,
        "minimum": 1,
        "mean_square": 1,
        "root_mean_square": 2,
        "pearson_skewness": 4,
    }
    assert price.cost(["deviation", "skewness", "kurtosis"]) == 4
