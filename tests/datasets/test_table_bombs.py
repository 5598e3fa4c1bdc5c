"""Small files that unpack to huge tables are refused, or read in little memory."""

import io

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from solvers.datasets.table import preview_table, read_table
from tests.fuzz.bounded import bounded
from tests.fuzz.refusal import is_one_sentence, refusal


def packed(columns):
    buffer = io.BytesIO()
    parquet.write_table(pa.table(columns), buffer, compression="zstd")
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


MANY = 400_000
BOMBS = {
    "run of equal rows": lambda: packed(
        {"x": pa.nulls(30_000_000, pa.int8()), "kind": pa.nulls(30_000_000)}
    ),
    "long word in every row": lambda: packed(
        {"x": repeated("x" * 1_000_000, MANY), "kind": labels(MANY)}
    ),
    "long number in every row": lambda: packed(
        {"x": repeated("0," + "0" * 1_000_000, MANY), "kind": labels(MANY)}
    ),
    "long label in every row": lambda: packed(
        {"x": np.arange(MANY), "kind": repeated("x" * 1_000_000, MANY)}
    ),
    "one huge cell": lambda: packed(
        {"x": ["y" * 100_000_000, "b"], "kind": ["a", "b"]}
    ),
    "many columns": lambda: packed({f"c{j}": [1.0] for j in range(20_001)}),
    "wide structure": lambda: packed(
        {"x": pa.nulls(4, pa.struct([(f"f{j}", pa.int8()) for j in range(20_001)]))}
    ),
    "deep list": lambda: packed({"x": pa.nulls(4, nested(150))}),
    "CSV of many columns": lambda: b"a," * 10_000_000,
    "CSV of many rows": lambda: b"x,kind\n" + b"1,a\n" * 13_000_000,
    "CSV of an open quote": lambda: b'x,kind\n"' + b"\n" * 30_000_000,
    "CSV of returns": lambda: b"x\r" * 30_000_000,
    "CSV of one huge cell": lambda: b"x,kind\n" + b"y" * 30_000_000 + b",a\n",
}


def both(data):
    preview_table(data)
    read_table(data, "kind")


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_in_bounded_memory(name):
    data = BOMBS[name]()
    with bounded(seconds=8, megabytes=700):
        sentence = refusal(lambda: both(data))
    assert sentence is not None
    assert is_one_sentence(sentence)


def test_decimal_commas_of_packed_words_are_read():
    frame = {"x": ["1,5", " +2,5", None, "3"] * 4, "kind": ["a", "b"] * 8}
    table = packed({**frame, "y": np.arange(16.0)})
    found = read_table(table, "kind", gaps="drop")
    x = found.X[:, found.feature_names.index("x")]
    assert x.tolist() == [1.5, 2.5, 3.0] * 4
