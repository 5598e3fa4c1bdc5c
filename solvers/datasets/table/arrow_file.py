"""Arrow and Parquet files, by pyarrow.

Parquet says how much it unpacks to, and is not unpacked where that would not fit. Arrow
says so nowhere: the app unpacks it where memory is bounded.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from ...errors import InterchangeError
from .bounds import MAX_CELLS, refuse_bomb, refuse_huge_shape, whole_file

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import parquet

ARROW_MAGIC = b"ARROW1"
# OSError: a page that cannot be unpacked; ValueError: a name that is not UTF-8.
_DAMAGES = (OSError, ValueError)


def parse_arrow(data: bytes, max_cells: int = MAX_CELLS) -> pa.Table:
    """Return the flat columns of an Arrow or Feather file.

    Nested columns come as columns without a value.
    """
    import pyarrow as pa

    with whole_file("not Arrow", "export it again", pa.ArrowException, *_DAMAGES):
        table = pa.ipc.open_file(pa.BufferReader(data)).read_all()
        refuse_huge_shape(table.num_rows, table.num_columns, max_cells)
        refuse_bomb(table.nbytes, max_cells)
        table.validate(full=True)
    empty = pa.nulls(table.num_rows, pa.list_(pa.null()))
    nested = [pa.types.is_nested(field.type) for field in table.schema]
    return pa.Table.from_arrays(
        [
            empty if is_nested else column
            for is_nested, column in zip(nested, table.columns, strict=True)
        ],
        names=table.schema.names,
    )


_LARGE = 2**24  # bytes from which on columns are unpacked one by one


def parsing_parquet(
    data: bytes, max_cells: int = MAX_CELLS
) -> Iterator[float | pa.Table]:
    """Yield the share of the columns that is unpacked by now, and the table at last.

    Text stays packed as a dictionary. Nested columns are not unpacked: they come as
    columns without a value.
    """
    import pyarrow as pa

    with _whole_parquet():
        file = _opened(data, max_cells)
        flat, schema = _flat(file), file.schema_arrow
    if len(data) < _LARGE or len(set(flat)) < len(flat):
        with _whole_parquet():
            table = file.read(columns=flat, use_threads=False)
            table.validate(full=True)
    else:
        columns = []
        for k, name in enumerate(flat, 1):
            with _whole_parquet():
                part = file.read(columns=[name], use_threads=False)
                part.validate(full=True)
            columns.append(part.column(0))
            yield k / len(flat)
        table = pa.Table.from_arrays(columns, names=flat)
    yield _with_nested(table, schema)


def parquet_head(
    data: bytes, n_rows: int, max_cells: int = MAX_CELLS
) -> tuple[pa.Table, int]:
    """Return the first rows of a Parquet file, and how many there are in all."""
    import pyarrow as pa

    with _whole_parquet():
        file = _opened(data, max_cells)
        batches = file.iter_batches(n_rows, columns=_flat(file), use_threads=False)
        first = [batch for batch, _ in zip(batches, range(1), strict=False)]
        fields = [f for f in file.schema_arrow if not pa.types.is_nested(f.type)]
        none = pa.schema(fields).empty_table()
        table = pa.Table.from_batches(first) if first else none
        table.validate(full=True)
    return _with_nested(table, file.schema_arrow), file.metadata.num_rows


def _opened(data: bytes, max_cells: int) -> parquet.ParquetFile:
    """Return a file whose texts stay packed, if its sizes are bearable."""
    import pyarrow as pa
    from pyarrow import parquet

    plain = parquet.ParquetFile(pa.BufferReader(data))
    _refuse_bombs(plain.metadata, max_cells)
    texts = [field.name for field in plain.schema_arrow if _is_text(field.type)]
    return parquet.ParquetFile(pa.BufferReader(data), read_dictionary=texts)


def _flat(file: parquet.ParquetFile) -> list[str]:
    import pyarrow as pa

    return [f.name for f in file.schema_arrow if not pa.types.is_nested(f.type)]


def _whole_parquet() -> AbstractContextManager[None]:
    import pyarrow as pa

    return whole_file("not Parquet", "export it again", pa.ArrowException, *_DAMAGES)


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    return bool(
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
    )


def _refuse_bombs(metadata: Any, max_cells: int) -> None:
    refuse_huge_shape(metadata.num_rows, metadata.num_columns, max_cells)
    groups = [metadata.row_group(k) for k in range(metadata.num_row_groups)]
    rows = sum(group.num_rows for group in groups)
    unpacked = sum(group.total_byte_size for group in groups)
    if (
        rows != metadata.num_rows
        or min((group.num_rows for group in groups), default=0) < 0
    ):
        raise InterchangeError(
            f"The file announces {metadata.num_rows:,} rows but holds {rows:,}; export "
            "it again."
        )
    refuse_bomb(unpacked, max_cells)


def _with_nested(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return the table with nested columns standing in their place, empty."""
    import pyarrow as pa

    if table.num_columns == len(schema):
        return table
    columns = iter(table.columns)
    return pa.table(
        [
            pa.nulls(table.num_rows, pa.list_(pa.null()))
            if pa.types.is_nested(field.type)
            else next(columns)
            for field in schema
        ],
        names=schema.names,
    )
