"""Arrow and Parquet files: nothing is unpacked that would not fit into memory."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from ...errors import InterchangeError
from .bounds import MAX_CELLS, refuse_bomb, refuse_huge_shape, whole_file

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import parquet

ARROW_MAGIC = b"ARROW1"
_CLOSING = 10  # bytes: the length of the footer, and the magic word again

# Places of fields in the tables of Arrow's File.fbs and Message.fbs.
_DICTIONARIES, _BATCHES = 2, 3
_HEADER = 2
_LENGTH, _BUFFERS, _COMPRESSION = 0, 2, 3
_DATA_OF_DICTIONARY = 1


def parse_arrow(data: bytes, max_cells: int = MAX_CELLS) -> pa.Table:
    """Return the flat columns of an Arrow or Feather file.

    Nested columns come as columns without a value.
    """
    import pyarrow as pa

    damages = (pa.ArrowException, OSError, ValueError, struct.error)
    with whole_file("not Arrow", "export it again", *damages):
        file = pa.ipc.open_file(pa.BufferReader(data))
        _refuse_arrow_bombs(data, len(file.schema), max_cells)
        table = file.read_all()
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


def _refuse_arrow_bombs(data: bytes, n_columns: int, max_cells: int) -> None:
    """Refuse what would unpack to more than the memory holds, before it is unpacked."""
    n_rows = unpacked = 0
    for field in (_DICTIONARIES, _BATCHES):
        for message, body in _messages(data, field):
            (start,) = struct.unpack_from("<I", data, message)
            batch = _table(data, message + start, _HEADER)
            if field == _DICTIONARIES:
                batch = _table(data, batch, _DATA_OF_DICTIONARY)
            else:
                n_rows += _number(data, batch, _LENGTH)
            unpacked += sum(_sizes(data, batch, body))
    refuse_huge_shape(n_rows, n_columns, max_cells)
    refuse_bomb(unpacked, max_cells)


def _messages(data: bytes, field: int) -> Iterator[tuple[int, int]]:
    """Yield where each message of the footer begins, and its body."""
    (length,) = struct.unpack_from("<i", data, len(data) - _CLOSING)
    footer = len(data) - _CLOSING - length
    (start,) = struct.unpack_from("<I", data, footer)
    for block in _items(data, footer + start, field, 24):
        message, length = struct.unpack_from("<qi", data, block)
        # Since version 0.15 a mark stands before the length of the metadata.
        is_marked = data[message : message + 4] == b"\xff" * 4
        yield message + (8 if is_marked else 4), message + length


def _sizes(data: bytes, batch: int, body: int) -> Iterator[int]:
    """Yield the size of each buffer of a batch, unpacked."""
    is_packed = _place(data, batch, _COMPRESSION) is not None
    for item in _items(data, batch, _BUFFERS, 16):
        offset, length = struct.unpack_from("<qq", data, item)
        # A packed buffer begins with its size unpacked, -1 where it is not packed.
        is_told = is_packed and length > 0
        told = struct.unpack_from("<q", data, body + offset)[0] if is_told else -1
        yield told if told >= 0 else length


def _items(data: bytes, table: int, field: int, size: int) -> range:
    """Return where the structs of a vector stand."""
    place = _place(data, table, field)
    if place is None:
        return range(0)
    start = place + int(struct.unpack_from("<I", data, place)[0])
    (count,) = struct.unpack_from("<I", data, start)
    return range(start + 4, start + 4 + size * count, size)


def _place(data: bytes, table: int, field: int) -> int | None:
    """Return where a field of a flatbuffers table stands; None where it is left out."""
    (back,) = struct.unpack_from("<i", data, table)
    fields = table - back
    (size,) = struct.unpack_from("<H", data, fields)
    if 4 + 2 * field >= size:
        return None
    (offset,) = struct.unpack_from("<H", data, fields + 4 + 2 * field)
    return table + offset if offset else None


def _table(data: bytes, table: int, field: int) -> int:
    """Return where the table stands that a field points at."""
    place = _place(data, table, field)
    if place is None:
        raise ValueError("a message without a header")
    return place + int(struct.unpack_from("<I", data, place)[0])


def _number(data: bytes, table: int, field: int) -> int:
    place = _place(data, table, field)
    return 0 if place is None else int(struct.unpack_from("<q", data, place)[0])


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

    # OSError: a page that cannot be unpacked; ValueError: a name that is not UTF-8.
    damages = (pa.ArrowException, OSError, ValueError)
    return whole_file("not Parquet", "export it again", *damages)


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
