"""The classic networks are read as pgmpy's own readers read them."""

import gzip
import importlib.util
import re
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from solvers.bayes import classic_network
from solvers.bayes.readers import read_network_text
from tests.each import each

pytest.importorskip("pgmpy")

FOLDER = Path(importlib.util.find_spec("pgmpy").origin).parent / "utils/example_models"
FILES = {path.name.split(".")[0]: path for path in sorted(FOLDER.glob("*.bif.gz"))}
# Two to four parents, signs in states, powers of ten; pgmpy takes two seconds for each
# of these and minutes for the largest.
SMALL = ["child", "sachs"]
# Large ones that hold nothing of another kind.
LARGE = ["barley", "diabetes", "mildew", "munin", "munin2", "munin3", "munin4"]
LARGE += ["pathfinder"]


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


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.filterwarnings("ignore")
def test_bif_is_read_as_pgmpy_reads_it(name):
    from pgmpy.readwrite import BIFReader

    file = FILES[name]
    theirs = BIFReader(string=text_of(file))
    read = theirs.variable_states, theirs.variable_parents, theirs.variable_cpds
    assert_same(network_of(file), *read)
    # So the reader by lines may stand in for pgmpy's where that takes long.
    states, parents, columns = by_lines(text_of(file))
    assert states == read[0]
    assert parents == {name: list(of) for name, of in read[1].items()}
    for name, column in columns.items():
        np.testing.assert_array_equal(column, np.reshape(read[2][name], column.shape))


@each("name", [name for name in FILES if name not in LARGE])
def test_bif_is_read_as_by_lines(name):
    assert_same(network_of(FILES[name]), *by_lines(text_of(FILES[name])))


def test_a_classic_network_is_the_file_that_pgmpy_ships():
    assert classic_network("asia").parents["either"] == ("lung", "tub")
