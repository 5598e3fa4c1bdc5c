"""The classic networks are read as pgmpy's own readers read them."""

import gzip
import importlib.util
import re
from functools import cache
from itertools import product
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np
import pytest

from solvers.bayes import classic_network
from solvers.bayes.readers import read_network_text

pytest.importorskip("pgmpy")

FOLDER = Path(importlib.util.find_spec("pgmpy").origin).parent / "utils/example_models"
FILES = sorted(FOLDER.glob("*.bif.gz"))
# Bytes, packed. pgmpy reads larger BIF and XMLBIF in seconds to minutes, a larger NET
# in minutes and gigabytes.
LARGE_BIF, LARGE_NET = 9_000, 3_900
ALL = pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.split(".")[0])


def up_to(size):
    files = [file for file in FILES if file.stat().st_size < size]
    return pytest.mark.parametrize("file", files, ids=lambda file: file.name)


@cache
def text_of(file):
    return gzip.decompress(file.read_bytes()).decode()


@cache
def network_of(file):
    return read_network_text(text_of(file), "bif")


def assert_same(ours, states, parents, columns):
    assert dict(ours.states) == {name: tuple(of) for name, of in states.items()}
    assert dict(ours.parents) == {name: tuple(of) for name, of in parents.items()}
    for name, table in ours.tables.items():
        theirs = np.asarray(columns[name]).T.reshape(table.shape)
        theirs = theirs / theirs.sum(axis=-1, keepdims=True)  # files are rounded
        np.testing.assert_allclose(table, theirs, rtol=0, atol=2e-15)


def listed(table):
    return " ".join(map(repr, table.ravel().tolist()))


def as_xmlbif(network):
    variables = "".join(
        f"<VARIABLE TYPE='nature'><NAME>{name}</NAME>"
        + "".join(f"<OUTCOME>{escape(state)}</OUTCOME>" for state in states)
        + "</VARIABLE>\n"
        for name, states in network.states.items()
    )
    definitions = "".join(
        f"<DEFINITION><FOR>{name}</FOR>"
        + "".join(f"<GIVEN>{parent}</GIVEN>" for parent in network.parents[name])
        + f"<TABLE>{listed(table)}</TABLE></DEFINITION>\n"
        for name, table in network.tables.items()
    )
    head = "<?xml version='1.0'?><BIF VERSION='0.3'><NETWORK><NAME>n</NAME>"
    return f"{head}{variables}{definitions}</NETWORK></BIF>"


def as_net(network):
    nodes = "".join(
        f"node {name}{{\n states = ({'  '.join(map(quoted, states))});\n}}\n"
        for name, states in network.states.items()
    )
    potentials = "".join(
        f"potential ({name} | {' '.join(network.parents[name])}){{\n"
        f" data = ({listed(table)});\n}}\n"
        for name, table in network.tables.items()
    )
    return f"net {{\n}}\n{nodes}{potentials}"


def quoted(name):
    return f'"{name}"'


def test_all_that_pgmpy_ships_are_compared():
    assert len(FILES) == 24


def by_lines(text):
    """States, parents and columns of a BIF whose every row stands on a line.

    All classic networks are written so, though BIF may be written otherwise.
    """
    states, parents, columns = {}, {}, {}
    for name, of in re.findall(r"variable (\S+) \{\s*type [^{]*\{ (.*) \};", text):
        states[name] = of.split(", ")
    blocks = re.findall(r"probability \( (.*?) \) \{\n(.*?)\n\}", text, re.DOTALL)
    for heading, rows in blocks:
        name, *of = re.split(r" \| |, ", heading)
        parents[name] = of
        table = {}
        for row in rows.splitlines():
            given, numbers = re.fullmatch(r"  (?:table|\((.*)\)) (.*);", row).groups()
            key = tuple(given.split(", ")) if given else ()
            table[key] = [float(number) for number in numbers.split(", ")]
        # The last parent's state changes first, whatever the order of the rows.
        order = product(*(states[parent] for parent in of))
        columns[name] = np.array([table[key] for key in order]).T
    return states, parents, columns


@up_to(LARGE_BIF)
@pytest.mark.filterwarnings("ignore")
def test_bif_is_read_as_pgmpy_reads_it(file):
    from pgmpy.readwrite import BIFReader

    theirs = BIFReader(string=text_of(file))
    read = theirs.variable_states, theirs.variable_parents, theirs.variable_cpds
    assert_same(network_of(file), *read)
    # So the reader by lines may stand in for pgmpy's where that takes long.
    states, parents, columns = by_lines(text_of(file))
    assert states == read[0]
    assert parents == {name: list(of) for name, of in read[1].items()}
    for name, column in columns.items():
        np.testing.assert_array_equal(column, np.reshape(read[2][name], column.shape))


@ALL
def test_every_bif_is_read_as_by_lines(file):
    assert_same(network_of(file), *by_lines(text_of(file)))


@up_to(LARGE_BIF)
@pytest.mark.filterwarnings("ignore")
def test_xmlbif_is_read_as_pgmpy_reads_it(file):
    from pgmpy.readwrite import XMLBIFReader

    text = as_xmlbif(network_of(file))
    theirs = XMLBIFReader(string=text)
    assert_same(
        read_network_text(text, "xmlbif"),
        theirs.variable_states,
        theirs.variable_parents,
        theirs.variable_CPD,
    )


@up_to(LARGE_NET)
@pytest.mark.filterwarnings("ignore")
def test_net_is_read_as_pgmpy_reads_it(file):
    from pgmpy.readwrite import NETReader

    text = as_net(network_of(file))
    theirs = NETReader(string=text)
    ours = read_network_text(text, "net")
    assert_same(
        ours, theirs.variable_states, theirs.variable_parents, theirs.variable_cpds
    )


@ALL
@pytest.mark.parametrize(
    ("format", "write"), [("xmlbif", as_xmlbif), ("net", as_net)], ids=["xmlbif", "net"]
)
def test_every_network_comes_back_from_other_formats(format, write, file):
    written = network_of(file)
    read = read_network_text(write(written), format)
    assert dict(read.states) == dict(written.states)
    assert dict(read.parents) == dict(written.parents)
    for name, table in written.tables.items():
        np.testing.assert_allclose(read.tables[name], table, rtol=0, atol=2e-15)


def test_a_classic_network_is_the_file_that_pgmpy_ships():
    assert classic_network("asia").parents["either"] == ("lung", "tub")
