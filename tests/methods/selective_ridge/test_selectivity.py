"""The largest selectivity: a feature enters just below it, and none just above."""

import numpy as np
import pytest

from solvers.errors import KnobError
from solvers.methods.selective_ridge import maximum_selectivity, selective_ridge_stream
from tests.methods.selective_ridge_cases import LOSSES

every_loss = pytest.mark.parametrize("loss", LOSSES)


def _table(loss, seed=0, n_features=8):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((40, n_features)) * rng.uniform(0.2, 5.0, n_features)
    y = X[:, 0] + rng.standard_normal(40)
    return X, y if loss == "squared" else np.where(y > 0.4, 1.0, -1.0)


def _support(X, y, mu, loss, **options):
    *_, fit = selective_ridge_stream(X, y, mu=mu, loss=loss, tol=1e-9, **options)
    return fit.support


@every_loss
@pytest.mark.parametrize("gamma", [0.1, 10.0])
def test_just_below_a_feature_enters_and_just_above_none_does(loss, gamma):
    X, y = _table(loss)
    largest = maximum_selectivity(X, y, gamma, loss)
    assert not _support(X, y, 1.001 * largest, loss, gamma=gamma).any()
    assert _support(X, y, 0.99 * largest, loss, gamma=gamma).any()


def test_of_the_squared_loss_it_is_the_largest_covariance():
    X, y = _table("squared")
    gamma = 3.0
    wanted = np.abs((y - y.mean()) @ X).max() / gamma
    found = maximum_selectivity(X, y, gamma, "squared")
    assert found == pytest.approx(wanted)


def test_of_the_logistic_loss_it_is_the_steepest_slope_of_the_prior():
    X, y = _table("logistic")
    gamma = 3.0
    doubt = (y > 0) - (y > 0).mean()
    wanted = np.abs(doubt @ X).max() / (2 * gamma)
    assert maximum_selectivity(X, y, gamma, "logistic") == pytest.approx(wanted)


@every_loss
def test_selectivity_and_weights_of_features_trade(loss):
    X, y = _table(loss)
    weights = np.linspace(0.5, 2.0, X.shape[1])
    one = maximum_selectivity(X, y, 1.0, loss, feature_weights=weights)
    other = maximum_selectivity(X, y, 1.0, loss, feature_weights=4 * weights)
    assert other == pytest.approx(one / 4, rel=1e-6)


@every_loss
def test_a_weight_of_two_is_a_row_written_twice(loss):
    X, y = _table(loss)
    weights = np.where(np.arange(40) % 3 == 0, 2, 1)
    twice = np.repeat(np.arange(40), weights)
    weighed = maximum_selectivity(X, y, 1.0, loss, sample_weight=weights)
    written = maximum_selectivity(X[twice], y[twice], 1.0, loss)
    assert weighed == pytest.approx(written, rel=1e-6)


@every_loss
def test_in_units_of_its_spread_a_column_s_unit_does_not_count(loss):
    X, y = _table(loss)
    one = maximum_selectivity(X, y, 1.0, loss, standardise=True)
    units = 10.0 ** np.arange(-4, 4)
    other = maximum_selectivity(X * units + 7, y, 1.0, loss, standardise=True)
    assert other == pytest.approx(one, rel=1e-6)


def test_a_table_without_a_telling_column_has_none():
    X = np.ones((6, 2))
    y = np.tile([-1.0, 1.0], 3)
    for loss in LOSSES:
        assert maximum_selectivity(X, y, 1.0, loss) == pytest.approx(0.0, abs=1e-12)


def test_a_loss_that_does_not_exist_is_refused():
    with pytest.raises(KnobError, match="huber"):
        maximum_selectivity(*_table("squared"), 1.0, "huber")
