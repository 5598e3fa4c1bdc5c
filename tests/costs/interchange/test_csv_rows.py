"""Rows of CSV come back, nothing broken is swallowed, and no cell is a formula."""

import csv
import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pyarrow import BufferReader
from pyarrow import csv as arrow_csv

from solvers.costs.interchange.csv_rows import csv_rows, guarded, unguarded
from solvers.errors import InterchangeError
from tests.each import each

CELLS = st.text(st.sampled_from('ab ,;"\n\r\t'), max_size=4)
TABLES = st.integers(1, 4).flatmap(
    lambda n: st.lists(st.lists(CELLS, min_size=n, max_size=n), min_size=1, max_size=5)
)
# Where pyarrow reads a table of one row, the second row inside of a cell.
BROKEN = ['a,b\n1,"2\n3,4\n', 'a,b\n1,"2"x\n']


def lines(text):
    return io.StringIO(text, newline="")


@given(TABLES, st.sampled_from(",;\t"))
def test_what_a_writer_wrote_comes_back(table, delimiter):
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows(table)
    header, rows = csv_rows(lines(text.getvalue()), "it", delimiter)
    assert [header, *(row for _, row in rows)] == table


def test_a_row_has_the_number_of_its_last_line_and_empty_lines_are_no_rows():
    header, rows = csv_rows(lines('\na,b\n1,2\n\n"3\n",4\n'), "it")
    assert header == ["a", "b"]
    assert list(rows) == [(3, ["1", "2"]), (6, ["3\n", "4"])]


@each("text", ["", "\n\r\n"])
def test_a_table_without_a_header_has_an_empty_one(text):
    header, rows = csv_rows(lines(text), "it")
    assert (header, list(rows)) == ([], [])


@each("text", BROKEN)
def test_a_broken_quote_is_refused_where_pyarrow_reads_on(text):
    options = arrow_csv.ParseOptions(newlines_in_values=True)
    read = arrow_csv.read_csv(BufferReader(text.encode()), parse_options=options)
    assert read.num_rows == 1
    with pytest.raises(InterchangeError, match=r"Line \d of it is not CSV"):
        list(csv_rows(lines(text), "it")[1])


@each("row", ["1", "1,2,3"])
def test_an_uneven_row_is_named_after_those_before_it(row):
    _, rows = csv_rows(lines(f"a,b\n1,2\n{row}\n"), "it")
    assert next(rows) == (2, ["1", "2"])
    with pytest.raises(InterchangeError, match=r"Line 3 of it has \d cells for 2 c"):
        next(rows)


STARTS = [*"=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"]


@given(st.text(st.sampled_from("'=+-@\t\r\n\uff1d a1"), max_size=8))
@example("'=1")
@example("''+")
def test_every_cell_comes_back_as_it_was(cell):
    assert unguarded(guarded(cell)) == cell


@each("start", STARTS)
def test_no_cell_that_begins_a_formula_is_written_as_it_is(start):
    assert guarded(f"{start}A1") == f"'{start}A1"
    assert guarded(f"'{start}A1") == f"''{start}A1"


@each("number", ["-1", "+2.5", "-.5e-3", "1e9", "-3."])
def test_text_that_is_a_number_stays_a_number(number):
    assert guarded(number) == number


@each("value", [3, -2.5, None, True])
def test_what_is_no_text_stays_as_it_is(value):
    assert guarded(value) is value


def test_an_apostrophe_alone_guards_nothing():
    assert guarded("'quoted'") == "'quoted'"
    assert unguarded("'quoted'") == "'quoted'"
