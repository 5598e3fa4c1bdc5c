"""Bundled files are found where they lie."""

import pytest

from solvers.datasets.resources import sample_data
from solvers.errors import DataError


def test_a_file_and_a_folder_are_found():
    assert sample_data("signals", "costs.json").is_file()
    assert sample_data("signals").is_dir()


def test_a_file_that_is_not_there_is_refused():
    with pytest.raises(DataError, match=r"There is no 'signals/none.csv' among"):
        sample_data("signals", "none.csv")
