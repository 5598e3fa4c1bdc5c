"""BIF, NET and UAI: tables, names and numbers, and what they may not ask for."""

import numpy as np
import pytest

from solvers.bayes.readers import read_network_text
from solvers.bayes.text_formats import network_from_net
from solvers.errors import InterchangeError
from tests.bayes.small_files import bif_variables
from tests.each import each


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


COIN = 'net { } node c { states = ("h" "t"); } '
DIE = 'node d { states = ("low" "mid" "high"); } '
POTENTIALS = (
    "potential ( c ) { data = ( .4 .6 ); } "
    "potential ( d | c ) { data = (( .2 .3 .5 )( 1 0 0 )); }"
)
TABLE = np.array([[0.2, 0.3, 0.5], [1, 0, 0]])


def test_the_own_state_of_a_potential_changes_fastest():
    network = network_from_net(COIN + DIE + POTENTIALS)
    assert network.parents["d"] == ("c",)
    assert network.tables["d"] == pytest.approx(TABLE)


def test_a_potential_may_stand_before_its_nodes():
    network = network_from_net("net { } " + POTENTIALS + DIE + COIN)
    assert network.tables["d"] == pytest.approx(TABLE)


def test_of_several_parents_the_last_one_changes_before_the_first():
    text = COIN + 'node e { states = ("a" "b"); } node f { states = ("x" "y"); } '
    text += "potential ( c ) { data = ( .5 .5 ); } potential ( e ) { data = (.5 .5); } "
    text += (
        "potential ( f | c e ) { data = ((( .1 .9 )( .2 .8 ))(( .3 .7 )( .4 .6 ))); }"
    )
    network = network_from_net(text)
    assert network.parents["f"] == ("c", "e")
    assert network.tables["f"][:, :, 0] == pytest.approx(
        np.array([[0.1, 0.2], [0.3, 0.4]])
    )


def test_other_attributes_and_comments_are_passed_over():
    text = COIN.replace("states", 'label = "coin"; position = (1 2); states')
    text += "% what a line says after a percent sign\n"
    text += "potential ( c ) { model_nodes = (); data = ( .5 .5 ); }"
    assert network_from_net(text).tables["c"].tolist() == [0.5, 0.5]


def test_a_discrete_node_is_a_node():
    text = COIN.replace("node", "discrete node") + "potential ( c ) { data = ( 1 0 ); }"
    assert network_from_net(text).states == {"c": ("h", "t")}


@each(
    ("text", "sentence"),
    [
        (COIN + "utility u { }", "has 'utility' where NET has net, node or potential"),
        (COIN + "decision d { }", "has 'decision' where NET has"),
        (COIN + "potential ( x ) { data = ( 1 ); }", "speaks of 'x', which is not a"),
        (COIN + "potential ( c ) { data = ( 1 ); }", "lists 1 numbers, but its"),
        (COIN + "node c { }", "Two variables are called 'c'"),
        ("node c { }", "'c' has no states"),
    ],
)
def test_what_is_no_discrete_network_is_refused_with_a_sentence(text, sentence):
    with pytest.raises(InterchangeError, match=sentence):
        network_from_net(text)


def test_order_of_uai_parents_is_kept():
    text = "BAYES 3 2 2 2 3 1 0 1 1 3 1 0 2  2 .5 .5 2 .5 .5 8 1 0 .9 .1 .8 .2 .7 .3"
    network = read_network_text(text, "uai")
    assert network.parents["x2"] == ("x1", "x0")
    assert network.tables["x2"][0, 1].tolist() == pytest.approx([0.9, 0.1])


@each(
    ("text", "sentence"),
    [
        ("MARKOV 1 2 0", "begins with 'MARKOV'; a UAI network begins with BAYES"),
        ("BAYES 1 2 1 1 0 2 .5", "ends after 1 of the 2 numbers of x0"),
        ("BAYES 1 2", "has 'the end' where a count"),
        ("BAYES 2 2 9999999 1 1 0 2 .5 .5", "Variable 1 has no table"),
        ("BAYES 1 2 1 1 0 3 .5 .5 0", "says that it has 3 numbers"),
        ("BAYES 1 2 1 1 7 2 .5 .5", "has '7' where a count up to 0"),
        ("BAYES 1 2 1 0", "over no variable"),
        ("BAYES 1 2 2 1 0 1 0 2 .5 .5 2 .5 .5", "two tables for variable 0"),
        ("BAYES 99999999999 2", "where a count up to 10000 is expected"),
        (
            "BAYES 1 2 1 1 0 2 half half",
            "has 'half' where a number is expected, in the table of x0",
        ),
    ],
)
def test_bad_uai_is_refused_with_a_sentence(text, sentence):
    with pytest.raises(InterchangeError, match=sentence):
        read_network_text(text, "uai")
