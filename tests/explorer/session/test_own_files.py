"""Files that make no sense are refused with a sentence, before anybody waits."""

import base64
import json
import zlib

import pytest

from explorer.document.drawing import MAX_NODES
from explorer.session.own_files import OpenedFile, opened_file, opened_table
from explorer.session.saved import read_session
from solvers import ThriftscopeError
from solvers.errors import DataError
from tests.each import each
from tests.explorer.session.person import trimmer
from tests.explorer.worlds import DECLARED
from tests.fuzz.refusal import is_one_sentence


def wide(n_columns):
    """A table of so many columns and two rows."""
    names = ",".join(f"c{k}" for k in range(n_columns))
    row = ",".join("1" * n_columns)
    return f"{names}\n{row}\n{row}\n".encode()


def test_a_table_too_wide_to_be_drawn_is_refused_before_it_is_planned():
    most = MAX_NODES // 2
    with pytest.raises(DataError, match=f"10,001 columns; up to {most:,}"):
        next(opened_table(wide(most + 1), None))


def test_a_wide_table_is_opened():
    assert len([*opened_table(wide(1000), None)][-1].file.columns) == 1000


def test_a_name_of_a_file_may_be_anything():
    assert opened_file("nodes", "a\u202eb\n" + "x" * 300, b"").name == "ab" + "x" * 198
    assert opened_file("nodes", "\n", b"").name == "nodes"


@pytest.fixture(scope="module")
def document():
    return trimmer().autosave.document()


ENDLESS = base64.b64encode(zlib.compress(bytes(17 * 2**20))).decode()

SHORT = base64.b64encode(zlib.compress(b"abc")[:-2]).decode()


@each(
    "files",
    [
        "mine.json", [1], [{}], [{"role": "network", "name": "x"}],
        [{"role": "network", "name": "x", "packed": 3}],
        [{"role": "network", "name": "", "packed": ""}],
        [{"role": "network", "name": "a\u0000", "packed": ""}],
        [{"role": "network", "name": "x", "packed": "no base64"}],
        [{"role": "network", "name": "x", "packed": ENDLESS}],
        [{"role": "network", "name": "x", "packed": SHORT}],
        [OpenedFile("network", "x", b"").plain()] * 7,
    ],
)  # fmt: skip
def test_files_that_make_no_sense_are_refused_with_a_sentence(document, files):
    document["choices"] = {"trimming": {"files": files}}
    with pytest.raises(ThriftscopeError) as refused:
        read_session(json.dumps(document), DECLARED)
    assert is_one_sentence(str(refused.value))


@each("cost", [-1, 1e12, "much", None])
def test_costs_that_are_none_are_refused(document, cost):
    document["choices"] = {"trimming": {"costs": {"Q1": cost}}}
    with pytest.raises(ThriftscopeError, match="for costs"):
        read_session(json.dumps(document), DECLARED)
