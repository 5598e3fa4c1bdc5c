"""What a sweep writes for spreadsheets has no formulas."""

import numpy as np

from explorer.commands.sweep import _band_table
from solvers.frontier.bands import Band


def test_a_files_name_is_no_formula_in_the_table_of_bands():
    band = Band(np.array([1.0, 2.0]), np.array([[0.5, 0.6], [0.7, 0.8]]))
    table = _band_table({("=cmd", "l1"): band, ("heart", "l1"): band})
    assert [*table["dataset"]] == ["'=cmd", "'=cmd", "heart", "heart"]
    assert [*table["cost"]] == [1.0, 2.0] * 2
