"""Arrow files are read packed and plain, and none larger than a memory."""

import io

import pyarrow as pa
import pytest
from pyarrow import feather

from solvers.datasets import from_frame, read_table
from solvers.datasets.table import bounds
from solvers.errors import DataError, InterchangeError
from tests.datasets.written_forms import as_feather, assert_same, frame
from tests.each import each


@each("compression", ["uncompressed", "lz4", "zstd"])
def test_feather_is_read_packed_and_plain(compression):
    found = read_table(as_feather(frame(), compression), "ill")
    assert_same(found, from_frame(frame(), "ill"))


def test_a_truncated_arrow_file_is_refused():
    whole = as_feather(frame())
    for end in (8, 20, 300, len(whole) // 2):
        with pytest.raises((InterchangeError, DataError), match=r"not Arrow|no rows"):
            read_table(whole[:end], "ill")


def test_an_arrow_file_that_unpacks_to_too_much_is_refused(monkeypatch):
    monkeypatch.setattr(bounds, "MAX_UNPACKED", 2_000_000)
    long = pa.table({"x": ["w" * 10_000] * 300, "y": range(300)})
    buffer = io.BytesIO()
    feather.write_feather(long, buffer, "zstd")
    size = 300 * 10_000 + 300 * 4 + 300 * 8
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
