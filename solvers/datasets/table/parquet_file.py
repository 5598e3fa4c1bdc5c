"""Tables in Parquet: flat columns only, and no more of them than was announced."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import InterchangeError
from ...interchange import shown
from .csv_file import MAX_CELLS, refuse_huge_shape

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["parse_parquet"]

MAX_UNPACKED = 2**30  # bytes of all columns, unpacked


def parse_parquet(data: bytes, max_cells: int = MAX_CELLS) -> pa.Table:
    """Return the flat columns of a Parquet file.

    Text stays packed as a dictionary. Nested columns are not unpacked: they come as
    columns without a value.
    """
    import pyarrow as pa
    from pyarrow import parquet

    try:
        plain = parquet.ParquetFile(pa.BufferReader(data))
        _refuse_bombs(plain.metadata, max_cells)
        schema = plain.schema_arrow
        texts = [field.name for field in schema if _is_text(field.type)]
        file = parquet.ParquetFile(pa.BufferReader(data), read_dictionary=texts)
        flat = [field.name for field in schema if not pa.types.is_nested(field.type)]
        table = file.read(columns=flat, use_threads=False)
        table.validate(full=True)
    # OSError: a page that cannot be unpacked; ValueError: a name that is not UTF-8.
    except (pa.ArrowException, OSError, ValueError) as error:
        if isinstance(error, InterchangeError):
            raise
        raise InterchangeError(
            f"The file is not Parquet, or only a part of it ({shown(str(error))}); "
            "export it again."
        ) from error
    return _with_nested(table, schema)


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
    if unpacked > MAX_UNPACKED:
        raise InterchangeError(
            f"The file unpacks to {unpacked:,} bytes; at most {MAX_UNPACKED:,} are "
            "read, so leave columns out."
        )


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
