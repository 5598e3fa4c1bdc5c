"""What the frontier page learns: the chosen price, within limits, or why not."""

import numpy as np
import pytest

from explorer.pages.frontier.offering import chargeable, offered
from solvers import ComponentPrices, Dataset, FeatureHypergraph
from tests.each import each


@pytest.fixture
def dataset():
    hypergraph = FeatureHypergraph(
        np.eye(3, dtype=bool),
        [1.0, 2.0, 3.0],
        ("a", "b", "c"),
        unit="CAD",
        charged="money",
        prices=(
            ComponentPrices("delay", [5.0, 0.0, 1.0], "days", "maximum"),
            ComponentPrices("energy", [1.0, 1.0, 4.0], "J"),
        ),
    )
    X = np.random.default_rng(0).standard_normal((20, 3))
    return Dataset("x", X, np.arange(20) % 2, hypergraph)


def test_prices_that_add_up_can_be_charged_what_is_charged_first(dataset):
    assert list(chargeable(dataset).items()) == [("money", "CAD"), ("energy", "J")]


def test_another_price_is_charged_in_its_unit(dataset):
    found, refused = offered(dataset, "energy", {})
    assert refused == ""
    assert (found.hypergraph.charged, found.unit) == ("energy", "J")
    assert found.hypergraph.component_costs.tolist() == [1.0, 1.0, 4.0]


@each("price", ["money", "delay", "fame"])
def test_a_price_that_cannot_be_charged_leaves_what_is(dataset, price):
    found, refused = offered(dataset, price, {})
    assert refused == ""
    assert found.unit == "CAD"


def test_a_limit_leaves_out_the_features_beyond_it(dataset):
    found, refused = offered(dataset, "money", {"delay": 2.0})
    assert refused == ""
    assert found.feature_names == ("b", "c")
    assert (found.X == dataset.X[:, 1:]).all()


def test_limits_of_prices_that_nobody_knows_ask_for_nothing(dataset):
    found, refused = offered(dataset, "money", {"fame": 0.0})
    assert refused == ""
    assert found.feature_names == dataset.feature_names


def test_a_limit_below_everything_is_refused_and_the_data_stay(dataset):
    found, refused = offered(dataset, "money", {"energy": 0.5})
    assert "energy" in refused
    assert found.feature_names == dataset.feature_names
