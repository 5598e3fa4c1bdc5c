"""Bundled files are found, and extracted columns that tell nothing are left out."""

import numpy as np
import pytest

from solvers import FeatureHypergraph
from solvers.costs.interchange.sources import sample_data
from solvers.datasets.makers.bundled import telling_columns
from solvers.errors import DataError
from tests.each import each

PRICES = FeatureHypergraph(
    [[1, 1, 0, 0], [0, 0, 1, 1]], [3.0, 1.0], ("a", "b", "c", "d"), ("fft", "sum")
)
TABLE = np.array([[1.0, 2.0, 3.0, 4.0], [5.0, 2.5, 7.0, 8.0]])


def test_a_table_of_telling_columns_is_given_back_as_it_is():
    X, priced, notes = telling_columns(TABLE, PRICES)
    assert X is TABLE
    assert priced is PRICES
    assert notes == ()


@each("odd", [np.nan, np.inf, 3.0], ids=["gap", "endless", "same"])
def test_a_constant_or_a_value_that_is_not_finite_leaves_a_column_out(odd):
    table = TABLE.copy()
    table[1, 2] = odd
    X, priced, notes = telling_columns(table, PRICES)
    assert (X == TABLE[:, [0, 1, 3]]).all()
    assert priced.features == ("a", "b", "d")
    assert notes == ("1 columns that are constant or not always finite were left out.",)


def test_prices_of_what_is_left_are_what_they_were():
    table = TABLE.copy()
    table[:, 1] = 0.0
    _, priced, _ = telling_columns(table, PRICES)
    for names in (["a"], ["c", "d"], ["a", "c"]):
        assert priced.cost(names) == PRICES.cost(names)


def test_a_file_and_a_folder_are_found():
    assert sample_data("signals", "costs.json").is_file()
    assert sample_data("signals").is_dir()


def test_a_file_that_is_not_there_is_refused():
    with pytest.raises(DataError, match=r"There is no 'signals/none.csv' among"):
        sample_data("signals", "none.csv")
