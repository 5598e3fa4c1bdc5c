"""Small files that unpack to huge tables are refused, or read in little memory."""

import io
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from solvers.datasets.table import arrow_file, bounds, preview_table, read_table
from solvers.errors import InterchangeError
from tests.each import each
from tests.fuzz.bounded import bounded
from tests.fuzz.refusal import is_one_sentence, refusal


def packed(columns):
    buffer = io.BytesIO()
    # Who writes without pyarrow says nothing of its types, such as dictionaries.
    options = {"compression": "zstd", "store_schema": False}
    parquet.write_table(pa.table(columns), buffer, **options)
    return buffer.getvalue()


def repeated(word, n_rows):
    """A column that names one long word in every row."""
    codes = pa.array(np.zeros(n_rows, dtype=np.int32))
    return pa.DictionaryArray.from_arrays(codes, pa.array([word]))


def labels(n_rows):
    codes = pa.array(np.arange(n_rows, dtype=np.int32) % 2)
    return pa.DictionaryArray.from_arrays(codes, pa.array(["a", "b"]))


def nested(depth):
    kind = pa.float64()
    for _ in range(depth):
        kind = pa.list_(kind)
    return kind


MANY, FEW = 400_000, 2_000
CELLS, COLUMNS = "at most 25,000,000 cells", "at most 20,000 are read"
NOTHING = "no column to learn from"
# What is said of each: other guards would refuse it later, when it fills the memory.
BOMBS = {
    "run of equal rows": (
        CELLS,
        lambda: packed(
            {"x": pa.nulls(30_000_000, pa.int8()), "kind": pa.nulls(30_000_000)}
        ),
    ),
    "long word in every row": (
        NOTHING,
        lambda: packed({"x": repeated("x" * 1_000_000, FEW), "kind": labels(FEW)}),
    ),
    "long number in every row": (
        NOTHING,
        lambda: packed(
            {"x": repeated("0," + "0" * 1_000_000, FEW), "kind": labels(FEW)}
        ),
    ),
    "long label in every row": (
        "1,000,000 characters, too long",
        lambda: packed({"x": np.arange(MANY), "kind": repeated("x" * 1_000_000, MANY)}),
    ),
    "labels that an array pads": (
        "900 characters, too long for 120,000 rows",
        lambda: packed({"x": np.arange(120_000), "kind": repeated("x" * 900, 120_000)}),
    ),
    "one huge cell": (
        NOTHING,
        lambda: packed({"x": ["y" * 100_000_000, "b"], "kind": ["a", "b"]}),
    ),
    "many columns": (COLUMNS, lambda: packed({f"c{j}": [1.0] for j in range(20_001)})),
    "wide structure": (
        COLUMNS,
        lambda: packed(
            {"x": pa.nulls(4, pa.struct([(f"f{j}", pa.int8()) for j in range(20_001)]))}
        ),
    ),
    "deep list": ("too deeply", lambda: packed({"x": pa.nulls(4, nested(150))})),
    "CSV of many columns": (COLUMNS, lambda: b"a," * 10_000_000),
    "CSV of many rows": (CELLS, lambda: b"x,kind\n" + b"1,a\n" * 13_000_000),
    "CSV of an open quote": ("Line 2 of", lambda: b'x,kind\n"' + b"\n" * 5_000_000),
    "CSV of returns": (CELLS, lambda: b"x\r" * 30_000_000),
    "CSV of one huge cell": (
        NOTHING,
        lambda: b"x,kind\n" + b"y" * 30_000_000 + b",a\n",
    ),
}


def both(data):
    preview_table(data)
    read_table(data, "kind")


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_in_bounded_memory(name):
    said, make = BOMBS[name]
    data = make()
    with bounded(megabytes=700):
        sentence = refusal(lambda: both(data))
    assert sentence is not None
    assert said in sentence
    assert is_one_sentence(sentence)


def test_a_parquet_file_that_says_how_much_it_unpacks_to_is_not_unpacked(monkeypatch):
    monkeypatch.setattr(bounds, "MAX_UNPACKED", 7000)
    table = packed({"x": np.arange(1000.0), "kind": labels(1000)})
    for read in (preview_table, lambda data: read_table(data, "kind")):
        with pytest.raises(InterchangeError, match="at most 7,000 are read"):
            read(table)


def arrow(columns):
    buffer = io.BytesIO()
    feather.write_feather(pa.table(columns), buffer, compression="uncompressed")
    return buffer.getvalue()


def plain(columns):
    buffer = io.BytesIO()
    parquet.write_table(pa.table(columns), buffer, compression="none")
    return buffer.getvalue()


@each("write", [plain, arrow])
@each("large", [0, 2**24])
@each("read", [preview_table, lambda data: read_table(data, "kind")])
def test_cells_that_are_no_text_are_refused_before_they_are_looked_at(
    monkeypatch, write, large, read
):
    monkeypatch.setattr(arrow_file, "_LARGE", large)
    words = ["good", "evil"] * 10
    whole = write({"x": np.arange(20.0), "word": words, "kind": words})
    torn = whole.replace(b"evil", b"\xff\xfe\xff\xff")
    assert torn != whole
    with pytest.raises(InterchangeError, match="or only a part of it"):
        read(torn)


def test_the_first_rows_of_parquet_are_looked_at_as_the_whole_is():
    torn = plain({"word": ["good", "evil"]}).replace(b"evil", b"\xff\xfe\xff\xff")
    with pytest.raises(InterchangeError, match="or only a part of it"):
        arrow_file.parquet_head(torn, 5)


def test_rows_that_weigh_nothing_are_counted():
    nothing = pa.nulls(13_000_000)
    with bounded(megabytes=200), pytest.raises(InterchangeError, match=CELLS):
        preview_table(arrow({"x": nothing, "kind": nothing}))


@each("rows", [[2, 3], [7, -1], []])
def test_rows_that_no_group_holds_are_refused(rows):
    groups = [SimpleNamespace(num_rows=n, total_byte_size=8 * n) for n in rows]
    announced = SimpleNamespace(
        num_rows=6,
        num_columns=1,
        num_row_groups=len(rows),
        row_group=groups.__getitem__,
    )
    with pytest.raises(InterchangeError, match="announces 6 rows but holds"):
        arrow_file._refuse_bombs(announced, 100)


def test_decimal_commas_of_packed_words_are_read():
    frame = {"x": ["1,5", " +2,5", None, "3"] * 4, "kind": ["a", "b"] * 8}
    table = packed({**frame, "y": np.arange(16.0)})
    found = read_table(table, "kind", gaps="drop")
    x = found.X[:, found.feature_names.index("x")]
    assert x.tolist() == [1.5, 2.5, 3.0] * 4
