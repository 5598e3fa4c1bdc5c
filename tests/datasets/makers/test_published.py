"""Stand-alone costs are the microseconds that the paper prints."""

import numpy as np
import pytest

from solvers.datasets import make_published, make_signals
from solvers.errors import KnobError
from tests.each import each

PRINTED = {
    "mean": 0.672,
    "median": 4.365,
    "mad": 8.346,
    "deviation": 1.608,
    "skewness": 14.917,
    "kurtosis": 14.095,
    "maximum": 0.464,
    "minimum": 0.652,
    "mean_square": 1.147,
    "root_mean_square": 1.273,
    "pearson_skewness": 8.011,
}


@pytest.fixture(scope="module")
def published():
    return make_published()


@each("name", PRINTED)
def test_feature_on_its_own_costs_what_is_printed(published, name):
    assert published.hypergraph.cost([name]) == pytest.approx(PRINTED[name], abs=1e-12)


def test_components_cost_what_is_left_of_the_printed_totals(published):
    costs = dict(
        zip(
            published.hypergraph.components,
            published.hypergraph.component_costs,
            strict=True,
        )
    )
    assert costs["deviation"] == pytest.approx(1.608 - 0.672)
    assert costs["mad"] == pytest.approx(8.346 - 4.365)
    assert costs["root_mean_square"] == pytest.approx(1.273 - 1.147)
    assert costs["skewness"] == pytest.approx(14.917 - 1.608)
    assert costs["pearson_skewness"] == pytest.approx(8.011 - 1.608 - 4.365)


def test_four_components_are_shared_and_seven_are_not(published):
    users = published.hypergraph.incidence.toarray().sum(axis=1)
    assert len(users) == 11
    assert (users == 1).sum() == 7
    shared = [published.hypergraph.components[i] for i in np.flatnonzero(users > 1)]
    assert shared == ["mean", "median", "deviation", "mean_square"]


def test_features_fall_into_four_blocks(published):
    assert len(set(published.hypergraph.connected_components()[1])) == 4


@each("signal", ["sizes_up", "gaps_total"])
def test_rows_are_what_the_pipeline_computes_of_the_windows(signal):
    chosen = make_published(signal)
    computed = chosen.pipeline.extract(chosen.samples)
    # Pearson's numerator is a difference of columns kept in single precision.
    np.testing.assert_allclose(
        chosen.X[:300], computed, rtol=1e-5, atol=1e-5, strict=True
    )


def test_windows_are_those_of_the_signals(published):
    assert np.array_equal(published.y, make_signals().y)


def test_an_unknown_signal_is_refused():
    with pytest.raises(KnobError, match="signal is 'sideways'; Signal is one of"):
        make_published("sideways")
