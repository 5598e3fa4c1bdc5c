"""BIF: tables, rows by name, and what they may not ask for."""

import numpy as np
import pytest

from solvers.bayes.readers import read_network_text
from solvers.errors import InterchangeError
from tests.bayes.small_files import bif_variables


def test_bif_table_that_could_not_be_in_the_file_is_refused():
    """Sixty parents of two states ask for a table of 2 ** 60 numbers."""
    names = [f"V{j}" for j in range(60)]
    variables = "".join(
        f"variable {v} {{\n  type discrete [ 2 ] {{ a, b }};\n}}\n"
        for v in [*names, "Z"]
    )
    header = f"probability ( Z | {', '.join(names)} ) {{\n"
    row = f"  ({', '.join('a' * 60)}) 0.5, 0.5;\n}}\n"
    with pytest.raises(InterchangeError, match="more than the file can list"):
        read_network_text(variables + header + row, "bif")


def test_default_rows_fill_what_is_not_listed():
    text = bif_variables(2) + "probability (V0) { table .5 .5; }"
    text += "probability (V1 | V0) { default .1 .9; (b) .3 .7; }"
    table = read_network_text(text, "bif").tables["V1"]
    np.testing.assert_array_equal(table, [[0.1, 0.9], [0.3, 0.7]])


def test_a_table_of_bif_has_its_own_state_slowest():
    text = bif_variables(2) + "probability (V0) { table .5 .5; }"
    text += "probability (V1 | V0) { table .1 .3 .9 .7; }"
    table = read_network_text(text, "bif").tables["V1"]
    np.testing.assert_array_equal(table, [[0.1, 0.9], [0.3, 0.7]])


def test_names_of_bif_may_hold_spaces_where_commas_part_them():
    text = """
    variable my cause { type discrete [2] { low risk, high risk }; }
    probability ( my cause ) { table 0.5, 0.5; }
    probability ( effect | my cause ) { (low risk) 0.5 0.5; (high risk) 1 0; }
    variable effect { type discrete [2] { "a b" "c" }; property x = "{;" ; }
    """
    network = read_network_text(text, "bif")
    assert network.states["effect"] == ("a b", "c")
    assert network.parents["effect"] == ("my cause",)
    np.testing.assert_array_equal(network.tables["effect"], [[0.5, 0.5], [1, 0]])
