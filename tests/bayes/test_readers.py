"""What the readers of network files share: names of formats, packed files, refusals."""

import gzip
import sys

import numpy as np
import pytest

from solvers.bayes import (
    BayesianNetwork,
    bundled_classifier,
    classic_network,
    joint,
    readers,
)
from solvers.bayes.readers import read_network, read_network_text
from solvers.errors import InterchangeError, NetworkError, ThriftscopeError
from tests.bayes.small_files import BIF, NET, TABLE_B, UAI, XMLBIF
from tests.each import each
from tests.fuzz.bounded import bounded


@each(
    ("text", "format"), [(BIF, "bif"), (XMLBIF, "xmlbif"), (NET, "net"), (UAI, "uai")]
)
def test_every_format_says_the_same(text, format):
    network = read_network_text(text, format)
    child = "x1" if format == "uai" else "B"
    assert network.tables[child] == pytest.approx(np.array(TABLE_B), abs=1e-12)
    assert len(network.parents[child]) == 1


@each("word", ["0.7_5", "０.75", "0,75", "75%", "nan"])
@each(
    ("text", "format"),
    [
        (BIF, "bif"),
        (XMLBIF, "xmlbif"),
        (NET, "net"),
        (UAI.replace(".75", "0.75"), "uai"),
    ],
    ids=["bif", "xmlbif", "net", "uai"],
)
def test_numbers_are_those_of_programs_whatever_the_language(word, text, format):
    with pytest.raises(InterchangeError, match=r"number is expected|lists 3 numbers"):
        read_network_text(text.replace("0.75", word), format)


@each("word", ["75e-2", "+.75", "0.750", "7.5E-1"])
def test_a_number_may_be_written_in_several_ways(word):
    for text, format in [(BIF, "bif"), (XMLBIF, "xmlbif"), (NET, "net")]:
        network = read_network_text(text.replace("0.75", word), format)
        assert network.tables["A"].tolist() == [0.25, 0.75]


@each(("text", "format"), [(BIF, "bif"), (NET, "net")])
def test_states_with_brackets_are_told_to_be_quoted(text, format):
    bare = text.replace('"', "").replace("low", "[0,1]")
    with pytest.raises(InterchangeError, match=r"in quotes, as in \"\[0, 1\]\""):
        read_network_text(bare, format)
    quoted = text.replace('"low"', "low").replace("low", '"[0,1]"')
    states = read_network_text(quoted, format).states["B"]
    assert states == ("[0,1]", "mid", "high")


@each("suffix", [".bif", ".bif.gz"])
def test_format_is_told_by_the_name_of_the_file(tmp_path, suffix):
    path = tmp_path / f"small{suffix}"
    data = BIF.encode()
    path.write_bytes(gzip.compress(data) if suffix.endswith("gz") else data)
    assert read_network(path).states["A"] == ("yes", "no")


@each("format", ["bif", "xmlbif", "net"])
@each("text", ["nonsense", "<BIF/>", "variable A {}\n", "\x00" * 50])
def test_nonsense_is_refused_in_every_format(text, format):
    with pytest.raises(ThriftscopeError):
        read_network_text(text, format)


@each("suffix", [".bif", ".bif.gz"])
def test_no_more_of_a_file_is_held_than_may_be_read(tmp_path, monkeypatch, suffix):
    monkeypatch.setattr(readers, "MAX_BYTES", 10_000)
    path = tmp_path / f"bomb{suffix}"
    with gzip.open(path, "wb", 1) if suffix.endswith("gz") else path.open("wb") as file:
        file.seek(100_000_000)
        file.write(b" ")
    refused = pytest.raises(InterchangeError, match="larger than 10,000 bytes")
    with bounded(megabytes=20), refused:
        read_network(path)


def test_a_text_longer_than_a_file_may_be_is_refused(monkeypatch):
    monkeypatch.setattr(readers, "MAX_BYTES", 100)
    with pytest.raises(InterchangeError, match="networks of up to 100 are opened"):
        read_network_text(BIF, "bif")


@each(
    ("name", "data", "sentence"),
    [
        ("net.txt", b"", "does not say its format"),
        ("net.xdsl", b"", "of GeNIe, which is not read; save .* as one of Hugin"),
        ("net.bif", b"\xff\xfe\xff", "not UTF-8 text"),
        ("net.bif.gz", b"\x1f\x8b", "cannot be read"),
        ("cut.bif.gz", gzip.compress(b"x" * 100, mtime=0)[:20], "cannot be read"),
    ],
    ids=["no format", "GeNIe", "not text", "not gzip", "cut gzip"],
)
def test_bad_files_are_refused_with_a_sentence(tmp_path, name, data, sentence):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(InterchangeError, match=sentence):
        read_network(path)


def test_missing_file_is_refused(tmp_path):
    with pytest.raises(InterchangeError, match="There is no file"):
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


@each(
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
