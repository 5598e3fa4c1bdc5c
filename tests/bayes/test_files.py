"""Networks from files: what is written is read, and hostile files are refused."""

import gzip
import json
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.bayes import (
    BayesianNetwork,
    bundled_classifier,
    classic_network,
    classifier_from_json,
    classifier_to_json,
    joint,
    network_from_json,
    network_to_json,
    read_network,
    read_network_text,
    readers,
)
from solvers.errors import InterchangeError, NetworkError, ThriftscopeError
from tests.bayes.worlds import general_network

BIF = """network unknown {
}
variable A {
  type discrete [ 2 ] { yes, no };
}
variable B {
  type discrete [ 3 ] { low, mid, high };
}
probability ( A ) {
  table 0.25, 0.75;
}
probability ( B | A ) {
  (yes) 0.5, 0.25, 0.25;
  (no) 1e-3, 0.0, 0.999;
}
"""
XMLBIF = """<?xml version="1.0"?>
<BIF VERSION="0.3"><NETWORK><NAME>n</NAME>
<VARIABLE TYPE="nature"><NAME>A</NAME><OUTCOME>yes</OUTCOME><OUTCOME>no</OUTCOME>
</VARIABLE>
<VARIABLE TYPE="nature"><NAME>B</NAME><OUTCOME>low</OUTCOME><OUTCOME>mid</OUTCOME>
<OUTCOME>high</OUTCOME></VARIABLE>
<DEFINITION><FOR>A</FOR><TABLE>0.25 0.75</TABLE></DEFINITION>
<DEFINITION><FOR>B</FOR><GIVEN>A</GIVEN>
<TABLE>0.5 0.25 0.25 0.001 0.0 0.999</TABLE></DEFINITION>
</NETWORK></BIF>
"""
NET = """net {
}
node A {
  states = ( "yes" "no" );
}
node B {
  states = ( "low" "mid" "high" );
}
potential ( A ) {
  data = ( 0.25 0.75 );
}
potential ( B | A ) {
  data = (( 0.5 0.25 0.25 )( 0.001 0.0 0.999 ));
}
"""
UAI = "BAYES\n2\n2 3\n2\n1 0\n2 0 1\n\n2\n .25 .75\n6\n .5 .25 .25 1e-3 0 .999\n"
TABLE_B = [[0.5, 0.25, 0.25], [0.001, 0.0, 0.999]]


def same(one, other):
    return (
        one.states == other.states
        and one.parents == other.parents
        and all(one.tables[v].tolist() == other.tables[v].tolist() for v in one.states)
    )


@pytest.mark.parametrize(
    ("text", "format"), [(BIF, "bif"), (XMLBIF, "xmlbif"), (NET, "net"), (UAI, "uai")]
)
def test_every_format_says_the_same(text, format):
    network = read_network_text(text, format)
    child = "x1" if format == "uai" else "B"
    assert network.tables[child] == pytest.approx(np.array(TABLE_B), abs=1e-12)
    assert len(network.parents[child]) == 1


@pytest.mark.parametrize("suffix", [".bif", ".bif.gz"])
def test_format_is_told_by_the_name_of_the_file(tmp_path, suffix):
    path = tmp_path / f"small{suffix}"
    data = BIF.encode()
    path.write_bytes(gzip.compress(data) if suffix.endswith("gz") else data)
    assert read_network(path).states["A"] == ("yes", "no")


def test_order_of_uai_parents_is_kept():
    text = "BAYES 3 2 2 2 3 1 0 1 1 3 1 0 2  2 .5 .5 2 .5 .5 8 1 0 .9 .1 .8 .2 .7 .3"
    network = read_network_text(text, "uai")
    assert network.parents["x2"] == ("x1", "x0")
    assert network.tables["x2"][0, 1].tolist() == pytest.approx([0.9, 0.1])


@given(st.integers(0, 10_000))
def test_json_gives_back_the_same_network(seed):
    network = general_network(np.random.default_rng(seed), 4, (1, 2, 3))
    again = network_from_json(network_to_json(network))
    assert same(again, network)


def test_json_gives_back_the_same_classifier():
    quiz = bundled_classifier("quiz")
    again = classifier_from_json(classifier_to_json(quiz))
    assert (again.target, again.features) == (quiz.target, quiz.features)
    assert (again.positive_state, again.threshold) == ("+", 0.07)
    assert same(again.network, quiz.network)


def document(**changes):
    coin = {"name": "A", "states": ["0", "1"], "table": [0.5, 0.5]}
    base = {"format": "thriftscope-network", "version": 1, "variables": [coin]}
    return json.dumps({**base, **changes})


def variable(**changes):
    coin = {"name": "A", "states": ["0", "1"], "table": [0.5, 0.5]}
    return document(variables=[{**coin, **changes}])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "The file is not JSON"),
        ("{", "The file is not JSON"),
        ("[" * 100_000, "nests more than 64 levels"),
        ('{"a":' * 100_000, "nests more than 64 levels"),
        ("[]", 'does not say "format"'),
        ('{"format": "hif"}', 'does not say "format"'),
        (document(version=2), "of version 2; version 1 is known"),
        (document(variables=[]), 'lists no "variables"'),
        (document(variables={}), 'lists no "variables"'),
        (document(variables=[7]), "A variable is 7; write an object"),
        (document(variables=[{}]), '"name" holds null'),
        (variable(name=" "), '"name" holds " "'),
        (variable(name="x" * 300), "write a name of 1 to 200 characters"),
        (variable(name="\ud800"), "half a character"),
        (variable(states=["\udfff", "b"]), "half a character"),
        (variable(states="01"), '"states" is "01"; write a list'),
        (variable(states=[0, 1]), '"states" holds 0'),
        (variable(table="no"), 'table of "A" holds "no"; write numbers'),
        (variable(table=[True, False]), "holds false|holds true"),
        (variable(table=[10**400, 0]), "a probability is a number from 0 to 1"),
        (variable(table=0.5), "is no list"),
        (variable(table=[[0.5], [0.5, 0.5]]), "not made of numbers"),
        (variable(table=[0.5]), "has shape"),
        (variable(table=[0.5, 0.4]), "sums to 0.9"),
        (variable(parents=["Z"]), "the parent 'Z', which is not a variable"),
        (
            document(
                variables=[{"name": "A", "states": ["0"], "table": [1]} for _ in "ab"]
            ),
            'Two variables are called "A"',
        ),
        ('{"format": 1, "format": 2}', 'says "format" twice'),
        (variable().replace("0.5", "NaN"), "holds NaN; write finite numbers"),
        (variable().replace("0.5", "1" * 10_000), "The file is not JSON"),
    ],
)
def test_hostile_json_is_refused_with_a_sentence(text, sentence):
    with pytest.raises(ThriftscopeError, match=sentence):
        network_from_json(text)


def test_brackets_in_names_do_not_count_as_nesting():
    name = '\\"' + "[" * 150
    assert network_from_json(variable().replace('"A"', f'"{name}"'))


def test_messages_do_not_repeat_long_or_raw_text():
    with pytest.raises(ThriftscopeError) as caught:
        network_from_json(variable(states=["<script>" * 100]))
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        (None, 'describes no classifier; add "classifier"'),
        ({"target": "A"}, '"positive_state" holds null'),
        (
            {"target": "A", "positive_state": "0", "features": "B"},
            '"features" is "B"; write a list',
        ),
        (
            {"target": "A", "positive_state": "0", "features": ["A"], "threshold": "a"},
            'The "threshold" is "a"',
        ),
    ],
)
def test_bad_classifiers_in_json_are_refused(part, sentence):
    with pytest.raises(InterchangeError, match=sentence):
        classifier_from_json(document(classifier=part))


@pytest.mark.parametrize(
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
        ("BAYES 1 2 1 1 0 2 half half", "has 'half' where a probability"),
    ],
)
def test_bad_uai_is_refused_with_a_sentence(text, sentence):
    with pytest.raises(InterchangeError, match=sentence):
        read_network_text(text, "uai")


@pytest.mark.parametrize("format", ["bif", "xmlbif", "net"])
@pytest.mark.parametrize("text", ["nonsense", "<BIF/>", "variable A {}\n", "\x00" * 50])
def test_nonsense_is_refused_in_every_format(text, format):
    with pytest.raises(ThriftscopeError):
        read_network_text(text, format)


def test_xml_entities_are_refused():
    bomb = '<!DOCTYPE b [<!ENTITY a "aaaa">]>' + XMLBIF
    with pytest.raises(InterchangeError, match="declares a document type"):
        read_network_text(bomb, "xmlbif")


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


def test_decompression_bomb_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(readers, "MAX_BYTES", 10_000)
    path = tmp_path / "bomb.bif.gz"
    path.write_bytes(gzip.compress(b" " * 10_000_000))
    with pytest.raises(InterchangeError, match="holds more than 10000 bytes"):
        read_network(path)


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("net.txt", b"", "does not say its format"),
        ("net.bif", b"\xff\xfe\xff", "is not UTF-8 text"),
        ("net.bif.gz", b"\x1f\x8b", "cannot be read"),
        ("cut.bif.gz", gzip.compress(b"x" * 100, mtime=0)[:20], "cannot be read"),
    ],
    ids=["no format", "not text", "not gzip", "cut gzip"],
)
def test_bad_files_are_refused_with_a_sentence(tmp_path, name, data, sentence):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(InterchangeError, match=sentence):
        read_network(path)


def test_missing_file_is_refused(tmp_path):
    with pytest.raises(InterchangeError, match="cannot be read"):
        read_network(tmp_path / "none.bif")


def test_unknown_names_and_formats_are_refused():
    with pytest.raises(NetworkError, match="no classic network 'almar'; choose"):
        classic_network("almar")
    with pytest.raises(NetworkError, match="no bundled network"):
        bundled_classifier("fig9")
    with pytest.raises(InterchangeError, match="The format is 'dot'; use one of json"):
        read_network_text("", "dot")


def test_files_are_read_without_pgmpy(monkeypatch):
    monkeypatch.setitem(sys.modules, "pgmpy", None)
    for text, format in [(BIF, "bif"), (XMLBIF, "xmlbif"), (NET, "net")]:
        assert read_network_text(text, format).states["A"] == ("yes", "no")


def test_missing_pgmpy_is_named_with_its_extra(monkeypatch):
    monkeypatch.setattr(readers.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(NetworkError, match=r"pip install 'thriftscope\[networks\]'"):
        classic_network("asia")


def test_pgmpy_is_never_imported():
    code = (
        "import sys, solvers.bayes as b; b.trim(b.bundled_classifier('quiz'), 1); "
        "b.classic_network('asia'); sys.exit('pgmpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("name", "n_variables", "n_leaves"),
    [
        ("alarm", 37, 11),
        ("win95pts", 76, 16),
        ("asia", 8, 2),
        ("child", 20, 7),
        ("insurance", 27, 6),
    ],
)
def test_classic_networks_are_read(name, n_variables, n_leaves):
    network = classic_network(name)
    assert (len(network.states), len(network.leaves)) == (n_variables, n_leaves)


def test_asia_has_its_known_marginals():
    asia = classic_network("asia")
    assert joint(asia, ("lung",)) == pytest.approx([0.055, 0.945])
    assert joint(asia, ("either",)) == pytest.approx([0.064828, 0.935172])
    assert isinstance(asia, BayesianNetwork)
