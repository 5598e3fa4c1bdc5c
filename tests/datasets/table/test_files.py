"""Large files are read piece by piece, and looked at before they are read."""

import numpy as np
import pytest

from solvers.costs.interchange import sources
from solvers.datasets import (
    TableFile,
    head_table,
    open_table,
    opening_table,
    preview_table,
    read_table,
)
from solvers.datasets.table import arrow_file, csv_file, files
from solvers.datasets.table.files import framed_table
from solvers.errors import DataError, InterchangeError
from tests.datasets.tables import as_csv, as_parquet, frame
from tests.each import each
from tests.fuzz.refusal import is_one_sentence, refusal

WRITERS = {"csv": as_csv, "parquet": as_parquet}


@pytest.fixture
def small_steps(monkeypatch):
    """A kilobyte counts as large."""
    monkeypatch.setattr(csv_file, "_LARGE", 1000)
    monkeypatch.setattr(csv_file, "_BLOCK", 700)
    monkeypatch.setattr(files, "_HEAD", 1500)
    monkeypatch.setattr(arrow_file, "_LARGE", 1000)
    monkeypatch.setattr(files, "_LARGE", 1000)
    monkeypatch.setattr(sources, "_BLOCK", 333)


def table(n=400):
    return frame(n).assign(note=np.where(np.arange(n) % 3, "a,b", 'say "é"'))


def assert_same(found, expected):
    assert found.feature_names == expected.feature_names
    assert found.schema == expected.schema
    assert np.array_equal(found.X, expected.X, equal_nan=True)
    assert found.y.tolist() == expected.y.tolist()


@pytest.mark.parametrize("form", WRITERS)
def test_a_table_in_pieces_is_the_table_at_once(form, monkeypatch, request):
    data = WRITERS[form](table())
    expected = read_table(data, "kind")
    request.getfixturevalue("small_steps")
    *shares, whole = opening_table(data)
    assert len(shares) > 3
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[-1] <= 1
    assert isinstance(whole, TableFile)
    assert_same(read_table(data, "kind"), expected)


LATER = {
    "a part after whole numbers": ("count", 3.5),
    "a word after numbers": ("peak", "unknown"),
    "a number after gaps": ("late", 7),
    "a day after a word": ("note", "2024-01-01"),
}


@pytest.mark.parametrize("case", LATER)
def test_a_cell_far_below_tells_the_kind_too(case, monkeypatch, request):
    column, value = LATER[case]
    rows = table().assign(late=np.nan).astype({column: object} if column else {})
    rows.loc[390, column] = value
    rows.loc[391:, "late"] = [1, 2] * 4 + [3]
    data = as_csv(rows)
    expected = read_table(data, "kind")
    request.getfixturevalue("small_steps")
    assert_same(read_table(data, "kind"), expected)


def test_closing_stops_reading(small_steps):
    steps = opening_table(as_csv(table()))
    assert next(steps) < 0.5
    steps.close()
    assert list(steps) == []


@each("form", WRITERS)
def test_the_head_is_the_first_rows(form, small_steps):
    data = WRITERS[form](table())
    head = head_table(data, n_rows=10)
    assert head.n_rows == 10
    assert head.n_more == (pytest.approx(390, rel=0.2) if form == "csv" else 390)
    whole = open_table(data)
    for name, column in whole.columns.items():
        assert head.columns[name].to_pylist() == column[:10].to_pylist()
    preview = preview_table(head)
    assert preview.n_more == head.n_more
    assert preview.first_rows == preview_table(whole).first_rows
    assert whole.n_more == 0


def test_of_a_small_table_the_head_is_all():
    assert head_table(as_csv(table())).n_more == 0


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data.replace(b"\n7.0,", b"\n7.0,1,", 1),
        lambda data: data[:9000] + b"\xff" + data[9000:],
        lambda data: data[:9000] + "é".encode()[:1],
    ],
    ids=["uneven", "no text", "half a letter"],
)
def test_what_is_wrong_far_below_is_said_as_of_a_small_table(
    spoil, monkeypatch, request
):
    data = spoil(as_csv(table()))
    expected = refusal(lambda: open_table(data))
    assert is_one_sentence(expected)
    request.getfixturevalue("small_steps")
    assert refusal(lambda: open_table(data)) == expected


def test_a_head_that_is_no_table_is_refused(small_steps):
    for data in (b"\xff\xff" + as_csv(table()), b"PAR1" + bytes(3000)):
        with pytest.raises(InterchangeError):
            head_table(data)


def test_a_header_that_is_longer_than_the_beginning_is_read_whole(small_steps):
    data = as_csv(table().rename(columns={"count": "x" * 900, "note": "y" * 900}))
    head = head_table(data)
    assert head.n_rows == 400
    assert head.n_more == 0


def test_a_file_is_looked_at_as_its_content_is(small_steps, tmp_path):
    path = tmp_path / "rows.csv"
    path.write_bytes(as_csv(table()))
    head = head_table(path, n_rows=10)
    assert head.name == "rows"
    assert head.n_more == head_table(path.read_bytes(), n_rows=10).n_more
    with pytest.raises(InterchangeError, match="larger than 100 bytes"):
        head_table(path, max_bytes=100)


def test_a_first_line_of_numbers_alone_is_told_and_may_be_a_row():
    rows = [b"%d.5,%d,%d\n" % (k, 7 * k % 11 + 3, k % 2) for k in range(30)]
    (note,) = open_table(b"".join(rows)).notes
    assert "('0.5', '3', '0')" in note
    assert "--no-header" in note
    named = open_table(b"".join(rows), has_header=False)
    assert (named.notes, named.n_rows) == ((), 30)
    assert list(named.columns) == ["column 1", "column 2", "column 3"]
    # Where two numbers of the line are equal, the refusal says it too.
    with pytest.raises(DataError, match=r"Two columns are called '1'\; .*--no-header"):
        open_table(b"1,1,0\n" + b"".join(rows))


def test_whole_numbers_of_128_bits_are_numbers():
    import polars as pl

    wide = pl.Series("n", [1, None, 2**100], dtype=pl.Int128)
    small = pl.Series("m", [1, None, 3], dtype=pl.Int128)
    columns = framed_table(pl.DataFrame([wide, small]), "wide").columns
    assert columns["m"].to_pylist() == [1, None, 3]
    assert columns["n"].to_pylist() == ["1", None, str(2**100)]


def test_a_file_that_names_its_columns_is_not_read_as_without_a_header():
    with pytest.raises(InterchangeError, match=r"names its columns .*save it as CSV"):
        open_table(as_parquet(frame(30)), has_header=False)
