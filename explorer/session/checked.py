"""Refusing what somebody else's text must not be, and the bytes in it, bounded."""

from __future__ import annotations

import base64
import zlib

from solvers.errors import InterchangeError

__all__ = ["demand", "packed", "unpacked"]


def demand(is_fit: bool, broken: str) -> None:
    """Refuse a text with a sentence, unless it is what it has to be."""
    if not is_fit:
        raise InterchangeError(broken)


def packed(content: bytes, level: int = 3) -> str:
    """Return bytes as text; `level`: how hard zlib tries."""
    return base64.b64encode(zlib.compress(content, level)).decode()


def unpacked(text: str, most: int, broken: str) -> bytes:
    """Return the bytes of a text, `most` of them: what is packed may be endless."""
    unpacker = zlib.decompressobj()
    try:
        content = unpacker.decompress(base64.b64decode(text, validate=True), most + 1)
    except (ValueError, zlib.error) as error:
        raise InterchangeError(broken) from error
    demand(len(content) <= most and unpacker.eof, broken)
    return content
