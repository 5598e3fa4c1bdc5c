"""A table is the same data set whichever file or frame it comes in."""

import io

import polars as pl
import pyarrow as pa

from solvers.datasets import from_frame, read_table
from tests.datasets.written_forms import as_feather, assert_same, frame, workbook
from tests.each import each


def polars_ipc(table):
    buffer = io.BytesIO()
    pl.from_pandas(table).write_ipc(buffer, compression="zstd")
    return buffer.getvalue()


@each(
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
