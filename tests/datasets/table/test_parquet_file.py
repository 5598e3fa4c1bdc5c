"""Parquet files are measured before they are unpacked."""

import io

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from solvers.datasets import head_table, open_table
from solvers.datasets.table import read_table
from solvers.errors import DataError, InterchangeError
from tests.datasets.tables import as_parquet, frame
from tests.each import each


def test_a_parquet_file_of_two_columns_of_one_name_is_refused():
    buffer = io.BytesIO()
    twins = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["x", "x"])
    parquet.write_table(twins, buffer)
    for read in (head_table, open_table):
        with pytest.raises(DataError, match="Two columns are called 'x'"):
            read(buffer.getvalue())


def test_moments_of_a_time_zone_that_nobody_knows_are_refused():
    buffer = io.BytesIO()
    zones = {"there": "Not/AZone", "here": "Europe/Zurich"}
    moments = {n: pa.array([0, 1], pa.timestamp("us", z)) for n, z in zones.items()}
    parquet.write_table(pa.table(moments), buffer)
    with pytest.raises(DataError, match="'there' is in the time zone 'Not/AZone'"):
        open_table(buffer.getvalue())


def test_a_truncated_parquet_file_is_refused():
    whole = as_parquet(frame())
    with pytest.raises(InterchangeError, match="not Parquet, or only a part of it"):
        read_table(whole[:-20], "kind")


def test_a_parquet_file_of_too_many_cells_is_refused_before_it_is_unpacked():
    buffer = io.BytesIO()
    zeros = pa.table({"x": np.zeros(13_000_000, np.int8), "y": pa.nulls(13_000_000)})
    parquet.write_table(zeros, buffer, use_dictionary=True)
    assert len(buffer.getvalue()) < 100_000
    with pytest.raises(InterchangeError, match="13,000,000 rows of 2 columns"):
        read_table(buffer.getvalue(), "y")


def test_long_texts_in_a_parquet_file_stay_packed():
    buffer = io.BytesIO()
    n = 200_000
    words = pa.DictionaryArray.from_arrays(
        pa.array(np.zeros(n, dtype=np.int32)), ["w" * 100_000]
    )
    table = pa.table({"x": np.arange(n), "word": words, "y": np.arange(n) % 2})
    parquet.write_table(table, buffer, store_schema=False)
    dataset = read_table(buffer.getvalue(), "y")  # unpacked, it would take 20 GB
    assert dataset.feature_names == ("x",)
    assert pa.default_memory_pool().max_memory() < 1_000_000_000


@each("type", [pa.binary(), pa.large_binary(), pa.binary(2)])
def test_bytes_that_are_text_are_text_and_others_stay(type):
    texts = pa.array([b"ab", None, "é".encode()], type)
    bytes_ = pa.array([b"\xff\xfe", None, b"\x00\x01"], type)
    file = io.BytesIO()
    parquet.write_table(pa.table({"t": texts, "b": bytes_}), file)
    table = open_table(file.getvalue())
    assert table.columns["t"].to_pylist() == ["ab", None, "é"]
    assert table.columns["b"].to_pylist()[0] == b"\xff\xfe"
