"""A table is the same data set whichever file or frame it comes in."""

import io
import zipfile

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import xlsxwriter
from pyarrow import feather

from solvers.datasets import from_frame, preview_table, read_table
from solvers.datasets.table import arrow_file
from solvers.datasets.table import workbook as workbooks
from solvers.errors import DataError, InterchangeError
from tests.fuzz.refusal import is_one_sentence, refusal


def frame(n=40):
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "age": [None if k == 3 else float(k % 17) + 0.5 for k in range(n)],
            "count": rng.integers(0, 9, n),
            "pain": np.array(["dull", "none", "sharp"])[rng.integers(0, 3, n)],
            "seen": pd.date_range("2024-01-01", periods=n).astype("datetime64[us]"),
            "smokes": rng.random(n) < 0.5,
            "ill": np.where(np.arange(n) % 2, "yes", "no"),
        }
    )


def workbook(*tables, names=("Data", "More", "Notes"), formulas=()):
    buffer = io.BytesIO()
    with pd.ExcelWriter(buffer, engine="xlsxwriter") as writer:
        for table, name in zip(tables, names, strict=False):
            table.to_excel(writer, sheet_name=name, index=False)
        for place, formula, value in formulas:
            writer.sheets["Data"].write_formula(place, formula, None, value)
    return buffer.getvalue()


def as_feather(table, compression="lz4"):
    buffer = io.BytesIO()
    feather.write_feather(pa.Table.from_pandas(table), buffer, compression)
    return buffer.getvalue()


def polars_ipc(table):
    buffer = io.BytesIO()
    pl.from_pandas(table).write_ipc(buffer, compression="zstd")
    return buffer.getvalue()


def assert_same(found, expected):
    assert found.schema == expected.schema
    assert np.array_equal(found.X, expected.X, equal_nan=True)
    assert found.y.tolist() == expected.y.tolist()


@pytest.mark.parametrize(
    "write", [workbook, as_feather, polars_ipc], ids=["excel", "feather", "polars ipc"]
)
def test_a_file_is_the_frame_that_was_written(write):
    expected = from_frame(frame(), "ill")
    assert [column.kind for column in expected.schema] == [
        "number",
        "number",
        "category",
        "date",
        "yes/no",
    ]
    found = read_table(write(frame()), "ill")
    # A sheet does not say whether a day has hours.
    if write is workbook:
        days = frame().assign(seen=frame()["seen"].dt.date)
        expected = from_frame(days, "ill")
    assert_same(found, expected)


@pytest.mark.parametrize("compression", ["uncompressed", "lz4", "zstd"])
def test_feather_is_read_packed_and_plain(compression):
    found = read_table(as_feather(frame(), compression), "ill")
    assert_same(found, from_frame(frame(), "ill"))


def test_a_frame_of_polars_is_that_of_pandas():
    assert_same(from_frame(pl.from_pandas(frame()), "ill"), from_frame(frame(), "ill"))
    words = pl.from_pandas(frame()).with_columns(pl.col("pain").cast(pl.Categorical))
    assert_same(from_frame(words, "ill"), from_frame(frame(), "ill"))


class Interchanged:
    """A frame that has nothing but the interchange protocol."""

    def __init__(self, table):
        self._table = table

    columns = property(lambda self: list(self._table.columns))

    def __dataframe__(self, *args, **options):
        return pa.Table.from_pandas(self._table).__dataframe__(*args, **options)


def test_a_frame_comes_through_the_interchange_protocol():
    found = from_frame(Interchanged(frame()), "ill")
    assert_same(found, from_frame(frame(), "ill"))


# ------------------------------------------------------------------------- workbooks


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
    assert any("2 cells of sheet 'Data' hold formulas" in note for note in found.notes)


def test_a_formula_that_was_never_computed_is_refused():
    book = workbook(frame(), formulas=[("B5", "=1+1", 2)])
    broken = rewritten(book, b"<f>1+1</f><v>2</v>", b"<f>1+1</f>")
    with pytest.raises(InterchangeError, match="Cell B5 of sheet 'Data' holds a for"):
        read_table(broken, "ill")


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


@pytest.mark.parametrize(("made", "sentence"), BAD_WORKBOOKS)
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


# ----------------------------------------------------------------------------- arrow


def test_a_truncated_arrow_file_is_refused():
    whole = as_feather(frame())
    for end in (8, 20, 300, len(whole) // 2):
        with pytest.raises((InterchangeError, DataError), match=r"not Arrow|no rows"):
            read_table(whole[:end], "ill")


@pytest.mark.parametrize("compression", ["uncompressed", "lz4", "zstd"])
def test_an_arrow_file_that_unpacks_to_too_much_is_refused(monkeypatch, compression):
    monkeypatch.setattr(arrow_file, "MAX_UNPACKED", 2_000_000)
    long = pa.table({"x": ["w" * 10_000] * 300, "y": range(300)})
    buffer = io.BytesIO()
    feather.write_feather(long, buffer, compression)
    size = 300 * 10_000 + 301 * 4 + 300 * 8
    with pytest.raises(InterchangeError, match=f"unpacks to {size:,} bytes; at most"):
        read_table(buffer.getvalue(), "y")


def test_nested_columns_of_an_arrow_file_are_left_out_by_name():
    buffer = io.BytesIO()
    table = pa.Table.from_pandas(frame()).append_column(
        "parts", pa.array([[1, 2]] * 40)
    )
    feather.write_feather(table, buffer)
    found = read_table(buffer.getvalue(), "ill")
    assert "parts" not in found.feature_names
    assert any("neither numbers nor text: 'parts'" in note for note in found.notes)


def archive_version(data, version):
    """An archive that asks for another version of its format."""
    entry = data.index(b"PK\x01\x02")
    return data[: entry + 6] + bytes([version]) + data[entry + 7 :]


@pytest.mark.parametrize(
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
