"""What a message says in few bytes and would take many: refused before it is unpacked.

Bokeh takes bytes that are packed by gzip from anybody, of which a message of a megabyte
holds a gigabyte, and makes arrays of whatever type they name, of texts as long as
they say.
"""

from __future__ import annotations

import base64
import zlib
from typing import Any

from bokeh.core.serialization import Deserializer

from .wrapped import wrap

MAX_BYTES = 32 * 1024 * 1024
# What Bokeh's own arrays are of.
KINDS = {
    *("bool", "uint8", "int8", "uint16", "int16", "uint32", "int32"),
    *("uint64", "int64", "float32", "float64", "object"),
}
_GZIP = 16 + zlib.MAX_WBITS


def bound_unpacking() -> None:
    """Let what a browser sends unpack to no more than a message may hold."""
    wrap(Deserializer, "_decode_bytes", _decode_bounded)
    wrap(Deserializer, "_decode_ndarray", _decode_known)


def _decode_bounded(decode: Any, reader: Deserializer, given: Any) -> Any:
    packed = given["data"]
    if not isinstance(packed, str):
        return decode(reader, given)
    unpacker = zlib.decompressobj(_GZIP)
    found = unpacker.decompress(base64.b64decode(packed), MAX_BYTES)
    if not unpacker.eof:
        raise ValueError(f"Packed bytes are cut off, or more than {MAX_BYTES}.")
    return found


def _decode_known(decode: Any, reader: Deserializer, given: Any) -> Any:
    if given["dtype"] not in KINDS:
        raise ValueError("An array is of a type that no browser sends.")
    return decode(reader, given)
