"""Small files that describe huge networks, and long ones of nothing, are refused."""

import numpy as np
import pytest

from solvers.bayes import read_network_text
from solvers.errors import InterchangeError, NetworkError
from tests.fuzz.bounded import bounded

ATTLIST = "<!DOCTYPE BIF [<!ATTLIST X A CDATA '{}'>]>".format("a" * 400_000)
BOMBS = {
    "BIF of variables that open": ("variable a {\n" * 19_400, "bif"),
    "BIF of tables that open": ("probability ( a | b ) {\n" * 10_500, "bif"),
    "BIF of types that open": ("variable a { type discrete [ 2 ] {\n" * 7_200, "bif"),
    "BIF of quotes": ('variable "' * 25_000, "bif"),
    "BIF of comments": ("/*" * 126_000, "bif"),
    "BIF of brackets": ("variable a { type discrete " + "[" * 252_000, "bif"),
    "NET of nodes that open": ("node a { states = (\n" * 12_600, "net"),
    "NET of potentials that open": ("potential ( a | b ) { data = (" * 8_000, "net"),
    "NET of brackets": ('node a { states = ("x"); } ' + "(" * 252_000, "net"),
    "XMLBIF with a default": (f"{ATTLIST}<BIF>{'<X/>' * 100_000}</BIF>", "xmlbif"),
    "XMLBIF with entities": ('<!DOCTYPE b [<!ENTITY a "aa">]><BIF/>', "xmlbif"),
    "XMLBIF of another place": (
        '<!DOCTYPE b SYSTEM "http://a.example/b"><b/>',
        "xmlbif",
    ),
    "XMLBIF that nests": ("<BIF>" + "<A>" * 80_000, "xmlbif"),
    "XMLBIF of an endless tag": ("<BIF " + "a" * 16_000_000, "xmlbif"),
    "UAI of one large table": ("BAYES 1 268435456 1 1 0 268435456 1", "uai"),
    "UAI of many variables": ("BAYES 10000 " + "268435456 " * 10_000, "uai"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_at_once_and_in_little_memory(name):
    text, format = BOMBS[name]
    with (
        bounded(seconds=1, megabytes=200),
        pytest.raises((InterchangeError, NetworkError)) as caught,
    ):
        read_network_text(text, format)
    assert len(str(caught.value)) < 300


def variables(n, states="a b"):
    count = len(states.split())
    return "".join(
        f"variable V{j} {{ type discrete [{count}] {{ {states} }}; }}\n"
        for j in range(n)
    )


def test_default_rows_do_not_fill_the_memory():
    names = ", ".join(f"V{j}" for j in range(1, 22))
    rows = "".join(
        f"probability ( V0 | {names} ) {{ default 0.5 0.5; }}\n" for _ in range(9)
    )
    with pytest.raises(InterchangeError, match="more than the file can list"):
        read_network_text(variables(22) + rows, "bif")


def test_default_rows_fill_what_is_not_listed():
    text = variables(2) + "probability (V0) { table .5 .5; }"
    text += "probability (V1 | V0) { default .1 .9; (b) .3 .7; }"
    table = read_network_text(text, "bif").tables["V1"]
    np.testing.assert_array_equal(table, [[0.1, 0.9], [0.3, 0.7]])


def test_a_table_of_bif_has_its_own_state_slowest():
    text = variables(2) + "probability (V0) { table .5 .5; }"
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


@pytest.mark.parametrize(
    ("text", "format", "sentence"),
    [
        (variables(1) * 2, "bif", "Two variables are called 'V0'"),
        ("variable A { type discrete [3] { a, b }; }", "bif", "announces '3' states"),
        (
            variables(1) + "probability (V0) { (a) .5 .5; }",
            "bif",
            "names 1 states for 0",
        ),
        (
            variables(1) + "probability (V0) { table .5; }",
            "bif",
            "lists 1 numbers, but",
        ),
        (variables(1) + "probability (B) { table .5; }", "bif", "speaks of 'B', which"),
        (
            variables(2) + "probability (V0 | V1) { (a) .5 .5; }",
            "bif",
            "has 1 of 2 rows",
        ),
        (
            variables(2) + "probability (V0 | V1) { (a) .5 .5; (a) .5 .5; }",
            "bif",
            "are for the same states",
        ),
        (
            variables(2) + "probability (V0 | V1) { (c) .5 .5; }",
            "bif",
            "'c', which is no state",
        ),
        ("continuous node A { }", "net", "where NET has net, node or potential"),
        ('node A { states = ("a"); }', "net", "'A' has no probability table"),
        ("<BIF><NETWORK></BIF>", "xmlbif", "not XML, or only a part"),
        ("<HTML></HTML>", "xmlbif", "XMLBIF begins with BIF"),
        (
            "<BIF><NETWORK><VARIABLE><OUTCOME>a</OUTCOME></VARIABLE></NETWORK></BIF>",
            "xmlbif",
            "0 entries NAME",
        ),
        ("<BIF>\ud800</BIF>", "xmlbif", "half a character"),
    ],
)
def test_what_makes_no_network_is_told(text, format, sentence):
    with pytest.raises((InterchangeError, NetworkError), match=sentence):
        read_network_text(text, format)
