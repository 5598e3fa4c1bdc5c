"""Sheets of Excel workbooks are read as computed, and damaged ones are refused."""

import io
import sys
import zipfile
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import xlsxwriter

from solvers.datasets import preview_table, read_table
from solvers.datasets.table import workbook as workbooks
from solvers.errors import DataError, InterchangeError
from tests.datasets.written_forms import frame, workbook
from tests.each import each
from tests.fuzz.refusal import is_one_sentence, refusal


def test_of_several_sheets_one_is_asked_for():
    book = workbook(frame(), frame(20))
    with pytest.raises(InterchangeError, match="2 sheets, 'Data', 'More'; name") as e:
        read_table(book, "ill")
    assert is_one_sentence(str(e.value))
    assert read_table(book, "ill", sheet="More").n_samples == 20
    assert preview_table(book, sheet="Data").n_rows == 40
    with pytest.raises(InterchangeError, match=r"no sheet 'data' .*'Data', 'More'"):
        read_table(book, "ill", sheet="data")


def test_sheets_without_cells_are_not_asked_about():
    assert read_table(workbook(frame(), pd.DataFrame()), "ill").n_samples == 40


def test_formulas_are_read_as_last_computed_and_told():
    book = workbook(frame(), formulas=[("B2", "=1+1", 2), ("B3", "=3*2", 6)])
    found = read_table(book, "ill")
    column = found.feature_names.index("count")
    assert found.X[:2, column].tolist() == [2, 6]
    assert any("Formulas in sheet 'Data': 2;" in note for note in found.notes)


@each("value", [b"", b"<v></v>", b"<v/>", b'<v xml:a="1"></v>'])
def test_a_formula_that_was_never_computed_is_refused(value):
    book = workbook(frame(), formulas=[("B5", "=1+1", 2)])
    broken = rewritten(book, b"<f>1+1</f><v>2</v>", b"<f>1+1</f>" + value)
    with pytest.raises(InterchangeError, match="Cell B5 of sheet 'Data' holds a for"):
        read_table(broken, "ill")


def test_a_formula_may_come_to_empty_text():
    book = workbook(frame(), formulas=[("C5", '=""', "dull")])
    empty = rewritten(book, b'<f>""</f><v>dull</v>', b'<f>""</f><v></v>')
    found = read_table(empty, "ill")
    assert np.isnan(found.X[3, found.feature_names.index("pain")])


def rewritten(book, old, new):
    """A workbook whose first sheet says something else."""
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(book)) as given,
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as written,
    ):
        for name in given.namelist():
            content = given.read(name)
            if name == "xl/worksheets/sheet1.xml":
                assert old in content
                content = content.replace(old, new)
            written.writestr(name, content)
    return buffer.getvalue()


def test_mixed_cells_and_errors_are_told_with_their_rows():
    mixed = frame().astype({"count": object})
    mixed.loc[6, "count"] = "many"
    mixed.loc[8, "pain"] = "#DIV/0!"
    found = read_table(workbook(mixed), "ill")
    assert any("'count' holds text among numbers in 1 row " in n for n in found.notes)
    pain = found.feature_names.index("pain")
    assert np.flatnonzero(np.isnan(found.X[:, pain])).tolist() == [8]


def test_a_cell_far_off_is_refused_before_memory_is_taken():
    buffer = io.BytesIO()
    with xlsxwriter.Workbook(buffer) as book:
        sheet = book.add_worksheet()
        sheet.write("A1", "x")
        sheet.write("XFD1048576", 1)
    with pytest.raises(InterchangeError, match="1,048,576 rows of 16,384 columns"):
        read_table(buffer.getvalue(), "x")


@each("place", [b'"ZZZZZZZ99999999999"', b' = "A99999999999"', b"'zzzzzzz3'"])
def test_a_cell_that_no_sheet_has_is_refused_in_a_sentence(place):
    place = place if b"=" in place else b"=" + place
    broken = rewritten(workbook(frame()), b' r="A2"', b" r" + place)
    said = refusal(lambda: read_table(broken, "ill"))
    assert is_one_sentence(said)


def test_a_parser_that_gives_up_is_told_as_a_broken_file(monkeypatch):
    class PanicException(BaseException):
        pass

    def panic(_):
        raise PanicException("capacity overflow")

    reader = SimpleNamespace(
        CalamineWorkbook=SimpleNamespace(from_object=panic),
        CalamineError=ValueError,
    )
    monkeypatch.setitem(sys.modules, "python_calamine", reader)
    with pytest.raises(InterchangeError, match="capacity overflow"):
        read_table(workbook(frame()), "ill")


def damaged(book):
    """A workbook whose first sheet is not what its checksum says."""
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        start = archive.getinfo("xl/worksheets/sheet1.xml").header_offset
    return book[: start + 200] + b"\0" * 50 + book[start + 250 :]


TWINS = {"count": "age"}


BAD_WORKBOOKS = [
    (
        lambda: rewritten(workbook(frame()), b"<sheetData>", b"<sheetDat"),
        "no Excel wor",
    ),
    (lambda: workbook(frame())[:-100], "a zip archive or an Excel workbook"),
    (lambda: workbook(pd.DataFrame()), "holds no cells"),
    (lambda: workbook(pd.DataFrame({"NA": ["?"]})), "holds no cells"),
    (lambda: damaged(workbook(frame())), "no Excel workbook, or only a part of it"),
    (lambda: workbook(frame(0)), "has a header but no rows"),
    (lambda: workbook(frame().rename(columns=TWINS)), "Two columns are called 'age'"),
    (lambda: workbook(frame().drop(columns="ill")), "has no column 'ill' .the label."),
]


@each(("made", "sentence"), BAD_WORKBOOKS)
def test_bad_workbooks_are_refused_with_a_sentence(made, sentence):
    with pytest.raises((DataError, InterchangeError), match=sentence) as refused:
        read_table(made(), "ill")
    assert is_one_sentence(str(refused.value))


def test_a_workbook_that_unpacks_to_too_much_is_refused(monkeypatch):
    monkeypatch.setattr(workbooks, "MAX_UNPACKED", 5000)
    with pytest.raises(InterchangeError, match=r"workbook unpacks to .* at most 5,000"):
        read_table(workbook(frame()), "ill")


def test_a_sheet_of_what_is_no_workbook_is_refused():
    with pytest.raises(InterchangeError, match="no Excel workbook and has no sheet"):
        read_table(b"x,y\n1,a\n", "y", sheet="Data")


def archive_version(data, version):
    """An archive that asks for another version of its format."""
    entry = data.index(b"PK\x01\x02")
    return data[: entry + 6] + bytes([version]) + data[entry + 7 :]


@each(
    "broken",
    [
        lambda book: book[:100] + book[164:],  # a part begins before the file
        lambda book: book[:-30] + book[-30:-6] + b"\0\0" + book[-4:],
        lambda book: archive_version(book, 200),
        lambda book: book[:30] + b"\0" * 20 + book[50:],
    ],
)
def test_a_workbook_whose_archive_is_damaged_is_refused_in_a_sentence(broken):
    sentence = refusal(lambda: preview_table(broken(workbook(frame()))))
    assert is_one_sentence(sentence)
