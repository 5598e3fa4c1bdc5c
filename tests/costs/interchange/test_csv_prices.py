"""Further prices are columns whose header says rule, name and unit."""

import numpy as np
import pytest

from solvers import ComponentPrices, FeatureHypergraph
from solvers.costs.interchange.csv_prices import price_headers, prices_of_columns
from solvers.errors import InterchangeError


@pytest.mark.parametrize("name", ["delay", "a:b", "50 %", "%3A", "Größe"])
@pytest.mark.parametrize("rule", ["sum", "maximum"])
def test_a_price_comes_back_from_its_header(name, rule):
    price = ComponentPrices(name, np.array([0.0, 2.0]), "days", rule)
    graph = FeatureHypergraph([[1, 0], [0, 1]], [1.0, 2.0], prices=(price,))
    (header,) = price_headers(graph)
    (read,) = prices_of_columns({header: ["", "2"]}, ["c0", "c1"])
    assert (read.name, read.unit, read.rule) == (name, "days", rule)
    assert read.values.tolist() == [0.0, 2.0]


def test_components_before_the_rows_cost_nothing():
    columns = {"price:sum:delay:days": ["3"]}
    (read,) = prices_of_columns(columns, ["c"], n_free=2)
    assert read.values.tolist() == [0.0, 0.0, 3.0]


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({"price:least:delay:days": []}, "headed 'price:least:delay:days'; write"),
        ({"price:sum:delay": []}, "headed 'price:sum:delay'; write"),
        ({f"price:sum:p{i}:days": [] for i in range(21)}, "21 columns of prices"),
    ],
)
def test_a_header_that_says_something_else_is_refused(columns, sentence):
    with pytest.raises(InterchangeError, match=sentence):
        prices_of_columns(columns, [])
