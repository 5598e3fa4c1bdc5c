"""Tables in text are read as people part their cells, or refused with a sentence."""

import pytest

from solvers.datasets.table.csv_file import csv_head, parsing_csv
from solvers.errors import InterchangeError
from solvers.values import GAP_MARKS
from tests.each import each


def parsed(text):
    *_, table = parsing_csv(text)
    return table


@each("delimiter", [",", ";", "\t"])
@each("end", ["\n", "\r\n"])
@each("mark", ["", "\ufeff", "\n\n"])
def test_cells_and_lines_are_parted_as_the_header_parts_them(delimiter, end, mark):
    rows = ['"a,b";n', "x;1", '"y\nz";', ""]
    text = mark + end.join(rows).replace(";", delimiter)
    table = parsed(text.encode())
    assert table.column_names == ["a,b", "n"]
    assert table.column("n").to_pylist() == [1, None]
    assert table.column("a,b").to_pylist() == ["x", "y\nz"]


@each("word", GAP_MARKS)
def test_what_writes_nothing_is_missing(word):
    assert parsed(f"a,b\n{word},1\n2,3\n".encode())["a"].to_pylist() == [None, 2]


def test_a_quote_inside_of_a_cell_is_a_part_of_it():
    assert parsed(b'a,b\n5" pipe,1\nx,2\n')["a"].to_pylist() == ['5" pipe', "x"]


def test_a_header_alone_is_a_table_without_rows():
    assert parsed(b"a,b").num_rows == 0


@each(
    ("text", "sentence"),
    [
        (b"a,b\n1,2\n3\n", "first line has 2 cells, but row 2 of the table has 1"),
        (b'"a,b\n1,2\n', "export it again|close it"),
        (b'a,b\n1,"2\n3,4\n', "Line 2 of the table is not CSV"),
        (b'a,b\n1,"2\n3,"4"\n5,6\n', "Line 2 of the table is not CSV"),
        (b"PK\x03\x04", "a zip archive or an Excel workbook"),
    ],
)
def test_a_broken_table_is_refused_with_a_sentence(text, sentence):
    with pytest.raises(InterchangeError, match=sentence):
        parsed(text)


def test_a_head_counts_the_rows_that_it_has_not_read():
    lines = [b"a,b", *(b"%d,x" % (i % 10) for i in range(1000))]
    beginning = b"\n".join(lines[:200])
    table, n_rows = csv_head(beginning, 5, len(b"\n".join(lines)))
    assert table["a"].to_pylist() == [0, 1, 2, 3, 4]
    assert n_rows == pytest.approx(1000, rel=0.01)
    assert csv_head(b"a,b", 5, 3) is None


@each(
    ("text", "names", "row"),
    [
        ("height (cm, in);mass (kg, in);y\n1;2;a\n3;4;b\n", 3, [1, 2, "a"]),
        ("sep=;\r\nx,1;y\r\n2;a\r\n", 2, [2, "a"]),
        ("\ufeffsep=|\nx|y\n2|a\n", 2, [2, "a"]),
        ("x;y;z\n1,5;2,5;a\n0,5;1,5;b\n", 3, ["1,5", "2,5", "a"]),
        ("1,5;2,5;3,5\n4,5;5,5;6,5\n", 3, ["4,5", "5,5", "6,5"]),
        ('x,y\n"1;2;3",a\n"4;5;6",b\n', 2, ["1;2;3", "a"]),
        ("only\n1\n2\n", 1, [1]),
    ],
)
def test_what_parts_cells_is_told_by_a_hint_or_by_all_first_lines(text, names, row):
    table = parsed(text.encode())
    assert table.num_columns == names
    assert [column[0].as_py() for column in table.columns] == row


def test_a_quote_may_be_escaped_by_a_backslash():
    table = parsed(rb"""name,y
"a \"tall\", thin one",1
"a tall, thick one",2
""")
    assert table["name"][0].as_py() == 'a "tall", thin one'
    assert parsed(b'x,y\n"C:\\",2\n')["x"].to_pylist() == ["C:\\"]


def test_without_a_header_the_first_line_is_a_row():
    *_, table = parsing_csv(b"1,2\n3,4\n", has_header=False)
    assert table.column_names == ["column 1", "column 2"]
    assert table["column 1"].to_pylist() == [1, 3]
    with pytest.raises(InterchangeError, match="row 2 of the table has 1"):
        list(parsing_csv(b"1,2\n3\n", has_header=False))
