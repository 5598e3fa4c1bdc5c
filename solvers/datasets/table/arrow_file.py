"""Tables in Arrow's own format, which Feather is."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .bounds import MAX_CELLS, refuse_bomb, refuse_huge_shape, whole_file

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ARROW_MAGIC", "parse_arrow"]

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
        _refuse_bombs(data, len(file.schema), max_cells)
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


def _refuse_bombs(data: bytes, n_columns: int, max_cells: int) -> None:
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
