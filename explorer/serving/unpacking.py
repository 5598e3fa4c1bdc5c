"""What a message says in few bytes and would take many: refused before it is unpacked.

Bokeh takes bytes that are packed by gzip from anybody, of which a message of a megabyte
holds a gigabyte, and makes arrays of whatever type they name, of texts as long as
they say.
"""

from __future__ import annotations

import base64
import functools
import zlib
from typing import Any

from bokeh.core.serialization import Deserializer

__all__ = ["bound_unpacking"]

MAX_BYTES = 32 * 1024 * 1024
# What Bokeh's own arrays are of.
KINDS = {
    *("bool", "uint8", "int8", "uint16", "int16", "uint32", "int32"),
    *("uint64", "int64", "float32", "float64", "object"),
}
_GZIP = 16 + zlib.MAX_WBITS


def bound_unpacking() -> None:
    """Let what a browser sends unpack to no more than a message may hold."""
    if not hasattr(Deserializer._decode_bytes, "__wrapped__"):
        Deserializer._decode_bytes = _bounded_bytes(Deserializer._decode_bytes)
        Deserializer._decode_ndarray = _of_known_kind(Deserializer._decode_ndarray)


def _bounded_bytes(decode: Any) -> Any:
    @functools.wraps(decode)
    def decode_bounded(self: Deserializer, obj: Any) -> Any:
        packed = obj["data"]
        if not isinstance(packed, str):
            return decode(self, obj)
        unpacker = zlib.decompressobj(_GZIP)
        found = unpacker.decompress(base64.b64decode(packed), MAX_BYTES)
        if not unpacker.eof:
            raise ValueError(f"Packed bytes are cut off, or more than {MAX_BYTES}.")
        return found

    return decode_bounded


def _of_known_kind(decode: Any) -> Any:
    @functools.wraps(decode)
    def decode_known(self: Deserializer, obj: Any) -> Any:
        if obj["dtype"] not in KINDS:
            raise ValueError("An array is of a type that no browser sends.")
        return decode(self, obj)

    return decode_known
