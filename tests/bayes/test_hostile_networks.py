"""Small files that describe huge networks, and long ones of nothing, are refused."""

import pytest

from solvers.bayes.readers import read_network_text
from solvers.errors import InterchangeError, NetworkError
from tests.bayes.small_files import bif_variables
from tests.each import each
from tests.fuzz.bounded import bounded

ATTLIST = "<!DOCTYPE BIF [<!ATTLIST X A CDATA '{}'>]>".format("a" * 400_000)
MANY = (
    "<!DOCTYPE b ["
    + "".join(f'<!ATTLIST X a{k} CDATA "{"a" * 90}">' for k in range(1_000))
    + "]>"
)
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
    "XMLBIF of many defaults": (f"{MANY}<BIF>{'<X/>' * 100_000}</BIF>", "xmlbif"),
    "XMLBIF that nests": ("<BIF>" + "<A>" * 5_000_000, "xmlbif"),
    "XMLBIF of an endless tag": ("<BIF " + "a" * 16_000_000, "xmlbif"),
    "UAI of one large table": ("BAYES 1 268435456 1 1 0 268435456 1", "uai"),
    "UAI of many variables": ("BAYES 10000 " + "268435456 " * 10_000, "uai"),
}


@each("name", BOMBS)
def test_a_bomb_is_refused_at_once_and_in_little_memory(name):
    text, format = BOMBS[name]
    with (
        bounded(megabytes=200),
        pytest.raises((InterchangeError, NetworkError)) as caught,
    ):
        read_network_text(text, format)
    assert len(str(caught.value)) < 300


def test_default_rows_do_not_fill_the_memory():
    names = ", ".join(f"V{j}" for j in range(1, 22))
    rows = "".join(
        f"probability ( V0 | {names} ) {{ default 0.5 0.5; }}\n" for _ in range(9)
    )
    with pytest.raises(InterchangeError, match="more than the file can list"):
        read_network_text(bif_variables(22) + rows, "bif")


@each(
    ("text", "format", "sentence"),
    [
        (bif_variables(1) * 2, "bif", "Two variables are called 'V0'"),
        ("variable A { type discrete [3] { a, b }; }", "bif", "announces '3' states"),
        (
            bif_variables(1) + "probability (V0) { (a) .5 .5; }",
            "bif",
            "names 1 states for 0",
        ),
        (
            bif_variables(1) + "probability (V0) { table .5; }",
            "bif",
            "lists 1 numbers, but",
        ),
        (
            bif_variables(1) + "probability (B) { table .5; }",
            "bif",
            "speaks of 'B', which",
        ),
        (
            bif_variables(2) + "probability (V0 | V1) { (a) .5 .5; }",
            "bif",
            "has 1 of 2 rows",
        ),
        (
            bif_variables(2) + "probability (V0 | V1) { (a) .5 .5; (a) .5 .5; }",
            "bif",
            "are for the same states",
        ),
        (
            bif_variables(2) + "probability (V0 | V1) { (c) .5 .5; }",
            "bif",
            "'c', which is no state",
        ),
        ("probability (" + "a " * 10_001 + ") { }", "bif", "more than 10,000 names"),
        ("BAYES " + "1" * 5000, "uai", "where a count up to"),
        ("continuous node A { }", "net", "where NET has net, node or potential"),
        ('node A { states = ("a"); }', "net", "'A' has no probability table"),
        ("<BIF><NETWORK></BIF>", "xmlbif", "not XML, or only a part"),
        ("<HTML></HTML>", "xmlbif", "XMLBIF begins with BIF"),
        (
            "<BIF><NETWORK><VARIABLE><OUTCOME>a</OUTCOME></VARIABLE></NETWORK></BIF>",
            "xmlbif",
            "0 entries NAME",
        ),
        (
            "<BIF><NETWORK><VARIABLE>" + "<OUTCOME>a</OUTCOME>" * 100_001,
            "xmlbif",
            "more than 100,000 entries OUTCOME",
        ),
        ("<BIF>\ud800</BIF>", "xmlbif", "half a character"),
    ],
)
def test_what_makes_no_network_is_told(text, format, sentence):
    with pytest.raises((InterchangeError, NetworkError), match=sentence):
        read_network_text(text, format)
